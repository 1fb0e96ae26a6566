"""A living figure: a case of a chapter with some sliders, as HTML that is complete in itself."""

from collections.abc import Sequence
from functools import cached_property
from html import escape
from random import Random
from typing import Final

from simcore import Scenario
from workbook.chapters.chapter import Chapter
from workbook.explore import setting as st
from workbook.explore.catalogue import case_of, title_of
from workbook.explore.futures import parted
from workbook.explore.setting import Setting
from workbook.paths import REPO
from workbook.site.controls import Control, slider
from workbook.site.explorer import positions
from workbook.site.grid import Family
from workbook.site.marks import Mark, marks_of
from workbook.site.page import Start, page

SLIDERS: Final = {
    "buffer": "buffer_packets",
    "rate": "rate_mbps",
    "delay": "delay_ms",
    "window": "window_packets",
    "size": "packet_bytes",
    "udp-rate": "udp_rate_mbps",
}
TRIES: Final = 30
HEIGHT_PX: Final = 1300


class Living:
    """A page in a frame: a notebook shows it, nbconvert keeps it, and `html` is a file to send."""

    def __init__(self, start: Start, families: Sequence[Family], marks: Sequence[Mark], note: str = "") -> None:
        self.title, self._start, self.families, self.marks, self.note = start.title, start, families, marks, note

    @cached_property
    def html(self) -> str:
        """The page, made when it is first shown. Raises GridError if its tables do not give simcore's worlds."""
        for family in self.families:
            family.check(TRIES, Random(1))
        return page(self.title, self.families, self._start, marks=self.marks, note=self.note)

    def _repr_html_(self) -> str:
        look = f"width: 100%; height: {HEIGHT_PX}px; border: 0"
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")  # to escape more would make it a third longer
        return f'<iframe class="bn-living" title="{escape(self.title)}" style="{look}" srcdoc="{page}"></iframe>'


def living(chapter: str, case: str, sliders: Sequence[str]) -> Living:
    """A case of a chapter that a reader can turn.

    Where a source prints how many packets were sent and dropped in this case, these are marks to hit, and the sliders
    begin elsewhere: in their middle.

    Parameters
    ----------
    chapter, case : str
        Their names, as in params/.
    sliders : sequence of str
        Names in `SLIDERS`.

    Returns
    -------
    Living
        What a cell of a notebook shows. `html` is the page itself.

    Raises
    ------
    ValueError
        If there is no such slider, or nothing of the case that it could move.
    ChapterError
        If there is no such chapter or case.
    TooLargeError
        If a page cannot follow the case: its packets, windows or queues are beyond what a page has room for.
    """
    told = Chapter.load(REPO.params / f"{chapter}.yaml")
    setting = case_of(told, case)
    return _figure(title_of(told, case), setting, sliders, marks_of(chapter, case))


def turned(scenario: Scenario, sliders: Sequence[str]) -> Living:
    """The same for any scenario, as that of a student's sheet."""
    return _figure(scenario.name, scenario.to_mapping(), sliders, [])


def _figure(title: str, setting: Setting, sliders: Sequence[str], marks: Sequence[Mark]) -> Living:
    base, fates = parted(setting)
    controls = [_with_start(name, base) for name in sliders]
    at = positions(base, controls)
    assert at is not None
    if marks:
        at = {control.name: len(control.values) // 2 for control in controls}
    return Living(Start(title, 0, at, fates), [Family(base, controls, at)], marks)


def _with_start(name: str, base: Setting) -> Control:
    """A control that has the value of the case among its positions."""
    if name not in SLIDERS:
        raise ValueError(f"sliders: {name!r} is not known; allowed: {', '.join(SLIDERS)}")
    value = st.SLIDERS[SLIDERS[name]].read(base)
    if value is None:
        raise ValueError(f"sliders: {name!r} has nothing to move in this case")
    return slider(SLIDERS[name], sorted({*slider(SLIDERS[name]).values, value}))
