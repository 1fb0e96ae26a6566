"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

import numpy as np
import pandas as pd
import xarray as xr

from simcore.log import Outcome, Recording
from simcore.provenance import provenance
from simcore.scenario import Scenario, TcpFlow
from simcore.tables import tables, variable
from simcore.totals import MEANINGS


def build(scenario: Scenario, engine: str, outcome: Outcome, recording: Recording) -> xr.Dataset:
    """The Dataset of a finished run: what was recorded (`simcore.tables`), flows, totals, provenance."""
    number = pd.RangeIndex(1, len(scenario.flows) + 1)  # an index already: xarray would import dask to make it one
    flow = xr.Variable("flow", number, {"long_name": "flow", "units": "1"})
    dataset = xr.Dataset(tables(outcome.log, recording), coords={"flow": flow})
    totals = {name: variable("flow", outcome.totals[name], *meaning) for name, meaning in MEANINGS.items()}
    told = provenance(scenario, engine) | {"simulated_until_s": outcome.until_s}
    return dataset.assign(_flows(scenario) | totals).assign_attrs(told)


def causes(dataset: xr.Dataset) -> xr.DataArray:
    """The name of the rule that made each change of a window, along `update`."""
    names = np.array(dataset["update_cause"].attrs["flag_meanings"].split())
    return dataset["update_cause"].copy(data=names[dataset["update_cause"].values]).rename("cause")


def _flows(scenario: Scenario) -> dict[str, xr.Variable]:
    kind = [flow.kind for flow in scenario.flows]
    variant = [flow.variant if isinstance(flow, TcpFlow) else flow.source for flow in scenario.flows]
    names = [f"{k.upper()} {_spoken(v)} {i}" for i, (k, v) in enumerate(zip(kind, variant, strict=True), start=1)]
    starts, stops = [flow.start_s for flow in scenario.flows], [flow.stop_s for flow in scenario.flows]
    return {
        "flow_kind": variable("flow", np.array(kind), "transport protocol", "1"),
        "flow_variant": variable("flow", np.array(variant), "TCP variant or UDP source", "1"),
        "flow_name": variable("flow", np.array(names), "name of the flow", "1"),
        "flow_start_s": variable("flow", np.array(starts), "time the source starts", "s"),
        "flow_stop_s": variable("flow", np.array(stops), "time the source stops", "s"),
    }


def _spoken(variant: str) -> str:
    return variant.upper() if variant == "cbr" else variant.capitalize()
