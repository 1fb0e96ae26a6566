"""Bandwidth in bins: what arrives in each of equal spans of time."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import end_s
from simcore.metrics.series import Array, of_run, series
from simcore.results.journeys import KBIT_PER_BYTE


@of_run
def bandwidth_kbps(ds: xr.Dataset, flow: int, bin_s: float) -> xr.DataArray:
    """Bits that reach a flow's receiver in each of equal bins, over the bin's length.

    As an ns-2 script that asks the sinks every `bin_s` seconds: a TCP sink counts a packet when all before it are
    there, once, so that a hole that is filled makes a jump.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.
    bin_s : float
        Length of a bin, in s.

    Returns
    -------
    xarray.DataArray
        Dimension `bin`: the bins from t = 0 on, without a last one that the run's end cuts short; coordinate
        `time_s` in s, the start of the bin. Unit: kb/s.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    times, sizes = _delivered(ds, flow)
    count = int(np.floor(end_s(ds) / bin_s + 1e-9))
    starts = bin_s * np.arange(count)
    places = np.floor(times / bin_s + 1e-9).astype(np.int64)
    there = places < count
    bits = np.bincount(places[there], KBIT_PER_BYTE * sizes[there], minlength=count)
    return series(bits / bin_s, starts, "bin", "bandwidth_kbps", f"bandwidth in bins of {bin_s:g} s", "kb/s")


def _delivered(ds: xr.Dataset, flow: int) -> tuple[Array, Array]:
    """When each packet's data was delivered, and its bytes."""
    own = (ds["packet_flow"].values == flow) & ~np.isnan(ds["packet_arrived_s"].values)
    times, numbers = ds["packet_arrived_s"].values[own], ds["packet_seq"].values[own]
    sizes = ds["packet_bytes"].values[own]
    order = np.argsort(times, kind="stable")
    times, numbers, sizes = times[order], numbers[order], sizes[order]
    if str(ds["flow_kind"].sel(flow=flow).item()) == "udp":
        return times, sizes
    _, first = np.unique(numbers, return_index=True)  # the first arrival of each number, in the numbers' order
    return np.maximum.accumulate(times[first]), sizes[first]
