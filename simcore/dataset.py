"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

import numpy as np
import xarray as xr

from simcore.log import Outcome, Recording
from simcore.provenance import provenance
from simcore.scenario import Scenario, TcpFlow
from simcore.tables import tables
from simcore.totals import MEANINGS


def build(scenario: Scenario, engine: str, outcome: Outcome, recording: Recording) -> xr.Dataset:
    """The Dataset of a finished run: what was recorded (`simcore.tables`), flows, totals, provenance."""
    number = xr.Variable("flow", np.arange(1, len(scenario.flows) + 1), {"long_name": "flow", "units": "1"})
    dataset = xr.Dataset(tables(outcome.log, recording), coords={"flow": number})
    totals = {
        name: xr.Variable("flow", outcome.totals[name], {"long_name": long_name, "units": units})
        for name, (long_name, units) in MEANINGS.items()
    }
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
    texts = {
        "flow_kind": (kind, "transport protocol"),
        "flow_variant": (variant, "TCP variant or UDP source"),
        "flow_name": (names, "name of the flow"),
    }
    times = {
        "flow_start_s": ([flow.start_s for flow in scenario.flows], "time the source starts"),
        "flow_stop_s": ([flow.stop_s for flow in scenario.flows], "time the source stops"),
    }
    return {
        **{
            name: xr.Variable("flow", values, {"long_name": text, "units": "1"})
            for name, (values, text) in texts.items()
        },
        **{
            name: xr.Variable("flow", values, {"long_name": text, "units": "s"})
            for name, (values, text) in times.items()
        },
    }


def _spoken(variant: str) -> str:
    return variant.upper() if variant == "cbr" else variant.capitalize()
