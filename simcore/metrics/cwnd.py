"""The sender's window as steps, each with its cause."""

import xarray as xr

from simcore.metrics.series import Array, of_run
from simcore.results.dataset import causes


@of_run
def window(ds: xr.Dataset, flow: int) -> xr.Dataset:
    """A TCP sender's window after each of its changes.

    Any run will do: its recording decides which ordinary changes there are; cuts are always there.

    Returns
    -------
    xarray.Dataset
        Dimension `update`: the changes. Variables `cwnd`, `ssthresh` and `inflation` in packets, `cause` the name of
        the rule that made the change.
    """
    own = ds["update_flow"].values == flow
    steps = {
        name: ds[f"update_{name}"].isel(update=own).reset_coords(drop=True)
        for name in ("cwnd", "ssthresh", "inflation")
    }
    steps["cause"] = causes(ds).isel(update=own).reset_coords(drop=True)
    return xr.Dataset(steps, coords={"time_s": ds["update_s"].isel(update=own)})


@of_run
def times_of(ds: xr.Dataset, flow: int, cause: str) -> Array:
    """When a sender changed its state for one cause: times in s, none if it never did. Any run will do.

    Parameters
    ----------
    cause : str
        The rule's name: "fast_retransmit", "timeout", ... They are in `ds.update_cause.attrs["flag_meanings"]`.
    """
    own = (ds["update_flow"].values == flow) & (causes(ds).values == cause)
    times: Array = ds["update_s"].values[own]
    return times
