"""The report's four windows of each sender: of one run, and of all seeds."""

from collections.abc import Callable
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore.rounds import RoundsScenario
from workbook import style
from workbook.plots.frame import framed, legend, stack, tag
from workbook.rounds.looks import CALLED, SENDERS
from workbook.rounds.runs import Runs
from workbook.rounds.track import WINDOWS, Array

NAMES: Final = dict(zip(WINDOWS, ("cwnd", "effective\nwindow", "flight size", "ssthresh"), strict=True))
TALL: Final = 6.6  # inches, for four rows
Draw = Callable[[Axes, Array, style.Look], None]  # a window's values in segments: a row a seed
HEADROOM: Final = 1.12


def run_figure(runs: Runs, title: str, rounds: int | None = None) -> Figure:
    """One run, all its rounds or the first ones: then with the middle nine tenths of all runs behind it."""
    about = f"The windows of one run (seed {runs.seeds[0]}) in segments; {CALLED[runs.scenario.reading]}"
    figure = _figure(title, about, runs, _line_before_band if rounds else _line, rounds)
    legend(figure)
    return figure


def spread_figure(runs: Runs, title: str) -> Figure:
    """Median and bands of all runs, round by round."""
    about = f"The windows of {len(runs.seeds)} runs in segments; {CALLED[runs.scenario.reading]}"
    figure = _figure(title, about, runs, _bands, None)
    legend(figure)
    return figure


def _figure(heading: str, about: str, runs: Runs, draw: Draw, rounds: int | None) -> Figure:
    figure = framed(heading, about)
    figure.set_size_inches(style.WIDTH_PX / style.DPI, TALL)
    shown = slice(0, rounds)
    senders = runs.scenario.senders
    rows = stack(figure, len(WINDOWS), len(senders), "round trips", "")
    for name, row in zip(WINDOWS, rows, strict=True):
        for sender, ax in enumerate(row):
            values = runs.windows[name][:, sender, shown] / runs.scenario.mss_bytes
            draw(ax, values, SENDERS[sender])
            _frame(ax, runs, sender, shown)
        row[0].set_ylabel(NAMES[name])
    for sender, ax in enumerate(rows[0]):
        tag(ax, f"sender {sender + 1}", SENDERS[sender].colour)
    for ax in rows[-1]:
        ax.text(0.98, 0.88, "begins at 65535 bytes", transform=ax.transAxes, ha="right", va="top", color=style.QUIET)
    return figure


def _frame(ax: Axes, runs: Runs, sender: int, shown: slice) -> None:
    """Shade the pause, and leave ssthresh's first value out: it is four times as high as everything else."""
    _shade_pause(ax, runs.scenario, sender)
    of_windows = [runs.windows[window][..., shown] for window in WINDOWS[:3]]
    ax.set_ylim(0, HEADROOM * max(float(each.max()) for each in of_windows) / runs.scenario.mss_bytes)
    ax.set_xlim(0, runs.shown.sizes["round"] if shown.stop is None else shown.stop)


def _shade_pause(ax: Axes, scenario: RoundsScenario, sender: int) -> None:
    idle = scenario.senders[sender].idle
    if idle:
        words = {"dropped": "connection dropped", "kept_alive": "kept alive with single bytes"}[idle.connection]
        ax.axvspan(idle.first_round, idle.last_round + 1, color=style.PALE, linewidth=0, label=words)


def _line(ax: Axes, values: Array, look: style.Look) -> None:
    ax.plot(values[0], color=look.colour, linewidth=0.9, drawstyle="steps-post")


def _line_before_band(ax: Axes, values: Array, look: style.Look) -> None:
    _band(ax, values, (0.05, 0.95), 0.25, "nine tenths of all runs", look)
    _line(ax, values, look)


def _bands(ax: Axes, values: Array, look: style.Look) -> None:
    _band(ax, values, (0.05, 0.95), 0.2, "nine tenths of the runs", look)
    _band(ax, values, (0.25, 0.75), 0.35, "half of them", look)
    ax.plot(np.median(values, axis=0), color="black", linewidth=0.7, drawstyle="steps-post", label="median")


def _band(ax: Axes, values: Array, ends: tuple[float, float], alpha: float, label: str, look: style.Look) -> None:
    low, high = np.quantile(values, ends, axis=0)
    rounds = np.arange(values.shape[1])
    ax.fill_between(rounds, low, high, step="post", color=look.colour, alpha=alpha, linewidth=0, label=label)
