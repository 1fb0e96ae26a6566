"""Losses at the bottleneck."""

import xarray as xr

from simcore.metrics.series import Array, offered, per_flow


def loss_percent(ds: xr.Dataset) -> xr.DataArray:
    """Dropped packets of each flow in percent of all it sent, retransmissions included; 0 for a silent flow."""
    values = 100 * ds["dropped"] / ds["sent"].clip(min=1)
    return per_flow(ds, values, "loss_percent", "losses", "%")


def drop_times_s(ds: xr.Dataset, flow: int) -> Array:
    """When packets of a flow were refused by the queue, in s."""
    rows = offered(ds, flow)
    times: Array = ds["packet_enqueued_s"].values[rows][ds["packet_dropped"].values[rows]]
    return times
