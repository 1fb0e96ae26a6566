"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from simcore.results.log import Outcome, Recording
from simcore.results.provenance import provenance
from simcore.results.tables import Table, variable
from simcore.results.variables import variables
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]


def build(scenario: Scenario, engine: str, outcome: Outcome, recording: Recording) -> xr.Dataset:
    """The Dataset of a finished run: what was recorded (`simcore.results.tables`), flows, totals, provenance."""
    table = variables(scenario, outcome, recording)
    number = pd.RangeIndex(1, len(scenario.flows) + 1)  # an index already: xarray would import dask to make it one
    flow = xr.Variable("flow", number, table.pop("flow").attributes)
    attributes = provenance(scenario, engine) | {"simulated_until_s": outcome.until_s} | (outcome.attributes or {})
    # All at once: what is assigned to a Dataset later costs a copy of every variable that is there.
    return xr.Dataset(labelled(table), {"flow": flow}, attributes)


def labelled(table: Table) -> dict[str, xr.Variable]:
    """As xarray has variables. `fastpath`: else it imports dask, for 0.2 s, to ask if an array is one of dask's."""
    return {name: xr.Variable(*each, fastpath=True) for name, each in table.items()}


def described(dim: str, values: Array, long_name: str, units: str, **more: Any) -> xr.Variable:
    """One variable, as xarray has it, that says what it is."""
    return xr.Variable(*variable(dim, values, long_name, units, **more), fastpath=True)


def causes(dataset: xr.Dataset) -> xr.DataArray:
    """The name of the rule that made each change of a window, along `update`."""
    names = np.array(dataset["update_cause"].attrs["flag_meanings"].split())
    return dataset["update_cause"].copy(data=names[dataset["update_cause"].values]).rename("cause")
