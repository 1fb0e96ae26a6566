"""Bandwidth in bins: what arrives in each of equal spans of time."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import end_s
from simcore.metrics.series import Array, first_arrivals, of_run, series
from simcore.results.journeys import KBIT_PER_BYTE, arrivals


@of_run
def bandwidth_kbps(ds: xr.Dataset, flow: int, bin_s: float) -> xr.DataArray:
    """Bits that reach a flow's receiver in each of equal bins, over the bin's length.

    As an ns-2 script that asks the sinks every `bin_s` seconds: a TCP sink counts a packet when all before it are
    there, once, so that a hole that is filled makes a jump.

    Parameters
    ----------
    bin_s : float
        Length of a bin, in s.

    Returns
    -------
    xarray.DataArray
        Dimension `bin`: the bins from t = 0 on, without a last one that the run's end cuts short; their times are
        their starts. Unit: kb/s.
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
    is_udp = str(ds["flow_kind"].sel(flow=flow).item()) == "udp"
    rows = arrivals(ds, flow) if is_udp else first_arrivals(ds, flow)
    times, sizes = ds["packet_arrived_s"].values[rows], ds["packet_bytes"].values[rows]
    return (times if is_udp else np.maximum.accumulate(times)), sizes
