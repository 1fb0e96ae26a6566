"""How many packets wait at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array, ewma, of_run, series
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, FORWARD
from simcore.results.tables import HELD


@of_run
def queue_packets(ds: xr.Dataset, flow: int | None = None) -> xr.DataArray:
    """Packets waiting at the bottleneck from each change on, without the one being sent.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int, optional
        Count the packets of this flow, from 1; without it, of all flows together.

    Returns
    -------
    xarray.DataArray
        Dimension `change`: the changes of the queue; coordinate `time_s` in s. Unit: packets.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    times = ds["change_s"].values
    if flow is None:
        total = ds["change_queue_packets"].values
        return _held(total, times)
    own = ds["change_flow"].values == flow
    waiting = np.cumsum(ds["change_step"].values[own], dtype=int)
    return _held(waiting, times[own])


@of_run
def queue_smoothed_packets(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """One flow's packets waiting after each of its events at the queue, smoothed as the studies do.

    The moving average starts from an empty queue. A refused packet counts until its drop, at the same instant: the
    studies' scripts count the lines of the trace.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.

    Returns
    -------
    xarray.DataArray
        Dimension `event`: the flow's events at the queue; coordinate `time_s` in s. Unit: packets.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    kind, uid = ds["event_kind"].values, ds["event_uid"].values
    own = ds["packet_uid"].values[ds["packet_flow"].values == flow]  # some may be on the way to the bottleneck yet
    chosen = np.isin(uid, own) & (ds["event_link"].values == FORWARD) & np.isin(kind, (ENQUEUED, DEQUEUED, DROPPED))
    waiting = np.cumsum(np.where(kind[chosen] == ENQUEUED, 1, -1))
    smooth = ewma(np.concatenate([[0.0], waiting]))[1:]
    times = ds["event_s"].values[chosen]
    return series(smooth, times, "event", "queue_smoothed_packets", "packets waiting, smoothed", "packets")


def _held(waiting: Array, times: Array) -> xr.DataArray:
    return series(waiting, times, "change", "queue_packets", "packets waiting", "packets").assign_attrs(HELD)
