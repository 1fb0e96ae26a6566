"""A run on one time axis: the windows, what of UDP is delayed, the queue, and what happened to all of them at once."""

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of
from workbook.plots import style
from workbook.plots.catalogue import cwnd, latency, queue_total
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, tag

TITLE = "Anatomy of a run: what happens to all of them at the same time"
TOGETHER_S = 0.1  # drops of two flows no further apart belong to one overflow of the buffer
WIDE = 13.0  # inches: ten seconds of saw teeth
SILENCE_S = 0.5  # a pause that long is a timeout's


def anatomy(run: Run, start_s: float = 0.0, end_s: float | None = None) -> list[Axes]:
    """The window of each TCP flow (of UDP the latency), and the queue below, between two times (in s).

    Where several flows lose packets together is a line through all panels; where a TCP flow is silent until its
    timer expires is shaded.
    """
    ds = dataset_of(run)
    flows = [int(flow) for flow in ds["flow"].values]
    figure = framed(TITLE, str(ds.attrs["title"]), plt.figure())
    figure.set_size_inches(WIDE, 6.4)
    axes = list(figure.subplots(len(flows) + 1, 1, sharex=True, height_ratios=[*[1] * len(flows), 0.8]))
    figure.subplots_adjust(left=0.075, right=0.985, bottom=0.075, top=0.8, hspace=0.24)
    for ax, flow in zip(axes, flows, strict=False):
        (cwnd if flow in cwnd.flows(ds) else latency)(ds, ax, flow)
        tag(ax, style.name(ds, flow), style.look(ds, flow).colour)
        _shade_silence(ax, *_silence(ds, flow))
    queue_total(ds, axes[-1])
    tag(axes[-1], "the queue they share", style.MARKS["total"].colour)
    together = _together([metrics.drop_times_s(ds, flow) for flow in flows])
    for ax in axes:
        for moment in together:
            ax.axvline(moment, color=style.QUIET, linewidth=0.7, linestyle=(0, (1, 2)), label="all lose together")
    axes[-1].set(xlabel="time in s", xlim=(start_s, metrics.end_s(ds) if end_s is None else end_s))
    legend(figure, lines=2)
    caption = (
        "Windows, queue and drops on one time axis. Dotted: all lose packets within 0.1 s. Shaded: nothing arrives."
    )
    silences = "; ".join(
        f"{style.name(ds, flow)} {gap[1] - gap[0]:.2f} s" for flow in flows if (gap := _silence(ds, flow))
    )
    return list(
        describe(axes, caption, f"{TITLE}. All flows lose together {len(together)} times. Silences: {silences}.")
    )


def _silence(ds: xr.Dataset, flow: int) -> tuple[float, float] | tuple[()]:
    """From when until when the flow's longest silence lasts, if it is a timeout's."""
    gap = metrics.longest_gap(ds, flow)
    return (gap.from_s, gap.until_s) if gap and gap.length_s > SILENCE_S else ()


def _shade_silence(ax: Axes, *ends: float) -> None:
    if not ends:
        return
    ax.axvspan(*ends, color=style.MARKS["timeout"].colour, alpha=0.1, linewidth=0, label="nothing arrives")
    ax.annotate(
        f"{ends[1] - ends[0]:.2f} s until the timer has expired and the hole is filled", (ends[0], 0.88), (6, 0),
        xycoords=ax.get_xaxis_transform(), textcoords="offset points", fontsize=8.5,
        color=style.MARKS["timeout"].colour,
    )  # fmt: skip


def _together(drops: list[Array]) -> list[float]:
    """The first drop of every overflow in which each flow lost something."""
    if len(drops) < 2 or not all(times.size for times in drops):
        return []
    first, *others = drops
    shared = [time for time in first if all(np.abs(other - time).min() < TOGETHER_S for other in others)]
    return [float(time) for i, time in enumerate(shared) if i == 0 or time - shared[i - 1] > TOGETHER_S]
