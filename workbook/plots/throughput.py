"""How fast the flows receive: from packet to packet, and since their start."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from simcore.metrics.series import Array
from workbook.plots import style
from workbook.plots.marks import mark_drops, span

SILENCE_S = 0.3  # longer than any round trip here: a pause in which nothing arrived
POINTS_IN_SILENCE = 12


def instant_throughput(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """One flow's smoothed instant throughput, with the drops as crosses on the floor."""
    series = metrics.instant_throughput_kbps(ds, flow)
    look = style.look(ds, flow)
    times, values = series["time_s"].values, series.values
    pauses = np.flatnonzero(np.diff(times) > SILENCE_S)
    ax.plot(*_broken(times, values, pauses), color=look.colour, linewidth=0.9, label="smoothed")
    if pauses.size:
        ends = np.stack([pauses, pauses + 1], axis=1).ravel()
        ax.plot(
            *_broken(times[ends], values[ends], np.arange(1, ends.size, 2)), color=look.colour, linewidth=0.9,
            linestyle=":", label=f"nothing arrived for {SILENCE_S:g} s or more",
        )  # fmt: skip
    _up_to(ax, 1e3 * metrics.rate_mbps(ds))
    span(ds, ax)
    mark_drops(ds, ax, flow)


def _broken(times: Array, values: Array, after: Array) -> tuple[Array, Array]:
    """The line, interrupted behind the given points."""
    return np.insert(times, after + 1, np.nan), np.insert(values, after + 1, np.nan)


def system_throughput(ds: xr.Dataset, ax: Axes) -> None:
    """What each flow got on average since its start, and the rate of the link they share."""
    for flow in ds["flow"].values:
        series = metrics.system_throughput_kbps(ds, int(flow))
        look = style.look(ds, int(flow))
        times, values = _with_silences(series, float(ds["flow_start_s"].sel(flow=flow)))
        step = max(1, times.size // 14)
        ax.plot(
            times, values, color=look.colour, linestyle=look.linestyle, linewidth=1.6,
            marker=look.marker, markersize=5, markevery=(step // 2, step), label=style.name(ds, int(flow)),
        )  # fmt: skip
    rate_kbps = 1e3 * metrics.rate_mbps(ds)
    limit = style.MARKS["limit"]
    if rate_kbps == rate_kbps:
        ax.axhline(rate_kbps, color=limit.colour, linestyle=limit.linestyle, label="the link's rate")
    _up_to(ax, rate_kbps)
    span(ds, ax)


def _up_to(ax: Axes, rate_kbps: float) -> None:
    """An axis from nothing to a little above the link's rate, or above the data where nobody knows it."""
    ax.set_ylim(0, None if rate_kbps != rate_kbps else 1.06 * rate_kbps)


def _with_silences(series: xr.DataArray, start_s: float) -> tuple[Array, Array]:
    """The series, and in every pause what is left of the last value: nothing comes, time goes on, it falls as 1 / t."""
    times, values = series["time_s"].values, series.values
    pauses = np.flatnonzero(np.diff(times) > SILENCE_S)
    parts = np.linspace(0, 1, POINTS_IN_SILENCE + 1)[1:]
    within = times[pauses, None] + np.diff(times)[pauses, None] * parts
    fallen = (values * (times - start_s))[pauses, None] / (within - start_s)
    after = np.repeat(pauses + 1, POINTS_IN_SILENCE)
    return np.insert(times, after, within.ravel()), np.insert(values, after, fallen.ravel())
