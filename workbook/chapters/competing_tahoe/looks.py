"""What senders and readings are called, and how they look: the workbook's colours."""

from typing import Final

from matplotlib.figure import Figure

from workbook.plots import style
from workbook.plots.describe import describe

SENDERS: Final = style.FLOWS["tcp"]
READINGS: Final = {
    "original": style.Look(style.MARKS["total"].colour, "o"),
    "literal": style.Look(style.MARKS["fast_retransmit"].colour, "o"),
    "fitted": style.Look(style.MARKS["congestion_echo"].colour, "s"),
}
CALLED: Final = {
    "original": "the original's router",
    "literal": "literal reading",
    "fitted": "fitted reading (a calibration, not the authors' rule)",
}
REPORT: Final = style.Look(style.MARKS["total"].colour, "D")


def spoken(reading: str) -> str:
    """How a figure names a reading."""
    return CALLED[reading]


def with_words(figure: Figure, caption: str) -> Figure:
    """The figure described: by its own title and line below, and by what its panels show against what."""
    title, about = (text.get_text() for text in figure.texts[:2])
    panels = [f"{ax.get_title(loc='left')} {ax.get_ylabel()} {ax.get_xlabel()}".strip() for ax in figure.axes]
    return describe(figure, caption, f"{title}. {about}. {'. '.join(filter(None, panels))}".rstrip(". ") + ".", title)
