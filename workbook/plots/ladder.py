"""A ladder of packets: time runs downwards between the sender on the left and the receiver on the right."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from simcore import metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed

TITLE = "Packet by packet: what leaves, what is lost, what comes back"
LOST_AT = 0.35  # of the way, where the queue is
LABELS_APART = 0.022  # of the height


def ladder(run: Run, flow: int, start_s: float, end_s: float, ax: Axes | None = None) -> Axes:
    """Every packet and ACK of a flow under way between two times, in s: a line from its sender to its receiver.

    A dropped packet's line ends in a cross. What the sender does without an ACK's permission, a fast retransmit and a
    timeout, is marked at its side.
    """
    ds = dataset_of(run)
    if ax is None:
        figure = framed(TITLE, f"{ds.attrs['title']}, {style.name(ds, flow)}", plt.figure())
        figure.set_size_inches(style.WIDTH_PX / style.DPI, 7.6)
        ax = figure.add_axes((0.2, 0.05, 0.6, 0.81))
    drops = _draw_packets(ds, ax, flow, start_s, end_s)
    _draw_acks(ds, ax, flow, start_s, end_s)
    for cause, words in (("fast_retransmit", "fast retransmit"), ("timeout", "timeout")):
        for time in metrics.times_of(ds, flow, cause):
            if start_s <= time <= end_s:
                look = style.MARKS[cause]
                ax.plot(-0.02, time, marker=look.marker, color=look.colour, markersize=8, clip_on=False)
                ax.text(-0.05, time, f"{words}, {time:.3f} s", ha="right", va="center", color=look.colour, fontsize=8.5)
    ax.set(xlim=(0, 1), ylim=(end_s, start_s), xticks=[0, 1], ylabel="")
    ax.set_xticklabels(["sender", "receiver"], fontweight="bold")
    ax.xaxis.tick_top()
    ax.tick_params(axis="y", left=False, labelleft=False)
    ax.grid(visible=False, axis="x")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.005), ncols=4)
    caption = (
        "Time runs downwards. A packet goes from left to right, an ACK from right to left; a cross: the queue was full."
    )
    return describe(ax, caption, f"{TITLE}: {drops} packets dropped between {start_s:g} and {end_s:g} s.", TITLE)


def _draw_packets(ds: xr.Dataset, ax: Axes, flow: int, start_s: float, end_s: float) -> int:
    """Draw the data packets; return how many were dropped."""
    rows = _between(ds, "packet", flow, start_s, end_s)
    sent, came, numbers = (ds[f"packet_{name}"].values[rows] for name in ("sent_s", "arrived_s", "seq"))
    lost, again = ds["packet_dropped"].values[rows], ds["packet_retransmission"].values[rows]
    way = float(np.nanmin(came - sent))
    for chosen, colour, words in (
        (~lost & ~again, style.look(ds, flow).colour, "packet"),
        (~lost & again, style.MARKS["retransmission"].colour, "sent again"),
    ):
        _lines(ax, np.zeros(chosen.sum()), sent[chosen], np.ones(chosen.sum()), came[chosen], colour, words)
    ends = sent + LOST_AT * way
    _lines(
        ax, np.zeros(lost.sum()), sent[lost], np.full(lost.sum(), LOST_AT), ends[lost], style.MARKS["drop"].colour, ""
    )
    ax.plot(
        np.full(lost.sum(), LOST_AT), ends[lost], "x", color=style.MARKS["drop"].colour, markersize=7, label="dropped"
    )
    _number(ax, -0.012, sent[lost], numbers[lost], end_s - start_s)
    return int(lost.sum())


def _draw_acks(ds: xr.Dataset, ax: Axes, flow: int, start_s: float, end_s: float) -> None:
    rows = _between(ds, "ack", flow, start_s, end_s)
    sent, came, numbers = (ds[f"ack_{name}"].values[rows] for name in ("sent_s", "arrived_s", "number"))
    _lines(ax, np.ones(len(rows)), sent, np.zeros(len(rows)), came, style.MARKS["ack"].colour, "ACK")
    repeated = np.flatnonzero(np.diff(numbers, prepend=-1) == 0)
    for first, last in _stretches(repeated):
        ax.text(1.015, (sent[first] + sent[last]) / 2, f"{last - first + 1} duplicate ACKs of {numbers[first]}",
                va="center", fontsize=8.5, color=style.QUIET)  # fmt: skip


def _between(ds: xr.Dataset, what: str, flow: int, start_s: float, end_s: float) -> Array:
    times = ds[f"{what}_sent_s"].values
    return np.flatnonzero((ds[f"{what}_flow"].values == flow) & (times >= start_s) & (times <= end_s))


def _lines(ax: Axes, x0: Array, y0: Array, x1: Array, y1: Array, colour: str, label: str) -> None:
    segments = np.stack([np.stack([x0, y0], axis=1), np.stack([x1, y1], axis=1)], axis=1)
    ax.add_collection(LineCollection(list(segments), colors=colour, linewidths=0.9, label=label or "_"))


def _number(ax: Axes, x: float, times: Array, numbers: Array, height_s: float) -> None:
    """Name packets at the sender's side, as far as there is room."""
    last = -np.inf
    for time, number in zip(times, numbers, strict=True):
        if time - last > LABELS_APART * height_s:
            ax.text(x, time, str(number), ha="right", va="center", fontsize=7.5, color=style.QUIET)
            last = time


def _stretches(places: Array) -> list[tuple[int, int]]:
    """The first and the last of each unbroken stretch of numbers."""
    if places.size == 0:
        return []
    cuts = [-1, *np.flatnonzero(np.diff(places) > 1).tolist(), places.size - 1]
    return [(int(places[i + 1]), int(places[j])) for i, j in pairwise(cuts)]
