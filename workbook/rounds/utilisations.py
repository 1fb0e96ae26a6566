"""Who gets how much: the distribution over the seeds in every case, and what the report prints."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook import style
from workbook.plots.frame import framed, legend, stack, tag
from workbook.rounds.looks import CALLED, READINGS, REPORT
from workbook.rounds.numbers import rated_percent
from workbook.rounds.runs import Runs
from workbook.rounds.settings import Settings
from workbook.rounds.track import Array

SPOKEN = {
    "competing": "two senders",
    "dropped": "connection\ndropped",
    "kept-alive": "kept alive",
    "delayed": "150 rounds\nlate",
    "larger-buffer": "buffer of 9",
    "thousand": "1000 rounds",
}


def utilisations_figure(cases: Mapping[str, Runs], settings: Settings) -> Figure:
    """For each sender a column of violins for every case and reading, and the report's number as a diamond."""
    count = settings.seeds.count
    figure = framed(
        "Utilisation: what the report prints, and what the two readings of its router give",
        f"Each shape: {count} runs with other seeds, with their mean; sender 2 after a delay over its own rounds",
    )
    rows = stack(figure, 2, 1, "", "utilisation in %")
    for sender, [ax] in enumerate(rows, start=1):
        tag(ax, f"sender {sender}", style.QUIET)
        for place, story in enumerate(SPOKEN):
            for side, reading in ((-0.2, "literal"), (0.2, "fitted")):
                case = f"{story}-{reading}"
                _violin(ax, place + side, rated_percent(case, cases[case])[f"sender{sender}"], reading)
            said = settings.printed[story][sender - 1]
            ax.plot(
                place, said, marker=REPORT.marker, color=REPORT.colour, linestyle="", markersize=7,
                markeredgecolor="white", label="printed in the report",
            )  # fmt: skip
        ax.set_xticks(range(len(SPOKEN)), list(SPOKEN.values()))
        ax.set_xlim(-0.6, len(SPOKEN) - 0.4)
        ax.set_ylim(5, 38)
    legend(figure)
    return figure


def _violin(ax: Axes, place: float, values: Array, reading: str) -> None:
    """Wide where many runs are; a line from the least to the greatest."""
    colour = READINGS[reading].colour
    parts = ax.violinplot(values, [place], widths=0.36, showextrema=False)
    for body in parts["bodies"]:  # type: ignore[attr-defined]
        body.set(facecolor=colour, alpha=0.45, linewidth=0)
    ax.vlines(place, values.min(), values.max(), color=colour, linewidth=1)
    ax.plot(
        place, np.mean(values), marker=READINGS[reading].marker, color=colour, linestyle="", markersize=4,
        label=CALLED[reading],
    )  # fmt: skip
