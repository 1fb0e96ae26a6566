"""What the ledger says when claims cannot be judged."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class LedgerError(ValueError):
    """Claims that cannot be read or evaluated; `str` has one line for each problem, for a person."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems

    def within(self, place: str) -> "LedgerError":
        """The same problems, each prefixed with the place where they were found."""
        return LedgerError(*(f"{place}: {problem}" for problem in self.problems))


def for_each(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Call `function` for every item and raise the problems of all as one error.

    A claims file has hundreds of entries: a person mends it in one go, not one problem a run.
    """
    results: list[Result] = []
    problems: list[str] = []
    for item in items:
        try:
            results.append(function(item))
        except LedgerError as error:
            problems += error.problems
    if problems:
        raise LedgerError(*problems)
    return results
