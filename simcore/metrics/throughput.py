"""Throughput: of an instant, since the start, of a whole run; and goodput."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import end_s, packet_bytes
from simcore.metrics.series import ewma, of_run, per_flow, series
from simcore.results import journeys
from simcore.results.journeys import KBIT_PER_BYTE, arrivals


@of_run
def instant_throughput_kbps(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """A packet's bits over the time since the flow's previous packet arrived, smoothed.

    The studies' definition. The weight of the history in the moving average is 0.9.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: one value for each arrival but the first, which has no predecessor; coordinate `time_s`
        in s. Unit: kb/s.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    rows = arrivals(ds, flow)
    times = ds["packet_arrived_s"].values[rows]
    raw = KBIT_PER_BYTE * ds["packet_bytes"].values[rows][1:] / np.diff(times)
    return series(ewma(raw), times[1:], "packet", "instant_throughput_kbps", "instant throughput", "kb/s")


@of_run
def system_throughput_kbps(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """All bits received so far over the time since the flow's start.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: one value for each packet that arrived, in the order of arrival; coordinate `time_s` in
        s; NaN at the first of a capture at the receiver, which starts there. Unit: kb/s.

    Raises
    ------
    KeyError
        If packets were not recorded.
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
    """Bits received over the flow's time, from its start until it was over.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).

    Returns
    -------
    xarray.DataArray
        Dimension `flow`. Unit: kb/s.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    rates = journeys.rates_kbps(ds, ds["received_bytes"].values, end_s(ds))
    return per_flow(ds, rates, "throughput_kbps", "throughput", "kb/s")


@of_run
def goodput_kbps(ds: xr.Dataset) -> xr.DataArray:
    """Throughput without repetition: a sequence number counts once, when it first arrives.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).

    Returns
    -------
    xarray.DataArray
        Dimension `flow`. Unit: kb/s.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    useful = np.array([_first_copies_bytes(ds, int(flow)) for flow in ds["flow"].values])
    rates = journeys.rates_kbps(ds, useful, end_s(ds))
    return per_flow(ds, rates, "goodput_kbps", "goodput (repeated packets excluded)", "kb/s")


def _first_copies_bytes(ds: xr.Dataset, flow: int) -> int:
    rows = arrivals(ds, flow)
    _, first = np.unique(ds["packet_seq"].values[rows], return_index=True)
    return int(ds["packet_bytes"].values[rows][first].sum())


@of_run
def kilobytes(ds: xr.Dataset) -> xr.DataArray:
    """What the studies print as "KB sent": the bytes received, in units of 1024.

    Parameters
    ----------
    ds : xarray.Dataset
        A run; its totals suffice.

    Returns
    -------
    xarray.DataArray
        Dimension `flow`. Unit: KiB.
    """
    return per_flow(ds, ds["received_bytes"].values / 1024, "kilobytes", "received", "KiB")


@of_run
def payload_kb(ds: xr.Dataset, flow: int) -> float:
    """What the application got of one flow: no headers, no SYN, nothing twice.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.

    Returns
    -------
    float
        Unit: KiB, 1024 bytes.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    if ds["flow_kind"].sel(flow=flow) == "udp":
        return _first_copies_bytes(ds, flow) / 1024
    rows = arrivals(ds, flow)
    segments = np.unique(ds["packet_seq"].values[rows])
    return int((segments > 0).sum()) * packet_bytes(ds, flow) / 1024
