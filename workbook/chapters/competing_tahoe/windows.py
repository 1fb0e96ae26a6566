"""The report's four windows of each sender: of one run, and of all seeds."""

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore.rounds import RoundsScenario
from workbook.chapters.competing_tahoe.looks import CALLED, SENDERS
from workbook.chapters.competing_tahoe.runs import Runs
from workbook.chapters.competing_tahoe.track import WINDOWS, Array
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import BOTTOM, LEFT, TOP, framed, legend, stack, tag

NAMES: Final = dict(zip(WINDOWS, ("cwnd", "effective\nwindow", "flight size", "ssthresh"), strict=True))
TALL: Final = 6.6  # inches, for four rows
Draw = Callable[[Axes, Array, style.Look], None]  # a window's values in segments: a row a seed
HEADROOM: Final = 1.12
STEP: Final = 2  # segments to a colour: a PNG keeps few colours, and a smooth scale would lose some


def run_figure(runs: Runs, title: str, rounds: int | None = None) -> Figure:
    """One run, all its rounds or the first ones: then with the middle nine tenths of all runs behind it."""
    about = f"{title}: the windows of one run (seed {runs.seeds[0]}) in segments; {CALLED[runs.scenario.reading]}"
    finding = _finding(runs, rounds)
    figure = _figure(finding, about, runs, _line_before_band if rounds else _line, rounds)
    legend(figure)
    caption = "The first rounds, magnified." if rounds else "The windows of each sender in one run."
    return describe(figure, caption, f"{about}. {finding}.", finding)


def _finding(runs: Runs, rounds: int | None) -> str:
    """What the figure shows, in numbers: the windows' heights, or how far two runs go the same way."""
    cwnd = runs.windows["cwnd"] / runs.scenario.mss_bytes
    if rounds:
        return f"All {len(runs.seeds)} runs are alike until round {_alike_until(cwnd)}; then chance decides"
    heights = [f"{cwnd[0, sender].max():.1f}" for sender in range(cwnd.shape[1])]
    who = "One sender climbs" if len(heights) == 1 else "The two senders climb"
    return f"{who} to {' and '.join(heights)} segments, and fall to one"


def _alike_until(cwnd: Array) -> int:
    """The first round in which not all runs have the same windows."""
    differ = np.flatnonzero(np.ptp(cwnd, axis=0).max(axis=0) > 0)
    return int(differ[0]) if differ.size else cwnd.shape[2]


def spread_figure(runs: Runs, title: str) -> Figure:
    """Every run's congestion window, a line a run: a median of saw tooths out of step is a path that no run takes."""
    cwnd = runs.windows["cwnd"] / runs.scenario.mss_bytes
    finding = f"Until round {_alike_until(cwnd)} all runs are alike; then they differ"
    about = f"{title}: congestion windows of {len(runs.seeds)} runs, a line each; {CALLED[runs.scenario.reading]}"
    figure = framed(finding, about)
    rows = stack(figure, cwnd.shape[1], 1, "round trips", "run")
    steps = math.ceil(cwnd.max() / STEP)
    colours = sns.color_palette("viridis", steps)
    bar = figure.add_axes((0.93, BOTTOM, 0.012, TOP - BOTTOM))
    for sender, [ax] in enumerate(rows):
        table = pd.DataFrame(cwnd[:, sender], index=list(runs.seeds))
        sns.heatmap(table, cmap=colours, vmin=0, vmax=STEP * steps, ax=ax, cbar_ax=bar, rasterized=True,
                    xticklabels=50, yticklabels=50)  # fmt: skip
        ax.tick_params(axis="y", labelrotation=0)
        ax.set_position((LEFT, ax.get_position().y0, 0.915 - LEFT, ax.get_position().height))
        tag(ax, f"sender {sender + 1}", SENDERS[sender].colour)
    bar.set_title("cwnd in\nsegments", fontsize=8.5)
    return describe(figure, "The congestion windows of all runs, a line a run.", f"{about}. {finding}.", finding)


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


def _band(ax: Axes, values: Array, ends: tuple[float, float], alpha: float, label: str, look: style.Look) -> None:
    low, high = np.quantile(values, ends, axis=0)
    rounds = np.arange(values.shape[1])
    ax.fill_between(rounds, low, high, step="post", color=look.colour, alpha=alpha, linewidth=0, label=label)
