"""Losses at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.log import DROPPED, FORWARD
from simcore.metrics.series import Array, offered, per_flow


def loss_percent(ds: xr.Dataset) -> xr.DataArray:
    """Dropped packets of each flow in percent of all it sent, retransmissions included; 0 for a silent flow."""
    values = 100 * ds["dropped"] / ds["sent"].clip(min=1)
    return per_flow(ds, values, "loss_percent", "losses", "%")


def drop_times_s(ds: xr.Dataset, flow: int) -> Array:
    """When the queue dropped packets of a flow, on arrival or later, in s."""
    drops = np.flatnonzero((ds["event_kind"].values == DROPPED) & (ds["event_link"].values == FORWARD))
    own = np.isin(ds["event_uid"].values[drops], ds["packet_uid"].values[offered(ds, flow)])
    times: Array = ds["event_s"].values[drops[own]]
    return times
