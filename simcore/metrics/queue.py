"""How many packets wait at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.log import DEQUEUED, DROPPED, ENQUEUED, FORWARD
from simcore.metrics.series import series
from simcore.metrics.smoothing import ewma


def queue_packets(ds: xr.Dataset, flow: int | None = None) -> xr.DataArray:
    """Packets waiting (without the one being sent) from each change on: one flow's, or of all flows together."""
    times = ds["change_s"].values
    if flow is None:
        total = ds["change_queue_packets"].values
        return series(total, times, "change", "queue_packets", "packets waiting", "packets")
    own = ds["change_flow"].values == flow
    waiting = np.cumsum(ds["change_step"].values[own], dtype=int)
    return series(waiting, times[own], "change", "queue_packets", "packets waiting", "packets")


def queue_smoothed_packets(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """One flow's packets waiting after each of its events at the queue, smoothed as the studies do, from zero on.

    A refused packet counts until its drop, at the same instant: the studies' scripts count the trace's lines.
    """
    kind, uid = ds["event_kind"].values, ds["event_uid"].values
    own = np.zeros(int(uid.max(initial=0)) + 1, bool)
    own[ds["packet_uid"].values[ds["packet_flow"].values == flow]] = True
    chosen = own[uid] & (ds["event_link"].values == FORWARD) & np.isin(kind, (ENQUEUED, DEQUEUED, DROPPED))
    waiting = np.cumsum(np.where(kind[chosen] == ENQUEUED, 1, -1))
    smooth = ewma(np.concatenate([[0.0], waiting]))[1:]
    times = ds["event_s"].values[chosen]
    return series(smooth, times, "event", "queue_smoothed_packets", "packets waiting, smoothed", "packets")
