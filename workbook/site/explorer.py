"""The explorer as a page: one to five flows of any kind, and the chapters' cases that its controls can say."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from workbook.explore.address import BEGIN, base_of
from workbook.explore.catalogue import catalogue
from workbook.explore.controls import read_of
from workbook.explore.setting import OWN_NAME, Setting
from workbook.site.controls import Control, Positions, controls_of
from workbook.site.grid import Family
from workbook.site.page import Start, page

FLOWS: Final = (1, 2, 3, 4, 5)
TRIES: Final = 300  # random settings of each family that are compared with simcore's worlds when the page is made


def explorer(counts: Sequence[int] = FLOWS, values: Mapping[str, Sequence[Any]] | None = None) -> str:
    """The page's HTML; with other `values` of controls than usual, for tests. Raises GridError."""
    cases = catalogue()
    families = families_of(counts, values or {})
    for family in families:
        family.check(TRIES, Random(family.flows))
    offered = [*_sayable(cases, families)]
    plain = Start(BEGIN, 0, families[0].start)
    begin = next((case for case in offered if case.title == BEGIN), plain)
    return page("Explore TCP at a bottleneck", families, begin, offered)


def families_of(counts: Sequence[int], values: Mapping[str, Sequence[Any]]) -> list[Family]:
    """A family for each number of flows."""
    most = _family(max(counts), values, None)
    return [most if count == most.flows else _family(count, values, most) for count in counts]


def _family(count: int, values: Mapping[str, Sequence[Any]], most: Family | None) -> Family:
    base = base_of(count)
    controls = controls_of(base, values)
    start = positions(base, controls)
    assert start is not None
    return Family(base, controls, start, most)


def positions(setting: Setting, controls: Sequence[Control]) -> Positions | None:
    """Where the controls stand in a setting; None if one has no such position."""
    at = {}
    for control in controls:
        value = read_of(control.name, setting)
        if value is None:
            value = control.usual
        if value not in control.values:
            return None
        at[control.name] = list(control.values).index(value)
    return at


def _sayable(cases: Mapping[str, Setting], families: Sequence[Family]) -> Iterator[Start]:
    """The cases that the controls can say, each with its positions."""
    for title, setting in cases.items():
        for number, family in enumerate(families):
            if len(setting["flows"]) != family.flows:
                continue
            at = positions(setting, list(family.controls.values()))
            if at is not None and family.setting(at) == {**setting, "name": OWN_NAME}:
                yield Start(title, number, at)
