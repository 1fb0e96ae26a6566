"""A living figure: a case of a chapter with some sliders, as HTML that is complete in itself."""

from base64 import b64encode
from collections.abc import Sequence
from random import Random
from typing import Final

from workbook.chapters.chapter import Chapter
from workbook.explore import setting as st
from workbook.explore.catalogue import setting_of, title_of
from workbook.explore.setting import Setting
from workbook.paths import REPO
from workbook.site.controls import Control, slider
from workbook.site.explorer import positions
from workbook.site.grid import Family
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
HEIGHT_PX: Final = 1150


class Living:
    """A page in a frame: a notebook shows it, nbconvert keeps it, and `html` is a file to send."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        address = f"data:text/html;base64,{b64encode(self.html.encode()).decode()}"
        look = f"width: 100%; height: {HEIGHT_PX}px; border: 0"
        return f'<iframe title="a living figure" src="{address}" style="{look}"></iframe>'


def living(chapter: str, case: str, sliders: Sequence[str]) -> Living:
    """A case of a chapter that a reader can turn.

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
    KeyError
        If there is no such case or slider.
    GridError, TooLargeError
        If a page cannot follow the case: its packets, windows or queues are beyond what a page has room for.
    """
    told = Chapter.load(REPO.params / f"{chapter}.yaml")
    base = setting_of(told, case)
    controls = [_with_start(SLIDERS[name], base) for name in sliders]
    start = positions(base, controls)
    assert start is not None
    family = Family(base, controls, start)
    family.check(TRIES, Random(1))
    return Living(page(title_of(told, case), [family], Start(case, 0, start)))


def _with_start(name: str, base: Setting) -> Control:
    """A control that has the value of the case among its positions."""
    known = slider(name)
    value = st.SLIDERS[name].read(base)
    return slider(name, sorted({*known.values, value}))
