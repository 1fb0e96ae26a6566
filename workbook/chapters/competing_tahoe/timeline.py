"""When the events that the report narrates of its first case happen: in every run, and in the report."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.chapters.competing_tahoe.looks import CALLED, READINGS, REPORT, with_words
from workbook.chapters.competing_tahoe.runs import Runs
from workbook.chapters.competing_tahoe.track import Array
from workbook.plots.frame import framed, legend, stack

# What happens, the number's name, and the round in the report.
EVENTS: Final = (
    ("sender 1: first segment dropped", "sender1.first_drop_round", 3),
    ("sender 1: third duplicate ACK", "sender1.third_duplicate_round", 4),
    ("sender 1: first retransmission", "sender1.first_repair_round", 5),
    ("sender 1: last stalled round", "sender1.last_stalled_round", 33),
    ("sender 1: congestion avoidance", "sender1.avoidance_round", 34),
    ("sender 1: three duplicates again", "sender1.next_third_duplicate_round", 39),
    ("sender 2: congestion avoidance", "sender2.avoidance_round", 52),
    ("sender 2: last retransmission before it", "sender2.last_repair_round", 52),
)
LARGEST: Final = 90  # square points of the mark for all runs


def timeline_figure(cases: Mapping[str, Runs]) -> Figure:
    """A line an event: the rounds in which it happens, larger for more runs, and the report's as a diamond."""
    figure = framed(
        "What the report narrates of two senders, and when it happens",
        "Rounds are counted from 0; the size of a mark says in how many of the runs; no mark: it never happens",
    )
    [[ax]] = stack(figure, 1, 1, "", "")
    ax.set_position((0.32, 0.1, 0.665, 0.7))
    for reading, shift in (("literal", -0.18), ("fitted", 0.18)):
        for row, (_, name, _) in enumerate(EVENTS):
            _marks(ax, row + shift, cases[f"competing-{reading}"].measured[name], reading)
    for row, (_, _, printed) in enumerate(EVENTS):
        ax.plot(printed, row, marker=REPORT.marker, color=REPORT.colour, linestyle="", label="in the report")
    ax.set_yticks(range(len(EVENTS)), [words for words, _, _ in EVENTS])
    ax.set_ylim(len(EVENTS) - 0.4, -0.6)
    ax.set_xlim(0, 60)
    ax.set_xlabel("round trip")
    legend(figure)
    return with_words(
        figure, "A line an event: the rounds in which it happens, larger for more runs, and the report's as a diamond."
    )


def _marks(ax: Axes, height: float, rounds: Array, reading: str) -> None:
    look = READINGS[reading]
    values, counts = np.unique(rounds[np.isfinite(rounds)], return_counts=True)
    ax.scatter(
        values, np.full(values.size, height), LARGEST * counts / rounds.size, color=look.colour, marker=look.marker,
        linewidths=0,
    )  # fmt: skip
    ax.plot([], [], color=look.colour, marker=look.marker, linestyle="", label=CALLED[reading])
