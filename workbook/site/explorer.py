"""The explorer as a page: one to five flows of any kind, and the chapters' cases that its controls can say."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from simcore import scenario_from
from workbook.explore.address import BEGIN, base_of
from workbook.explore.catalogue import catalogue
from workbook.explore.controls import read_of
from workbook.explore.futures import parted
from workbook.explore.setting import OWN_NAME, Setting
from workbook.site.controls import Control, Positions, controls_of
from workbook.site.grid import Family
from workbook.site.page import Start, page
from workbook.site.stories import Story, stories
from workbook.site.tales import Tale

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
    tales = [tale for name, story in stories().items() if (tale := tale_of(name, story, families))]
    return page("Explore TCP at a bottleneck", families, begin, offered, tales=tales)


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


def tale_of(name: str, story: Story, families: Sequence[Family]) -> Tale | None:
    """A story as the page tells it; None if a run of it is beyond the controls."""
    starts = {run: start_of(run, setting, families) for run, setting in story.settings().items()}
    runs = {run: start for run, start in starts.items() if start}
    return Tale(name, story, runs) if len(runs) == len(starts) else None


def start_of(title: str, setting: Setting, families: Sequence[Family]) -> Start | None:
    """Where the controls stand in a setting, and which packets meet another fate; None if they cannot say it."""
    plain, fates = parted(setting)
    wanted = scenario_from({**plain, "name": OWN_NAME})
    for number, at in _positions(plain, families):
        if scenario_from(families[number].setting(at)) == wanted:
            return Start(title, number, at, fates)
    return None


def _positions(setting: Setting, families: Sequence[Family]) -> Iterator[tuple[int, Positions]]:
    """Of each family with as many flows where its controls stand, if each has such a position."""
    for number, family in enumerate(families):
        if len(setting["flows"]) == family.flows and (at := positions(setting, list(family.controls.values()))):
            yield number, at


def _sayable(cases: Mapping[str, Setting], families: Sequence[Family]) -> Iterator[Start]:
    """The cases that the controls can say, each with its positions."""
    for title, setting in cases.items():
        for number, at in _positions(setting, families):
            if families[number].setting(at) == {**setting, "name": OWN_NAME}:
                yield Start(title, number, at)
