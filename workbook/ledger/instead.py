"""Reads some results in place of others: another case, another profile, other seeds."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbook.ledger.claim import Swap
from workbook.ledger.error import LedgerError
from workbook.ledger.results import Results

UNITS = ("mbps",)  # names of groups whose values are the same measure in several configurations


def instead(results: Results, swap: Swap) -> Results:
    """The results with each named group or value in place of another; the rest is shared, not copied.

    Raises:
        LedgerError: one of them does not exist.
    """
    replaced = dict(results)
    for path, other in swap.items():
        replaced = _with(replaced, path.split("."), _value_at(results, other), path)
    return replaced


def swaps(results: Results, read: Iterable[str]) -> Iterator[Swap]:
    """Configurations that could stand in place of those that were read: the chapter's other cases, those of other
    chapters, and at last one flow alone of another case.

    Cases that were not read come first: they have nothing to do with the claim.
    """
    paths = [path.split(".") for path in read]
    cases = list(dict.fromkeys(".".join(path[:2]) for path in paths if len(path) > 2))
    for known in (False, True):
        for case in cases:
            chapter, name = case.split(".")
            yield from ({case: f"{chapter}.{other}"} for other in results.get(chapter, {})
                        if other != name and (f"{chapter}.{other}" in cases) is known)  # fmt: skip
    for case in cases:
        chapter = case.partition(".")[0]
        yield from ({case: f"{other}.{name}"} for other in results if other != chapter for name in results[other])
    for flow in dict.fromkeys(".".join(path[:3]) for path in paths if len(path) > 3 and path[2] != "setup"):
        yield from _of_other_cases(results, flow)


def swaps_measures(results: Results, swap: Swap) -> list[str]:
    """Where a swap has another measure in place of the one that is read, which is no wrong configuration.

    A value must have the same name, or stand beside the other in a group that is named for the measure (`mbps`).
    """
    return [
        path
        for path, other in swap.items()
        if not isinstance(_value_at(results, other), Mapping) and _measure_of(path) != _measure_of(other)
    ]


def _measure_of(path: str) -> str:
    *_, group, name = path.split(".")
    return group if group in UNITS else name


def _of_other_cases(results: Results, flow: str) -> Iterator[Swap]:
    """The same flow of the chapter's other cases: what is said of two flows of one run fails with one of another."""
    chapter, case, name = flow.split(".")
    for other, content in results[chapter].items():
        if other != case and isinstance(content.get(name), dict):
            yield {flow: f"{chapter}.{other}.{name}"}


def _value_at(results: Results, path: str) -> Any:
    value: Any = results
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise LedgerError(f"{path} does not exist")
        value = value[part]
    return value


def _with(results: Results, parts: list[str], other: Any, path: str) -> Results:
    if parts[0] not in results:
        raise LedgerError(f"{path} does not exist")
    rest = other if len(parts) == 1 else _with(results[parts[0]], parts[1:], other, path)
    return {**results, parts[0]: rest}
