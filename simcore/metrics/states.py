"""What rules record of their states (`simcore.rules.recorded`): of a sender's, or of a queue's."""

import numpy as np
import xarray as xr

from simcore.metrics.series import NotRecordedError, of_run
from simcore.results.dataset import described


@of_run
def sender_state(ds: xr.Dataset, flow: int, name: str) -> xr.DataArray:
    """What a congestion control or a loss recovery recorded of its state (`Recording(states=True)`).

    Parameters
    ----------
    name : str
        The name of the rules and of the field: `cubic_plateau`.

    Returns
    -------
    xarray.DataArray
        Dimension `state`: one value whenever the sender has taken in an ACK or its timer rang; none if the flow follows
        other rules. Unit: as the rules say, in `units`.

    Raises
    ------
    KeyError
        If no state of that name was recorded.
    """
    return _recorded(ds, "state", "flow", flow, name)


@of_run
def queue_state(ds: xr.Dataset, name: str, link: int = 0) -> xr.DataArray:
    """What a queue discipline recorded of its state (`Recording(states=True)`).

    Parameters
    ----------
    name : str
        The name of the discipline and of the field: `red_average`.
    link : int, optional
        The link in front of which it stands: 2k for the k-th of the row, from 0.

    Returns
    -------
    xarray.DataArray
        Dimension `discipline`: one value whenever a packet came; none if the link has another queue. Unit: as the rules
        say, in `units`.

    Raises
    ------
    KeyError
        If no state of that name was recorded.
    """
    return _recorded(ds, "discipline", "link", link, name)


def _recorded(ds: xr.Dataset, table: str, owner: str, number: int, name: str) -> xr.DataArray:
    """What one flow, or the queue of one link, recorded under a name."""
    variable = f"{table}_{name}"
    if f"{table}_s" not in ds:
        raise NotRecordedError(table, variable)
    if variable not in ds:
        names = (str(each).removeprefix(f"{table}_") for each, there in ds.variables.items() if there.dims == (table,))
        known = ", ".join(each for each in names if each not in ("s", owner))
        raise KeyError(f"{name!r} is not recorded; recorded: {known or 'nothing'}")
    chosen = (ds[f"{table}_{owner}"].values == number) & ~np.isnan(ds[variable].values)
    time = described(table, ds[f"{table}_s"].values[chosen], "time", "s")
    return xr.DataArray(ds[variable].variable[chosen], {"time_s": time}, name=name)
