"""Delays of packets: one packet's own, what a lost packet's data waited, and jitter."""

import numpy as np
import xarray as xr

from simcore.metrics.series import of_run, offered, series
from simcore.results.journeys import arrivals, latencies_ms


@of_run
def latency_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Time from a packet's sending until the same packet's arrival.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival. Unit: ms.
    """
    received = ds["packet_arrived_s"].values[arrivals(ds, flow)]
    return series(latencies_ms(ds, flow), received, "packet", "latency_ms", "latency", "ms")


@of_run
def jitter_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Difference between the latencies of successive arrivals; negative if it took less time than the one before.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival but the first. Unit: ms.
    """
    latency = latency_ms(ds, flow)
    times = latency["time_s"].values[1:]
    return series(np.diff(latency.values), times, "packet", "jitter_ms", "jitter", "ms")


@of_run
def jitter_abs_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """The size of the jitter, regardless of sign.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival but the first. Unit: ms.

    References
    ----------
    RFC 3550, section 6.4.1, calls the running mean of this "jitter".
    """
    jitter = jitter_ms(ds, flow)
    return series(np.abs(jitter.values), jitter["time_s"].values, "packet", "jitter_abs_ms", "size of the jitter", "ms")


@of_run
def delivery_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Time from the first sending of a sequence number until an arrival of it, recovery included.

    Equal to the latency until something is lost. The studies' latency graphs contain it: "packets lost and recovery
    after almost 1.4 seconds".

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival. Unit: ms.
    """
    seq, sent = ds["packet_seq"].values, ds["packet_sent_s"].values
    everything, rows = offered(ds, flow), arrivals(ds, flow)
    numbers, first = np.unique(seq[everything], return_index=True)
    first_sent = sent[everything][first][np.searchsorted(numbers, seq[rows])]
    received = ds["packet_arrived_s"].values[rows]
    name = "delay from first sending to arrival"
    return series(1e3 * (received - first_sent), received, "packet", "delivery_ms", name, "ms")
