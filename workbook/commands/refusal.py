"""How a command says no."""

from collections.abc import Iterable

import click


class Refusal(click.ClickException):
    """Input that can't be used: a line on standard error for each problem, exit status 2."""

    exit_code = 2

    def __init__(self, *problems: object) -> None:
        super().__init__("\nError: ".join(" ".join(str(problem).split()) for problem in problems))


def choose(option: str, given: str, allowed: Iterable[str]) -> None:
    """Raise Refusal unless `given` is one of the allowed names."""
    names = list(allowed)
    if given not in names:
        raise Refusal(f"{option}: {given!r} is not known; allowed: {', '.join(names)}")
