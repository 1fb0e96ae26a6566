"""What a reader sees happen in a run: losses that come in bursts, silences, swings."""

from typing import NamedTuple

import numpy as np
import xarray as xr

from simcore.metrics.losses import drop_times_s
from simcore.metrics.series import Array, of_run
from simcore.metrics.throughput import instant_throughput_kbps, system_throughput_kbps
from simcore.results.journeys import arrivals

BURST_GAP_S = 0.1  # drops further apart belong to different bursts: a round trip through a full buffer of 20
GRID_S = 0.01


class Gap(NamedTuple):
    """A silence between two successive arrivals of a flow, in s."""

    length_s: float
    from_s: float
    until_s: float


@of_run
def longest_gap(ds: xr.Dataset, flow: int) -> Gap | None:
    """The longest time without an arrival between a flow's first arrival and its stop; None with fewer than two.

    Returns
    -------
    Gap or None
        Its length, begin and end, in s.
    """
    times = ds["packet_arrived_s"].values[arrivals(ds, flow)]
    times = times[times <= float(ds["flow_stop_s"].sel(flow=flow))]
    if times.size < 2:
        return None
    longest = int(np.diff(times).argmax())
    return Gap(float(times[longest + 1] - times[longest]), float(times[longest]), float(times[longest + 1]))


@of_run
def loss_bursts(ds: xr.Dataset, flow: int, start_s: float, end_s: float) -> int:
    """How many bursts of drops a flow suffered in a span: drops no more than `BURST_GAP_S` (0.1 s) apart are one."""
    drops = drop_times_s(ds, flow)
    drops = drops[(drops >= start_s) & (drops < end_s)]
    return int((np.diff(drops) > BURST_GAP_S).sum()) + 1 if drops.size else 0


@of_run
def system_trough_kbps(ds: xr.Dataset, flow: int) -> float | None:
    """The lowest system throughput after a flow's first drop, in kb/s; None if nothing was dropped."""
    drops, series = drop_times_s(ds, flow), system_throughput_kbps(ds, flow)
    after = series.values[series["time_s"].values > drops[0]] if drops.size else drops
    return float(after.min()) if after.size else None


@of_run
def mean_crossings_per_s(ds: xr.Dataset, flow: int, start_s: float, end_s: float) -> float | None:
    """How often a second the instant throughput crosses its own mean, in 1/s: how dense its swings are.

    None if nothing arrived in the span, or it has no length.
    """
    values = _between(instant_throughput_kbps(ds, flow), start_s, end_s)
    if values.size == 0 or end_s <= start_s:
        return None
    above = values > values.mean()
    return int((above[1:] != above[:-1]).sum()) / (end_s - start_s)


@of_run
def instant_correlation(ds: xr.Dataset, start_s: float, end_s: float) -> float | None:
    """Correlation of two flows' instant throughputs on a common grid of 10 ms: Pearson's coefficient, -1 to 1.

    None unless the run has two flows, each with two values of its throughput, and the span has a length.
    """
    if ds.sizes["flow"] != 2 or end_s <= start_s:
        return None
    grid = np.arange(start_s, end_s, GRID_S)
    one, other = (instant_throughput_kbps(ds, int(flow)) for flow in ds["flow"].values)
    if min(one.size, other.size) < 2:
        return None
    on_grid = [np.interp(grid, series["time_s"].values, series.values) for series in (one, other)]
    return float(np.corrcoef(*on_grid)[0, 1])


def _between(series: xr.DataArray, start_s: float, end_s: float) -> Array:
    first, last = np.searchsorted(series["time_s"].values, [start_s, end_s])
    values: Array = series.values[first:last]
    return values
