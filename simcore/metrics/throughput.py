"""Throughput: of an instant, since the start, of a whole run; and goodput."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import end_s, packet_bytes
from simcore.metrics.series import ewma, first_arrivals, of_run, per_flow, series
from simcore.results import journeys
from simcore.results.journeys import KBIT_PER_BYTE, arrivals


@of_run
def instant_throughput_kbps(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """A packet's bits over the time since the flow's previous packet arrived, smoothed as the studies do.

    The weight of the history in the moving average is 0.9.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival but the first. Unit: kb/s.
    """
    rows = arrivals(ds, flow)
    times = ds["packet_arrived_s"].values[rows]
    raw = KBIT_PER_BYTE * ds["packet_bytes"].values[rows][1:] / np.diff(times)
    return series(ewma(raw), times[1:], "packet", "instant_throughput_kbps", "instant throughput", "kb/s")


@of_run
def system_throughput_kbps(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """All bits received so far over the time since the flow's start.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: every arrival; NaN at the first of a capture made at the receiver. Unit: kb/s.
    """
    rows = arrivals(ds, flow)
    times = ds["packet_arrived_s"].values[rows]
    elapsed = times - float(ds["flow_start_s"].sel(flow=flow))
    bits = KBIT_PER_BYTE * np.cumsum(ds["packet_bytes"].values[rows])
    values = np.divide(bits, elapsed, out=np.full(len(rows), np.nan), where=elapsed > 0)
    return series(values, times, "packet", "system_throughput_kbps", "system throughput", "kb/s")


@of_run
def busy_until_s(ds: xr.Dataset) -> xr.DataArray:
    """When each flow was over: its stop, or the arrival of its last packet where that came later, in s.

    A queue goes on draining after the sources stop; without those moments a full link would seem overfull.
    """
    ends = journeys.busy_until_s(ds, end_s(ds))
    return per_flow(ds, ends, "busy_until_s", "end of the flow", "s")


@of_run
def throughput_kbps(ds: xr.Dataset) -> xr.DataArray:
    """Bits received over each flow's time, from its start until it was over, in kb/s."""
    rates = journeys.rates_kbps(ds, ds["received_bytes"].values, end_s(ds))
    return per_flow(ds, rates, "throughput_kbps", "throughput", "kb/s")


@of_run
def goodput_kbps(ds: xr.Dataset) -> xr.DataArray:
    """Throughput without repetition, in kb/s: a sequence number counts once, when it first arrives."""
    useful = np.array([_useful_bytes(ds, int(flow)) for flow in ds["flow"].values])
    rates = journeys.rates_kbps(ds, useful, end_s(ds))
    return per_flow(ds, rates, "goodput_kbps", "goodput (repeated packets excluded)", "kb/s")


def _useful_bytes(ds: xr.Dataset, flow: int) -> int:
    rows = first_arrivals(ds, flow)
    return int(ds["packet_bytes"].values[rows].sum())


@of_run
def kilobytes(ds: xr.Dataset) -> xr.DataArray:
    """What the studies print as "KB sent": the bytes that each flow received, in KiB. Any run will do."""
    return per_flow(ds, ds["received_bytes"].values / 1024, "kilobytes", "received", "KiB")


@of_run
def payload_kb(ds: xr.Dataset, flow: int) -> float:
    """What the application got of one flow, in KiB (1024 bytes): no headers, no SYN, nothing twice."""
    if ds["flow_kind"].sel(flow=flow) == "udp":
        return _useful_bytes(ds, flow) / 1024
    rows = first_arrivals(ds, flow)
    return int((ds["packet_seq"].values[rows] > 0).sum()) * packet_bytes(ds, flow) / 1024
