"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

import numpy as np
import pandas as pd
import xarray as xr

from simcore.results.log import Outcome, Recording
from simcore.results.provenance import provenance
from simcore.results.tables import tables, variable
from simcore.results.totals import MEANINGS
from simcore.scenario.flows import AnyFlow, TcpFlow
from simcore.scenario.scenario import Scenario


def build(scenario: Scenario, engine: str, outcome: Outcome, recording: Recording) -> xr.Dataset:
    """The Dataset of a finished run: what was recorded (`simcore.results.tables`), flows, totals, provenance."""
    number = pd.RangeIndex(1, len(scenario.flows) + 1)  # an index already: xarray would import dask to make it one
    flow = xr.Variable("flow", number, {"long_name": "flow", "units": "1"})
    totals = {name: variable("flow", outcome.totals[name], *meaning) for name, meaning in MEANINGS.items()}
    told = provenance(scenario, engine) | {"simulated_until_s": outcome.until_s} | (outcome.attributes or {})
    # All at once: what is assigned to a Dataset later costs a copy of every variable that is there.
    return xr.Dataset({**tables(outcome.log, recording), **_flows(scenario), **totals}, {"flow": flow}, told)


def causes(dataset: xr.Dataset) -> xr.DataArray:
    """The name of the rule that made each change of a window, along `update`."""
    names = np.array(dataset["update_cause"].attrs["flag_meanings"].split())
    return dataset["update_cause"].copy(data=names[dataset["update_cause"].values]).rename("cause")


def _flows(scenario: Scenario) -> dict[str, xr.Variable]:
    kind = [flow.kind for flow in scenario.flows]
    variant = [flow.variant if isinstance(flow, TcpFlow) else flow.source for flow in scenario.flows]
    names = [f"{_title(flow)} {i}" for i, flow in enumerate(scenario.flows, start=1)]
    starts, stops = [flow.start_s for flow in scenario.flows], [flow.stop_s for flow in scenario.flows]
    return {
        "flow_kind": variable("flow", np.array(kind), "transport protocol", "1"),
        "flow_variant": variable("flow", np.array(variant), "TCP variant or UDP source", "1"),
        "flow_name": variable("flow", np.array(names), "name of the flow", "1"),
        "flow_start_s": variable("flow", np.array(starts), "time the source starts", "s"),
        "flow_stop_s": variable("flow", np.array(stops), "time the source stops", "s"),
    }


def _title(flow: AnyFlow) -> str:
    if isinstance(flow, TcpFlow):
        return flow.rules().title
    return f"UDP {flow.source.upper() if flow.source == 'cbr' else flow.source.capitalize()}"
