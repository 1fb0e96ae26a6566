"""The sender's window, and why it changed."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from simcore import metrics
from workbook.plots import style
from workbook.plots.frame import note
from workbook.plots.marks import mark_drops, span

REACTIONS = {"fast_retransmit": "fast retransmit", "timeout": "timeout", "congestion_echo": "echoed mark"}


def cwnd(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """cwnd and ssthresh as steps, slow start shaded, the reactions to losses and marks shown where cwnd fell from."""
    steps = metrics.window(ds, flow)
    look, threshold, limit = style.look(ds, flow), style.MARKS["ssthresh"], style.MARKS["limit"]
    _shade_slow_start(ds, ax, steps)
    ax.plot(steps["time_s"], steps["cwnd"], color=look.colour, drawstyle="steps-post", label="cwnd")
    ax.plot(
        steps["time_s"], steps["ssthresh"], color=threshold.colour, linestyle=threshold.linestyle,
        drawstyle="steps-post", label="ssthresh",
    )  # fmt: skip
    window = metrics.window_packets(ds, flow)
    ax.axhline(window, color=limit.colour, linestyle=limit.linestyle, label=f"receiver's window: {window}")
    for cause, words in REACTIONS.items():
        _mark_reactions(ax, steps, cause, words)
    ax.set_ylim(0, 1.12 * max(float(steps["cwnd"].max()), window))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    span(ds, ax)
    mark_drops(ds, ax, flow)


def flight_size(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """The flight size as steps, with the drops."""
    steps = metrics.flight_size_packets(ds, flow)
    ax.plot(steps["time_s"], steps, color=style.look(ds, flow).colour, drawstyle="steps-post", label="flight size")
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    span(ds, ax)
    mark_drops(ds, ax, flow)


def _mark_reactions(ax: Axes, steps: xr.Dataset, cause: str, words: str) -> None:
    rows = np.flatnonzero(steps["cause"].values == cause)
    if rows.size == 0:
        return
    look = style.MARKS[cause]
    ax.plot(
        steps["time_s"].values[rows], steps["cwnd"].values[rows - 1], linestyle="", marker=look.marker,
        color=look.colour, markeredgecolor="white", markeredgewidth=0.5, markersize=7, label=words,
    )  # fmt: skip
    note(ax, f"{rows.size} {words}{'s' if rows.size > 1 else ''}")


def _shade_slow_start(ds: xr.Dataset, ax: Axes, steps: xr.Dataset) -> None:
    """cwnd below ssthresh: the next ACK adds a whole packet; from ssthresh on, 1/cwnd (congestion avoidance)."""
    slow = steps["cwnd"].values < steps["ssthresh"].values
    times = np.append(steps["time_s"].values, metrics.end_s(ds))
    ax.fill_between(
        times, 0, 1, where=np.append(slow, slow[-1]), step="post", transform=ax.get_xaxis_transform(),
        color=style.PALE, linewidth=0, label="slow start",
    )  # fmt: skip
