"""Delays of packets: one packet's own, what a lost packet's data waited, and jitter."""

import numpy as np
import xarray as xr

from simcore.metrics.series import arrivals, offered, series


def latency_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Time from a packet's sending until the same packet's arrival, in ms."""
    rows = arrivals(ds, flow)
    received = ds["packet_arrived_s"].values[rows]
    values = 1e3 * (received - ds["packet_sent_s"].values[rows])
    return series(values, received, "packet", "latency_ms", "latency", "ms")


def jitter_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Difference between the latencies of successive arrivals of a flow, in ms; negative: faster than the last."""
    latency = latency_ms(ds, flow)
    times = latency["time_s"].values[1:]
    return series(np.diff(latency.values), times, "packet", "jitter_ms", "jitter", "ms")


def jitter_abs_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """The jitter's size, whose running mean RFC 3550, section 6.4.1, calls jitter, in ms."""
    jitter = jitter_ms(ds, flow)
    return series(np.abs(jitter.values), jitter["time_s"].values, "packet", "jitter_abs_ms", "size of the jitter", "ms")


def delivery_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Time from the *first* sending of a sequence number until an arrival of it, recovery included, in ms.

    Equal to the latency until something is lost. The studies' latency graphs contain it: "packets lost and
    recovery after almost 1.4 seconds".
    """
    seq, sent = ds["packet_seq"].values, ds["packet_sent_s"].values
    everything, rows = offered(ds, flow), arrivals(ds, flow)
    numbers, first = np.unique(seq[everything], return_index=True)
    first_sent = sent[everything][first][np.searchsorted(numbers, seq[rows])]
    received = ds["packet_arrived_s"].values[rows]
    name = "delay from first sending to arrival"
    return series(1e3 * (received - first_sent), received, "packet", "delivery_ms", name, "ms")
