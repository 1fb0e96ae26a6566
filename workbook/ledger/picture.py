"""Draws the scorecard: a bar for the predicted numbers and sentences of each source, split by verdict."""

from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from workbook.ledger.scorecard import IN_WORDS, Scorecard
from workbook.ledger.verdict import VERDICTS, Verdict
from workbook.plots import style
from workbook.plots.save import save

# Colour and hatch: the four stay apart in grey.
LOOKS: dict[Verdict, tuple[str, str]] = {
    "reproduced": ("#9cc3e3", ""),
    "differs": ("#d0021b", ""),
    "source inconsistent": ("#f0b64a", "///"),
    "not testable": ("#e4e4e4", "..."),
}
COLUMN = 0.3  # from one column of numbers to the next, as a part of the width of the bars


def draw_scorecard(card: Scorecard, folder: Path) -> None:
    """Write scorecard.png, scorecard.svg and scorecard.json to `folder`."""
    style.use()
    rows = [(verdicts, count) for verdicts in card.sources for count in verdicts.predicted]
    height = 1.6 + 0.32 * len(rows)
    figure, axes = plt.subplots(figsize=(style.WIDTH_PX / style.DPI, height))
    figure.subplots_adjust(left=0.335, right=0.615, top=1 - 1.4 / height, bottom=0.1 / height)
    figure.text(0.012, 1 - 0.25 / height, "What came out of the sources' predictions", fontsize=13, fontweight="bold")
    figure.text(0.012, 1 - 0.5 / height, f"{card.headline()} Nothing was adjusted to them.", color=style.QUIET)
    axes.set_yticks(range(len(rows)), [f"{verdicts.source.title}: {count}s" for verdicts, count in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    ends = [0] * len(rows)
    for column, verdict in enumerate(VERDICTS, start=1):
        lengths = [verdicts.count(verdict, count, "predicted") for verdicts, count in rows]
        _draw_verdict(axes, verdict, ends, lengths, 1 + column * COLUMN)
        ends = [end + length for end, length in zip(ends, lengths, strict=True)]
    _leave_only_bars(axes)
    save(figure, folder / "scorecard")
    plt.close(figure)
    (folder / "scorecard.json").write_text(card.to_json(), encoding="utf-8")


def _draw_verdict(axes: Axes, verdict: Verdict, starts: list[int], lengths: list[int], column: float) -> None:
    """Its part of every bar, and its column of numbers, whose heading is the legend."""
    colour, hatch = LOOKS[verdict]
    paint: dict[str, Any] = {"facecolor": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
    axes.barh(range(len(lengths)), lengths, left=starts, height=0.7, **paint)
    transform = axes.get_yaxis_transform()
    axes.add_patch(Rectangle((column - 0.03, -0.85), 0.06, 0.25, transform=transform, clip_on=False, **paint))
    heading = fill(IN_WORDS[verdict], 12)
    axes.text(column, -1.0, heading, transform=transform, ha="center", va="bottom", fontsize=8.5)
    for row, length in enumerate(lengths):
        axes.text(column, row, str(length), transform=transform, ha="center", va="center")


def _leave_only_bars(axes: Axes) -> None:
    """No ticks and no grid: the numbers stand beside the bars."""
    axes.grid(False)
    axes.set_xticks([])
    axes.tick_params(length=0, labelcolor="black")
    axes.spines[["left", "bottom"]].set_visible(False)
