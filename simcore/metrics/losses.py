"""Losses at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array, of_run, offered, per_flow
from simcore.results.log import DROPPED, FORWARD


@of_run
def loss_percent(ds: xr.Dataset) -> xr.DataArray:
    """Dropped packets of each flow in % of all that it sent, repetitions included; 0 of none. Any run will do."""
    values = 100 * ds["dropped"].values / ds["sent"].values.clip(min=1)
    return per_flow(ds, values, "loss_percent", "losses", "%")


@of_run
def drop_times_s(ds: xr.Dataset, flow: int) -> Array:
    """When the bottleneck's queue dropped packets of a flow, on arrival or later: times in s, in order."""
    drops = np.flatnonzero((ds["event_kind"].values == DROPPED) & (ds["event_link"].values == FORWARD))
    own = np.isin(ds["event_uid"].values[drops], ds["packet_uid"].values[offered(ds, flow)])
    times: Array = ds["event_s"].values[drops[own]]
    return times
