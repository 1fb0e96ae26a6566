"""Losses at the bottleneck."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array, of_run, offered, per_flow
from simcore.results.log import DROPPED, FORWARD


@of_run
def loss_percent(ds: xr.Dataset) -> xr.DataArray:
    """Dropped packets of each flow in percent of all it sent, retransmissions included.

    Parameters
    ----------
    ds : xarray.Dataset
        A run; its totals suffice.

    Returns
    -------
    xarray.DataArray
        Dimension `flow`. 0 for a flow that sent nothing. Unit: %.
    """
    values = 100 * ds["dropped"].values / ds["sent"].values.clip(min=1)
    return per_flow(ds, values, "loss_percent", "losses", "%")


@of_run
def drop_times_s(ds: xr.Dataset, flow: int) -> Array:
    """When the bottleneck's queue dropped packets of a flow, on arrival or later.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`).
    flow : int
        The flow's number, from 1.

    Returns
    -------
    numpy.ndarray
        Times in order; empty if there was none. Unit: s.

    Raises
    ------
    KeyError
        If packets were not recorded.
    """
    drops = np.flatnonzero((ds["event_kind"].values == DROPPED) & (ds["event_link"].values == FORWARD))
    own = np.isin(ds["event_uid"].values[drops], ds["packet_uid"].values[offered(ds, flow)])
    times: Array = ds["event_s"].values[drops[own]]
    return times
