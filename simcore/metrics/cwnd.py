"""The sender's window as steps, each with its cause."""

import xarray as xr

from simcore.dataset import causes
from simcore.metrics.series import Array


def window(ds: xr.Dataset, flow: int) -> xr.Dataset:
    """cwnd, ssthresh and inflation of one TCP flow after each change, with `cause` and the coordinate `time_s`."""
    own = ds["update_flow"].values == flow
    steps = {
        name: ds[f"update_{name}"].isel(update=own).reset_coords(drop=True)
        for name in ("cwnd", "ssthresh", "inflation")
    }
    steps["cause"] = causes(ds).isel(update=own).reset_coords(drop=True)
    return xr.Dataset(steps, coords={"time_s": ds["update_s"].isel(update=own)})


def times_of(ds: xr.Dataset, flow: int, cause: str) -> Array:
    """When a sender changed its state for one cause ("fast_retransmit", "timeout", ...), in s."""
    own = (ds["update_flow"].values == flow) & (causes(ds).values == cause)
    times: Array = ds["update_s"].values[own]
    return times
