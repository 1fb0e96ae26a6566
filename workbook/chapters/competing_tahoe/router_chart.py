"""The router's rule as a flow chart: the report's figure 1, whose drawing is not in its text."""

from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed

# Where each step stands, and its words.
STEPS: Final = {
    "start": (1.3, 4.2, "a round begins:\nthe buffer is empty"),
    "slot": (3.7, 4.2, "next slot of\nthe two bursts"),
    "free": (6.2, 4.2, "does a place\nbecome free?"),
    "leave": (8.7, 4.2, "literal: one place,\nin slots 10, 20, ...\nfitted: two places,\nin slots 1, 11, ..."),
    "draw": (6.2, 2.6, "draw by chance:\nwho is first?"),
    "room": (6.2, 1.0, "is there a place\nin the buffer?"),
    "pass": (8.7, 1.0, "the segment\npasses"),
    "drop": (3.7, 1.0, "the segment\nis dropped"),
    "end": (1.3, 2.6, "both bursts over:\nforget the queue"),
}
QUESTIONS: Final = ("free", "room")
ARROWS: Final = (
    ("start", "slot", ""),
    ("slot", "free", ""),
    ("free", "leave", "yes"),
    ("free", "draw", "no"),
    ("leave", "draw", ""),
    ("draw", "room", "each sender\nin turn"),
    ("room", "pass", "yes"),
    ("room", "drop", "no"),
    ("drop", "slot", "slot over"),
    ("slot", "end", "none left"),
)
LINE: Final[dict[str, object]] = {"arrowstyle": "-|>", "color": style.QUIET, "shrinkA": 0, "shrinkB": 2}
PASSED: Final = ((8.7, 1.0), (8.7, 0.4), (2.5, 0.4), (2.5, 2.0), (3.7, 2.0))  # round the boxes to the next slot
TITLE: Final = "The router: who finds a place passes, and each round forgets the queue"


def flow_chart() -> Figure:
    """The report's flow chart, from the rule that `simcore.rounds.rules.router` follows."""
    figure = framed(TITLE, "Questions are shaded; slots with a mismatch of 10.")
    ax = figure.add_axes((0.01, 0.02, 0.98, 0.86))
    ax.set(xlim=(0, 10), ylim=(0.3, 5))
    ax.axis("off")
    boxes = {name: _box(ax, name) for name in STEPS}
    for begin, end, words in ARROWS:
        _arrow(ax, boxes[begin], boxes[end], words)
    ax.plot(*zip(*PASSED[:-1], strict=True), color=style.QUIET, linewidth=1, solid_joinstyle="miter", zorder=2)
    ax.annotate("", PASSED[-1], PASSED[-2], arrowprops=LINE, zorder=4)
    steps = (*ARROWS, ("pass", "slot", "slot over"))
    alt = "; ".join(f"{STEPS[a][2]} -> {f'{words}: ' if words else ''}{STEPS[b][2]}" for a, b, words in steps)
    caption = "The report's figure 1 is not in its text; this is drawn from its sentences and our two readings of them."
    return describe(figure, caption, alt.replace("\n", " "), TITLE)


def _box(ax: Axes, name: str) -> Text:
    x, y, words = STEPS[name]
    shade = style.PALE if name in QUESTIONS else "white"
    box: dict[str, object] = {"boxstyle": "round,pad=0.5", "facecolor": shade, "edgecolor": style.QUIET}
    return ax.text(x, y, words, ha="center", va="center", bbox=box, fontsize=9.5, zorder=3)


def _arrow(ax: Axes, begin: Text, end: Text, words: str) -> None:
    """From box to box; above them, as a box has its place only once it is drawn."""
    (x0, y0), (x1, y1) = begin.get_position(), end.get_position()
    arrow = {**LINE, "patchA": begin.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    ax.annotate("", (x1, y1), (x0, y0), arrowprops=arrow, zorder=4)
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    if words:
        ax.text((x0 + x1) / 2, (y0 + y1) / 2, words, fontsize=8.5, color=style.QUIET, ha="center", va="center",
                bbox=ground, zorder=5)  # fmt: skip
