"""How many packets wait at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.metrics.series import ewma, of_run, series
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, FORWARD
from simcore.results.tables import HELD


@of_run
def queue_packets(ds: xr.Dataset, flow: int | None = None) -> xr.DataArray:
    """Packets waiting at the bottleneck from each change on, without the one being sent.

    Parameters
    ----------
    flow : int, optional
        Count the packets of this flow, from 1; without it, of all flows together.

    Returns
    -------
    xarray.DataArray
        Dimension `change`: the changes of the queue. Unit: packets.
    """
    times, waiting = ds["change_s"].values, ds["change_queue_packets"].values
    if flow is not None:
        own = ds["change_flow"].values == flow
        times, waiting = times[own], np.cumsum(ds["change_step"].values[own], dtype=int)
    return series(waiting, times, "change", "queue_packets", "packets waiting", "packets", **HELD)


@of_run
def queue_smoothed_packets(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """One flow's packets waiting after each of its events at the queue, smoothed as the studies do.

    The moving average starts from an empty queue. A refused packet counts until its drop, at the same instant: the
    studies' scripts count the lines of the trace.

    Returns
    -------
    xarray.DataArray
        Dimension `event`: the flow's events at the queue. Unit: packets.
    """
    kind, uid = ds["event_kind"].values, ds["event_uid"].values
    own = ds["packet_uid"].values[ds["packet_flow"].values == flow]  # some may be on the way to the bottleneck yet
    chosen = np.isin(uid, own) & (ds["event_link"].values == FORWARD) & np.isin(kind, (ENQUEUED, DEQUEUED, DROPPED))
    waiting = np.cumsum(np.where(kind[chosen] == ENQUEUED, 1, -1))
    smooth = ewma(np.concatenate([[0.0], waiting]))[1:]
    times = ds["event_s"].values[chosen]
    return series(smooth, times, "event", "queue_smoothed_packets", "packets waiting, smoothed", "packets")
