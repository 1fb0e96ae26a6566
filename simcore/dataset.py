"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

import json
import platform
from importlib.metadata import version
from typing import Any

import numpy as np
import xarray as xr

from simcore.log import Outcome, Recording
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
    return dataset.assign(_flows(scenario) | totals).assign_attrs(_provenance(scenario, engine, outcome.until_s))


def causes(dataset: xr.Dataset) -> xr.DataArray:
    """The name of the rule that made each change of a window, along `update`."""
    names = np.array(dataset["update_cause"].attrs["flag_meanings"].split())
    return dataset["update_cause"].copy(data=names[dataset["update_cause"].values]).rename("cause")


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that decide a run's numbers."""
    packages = ("numpy", "simpy", "xarray", "bottleneck-workbook")
    return {"python": platform.python_version()} | {package: version(package) for package in packages}


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


def _provenance(scenario: Scenario, engine: str, until_s: float) -> dict[str, Any]:
    """Enough to make the Dataset again. No date: the same run gives the same bytes."""
    return {
        "title": scenario.name,
        "Conventions": "CF-1.11",
        "scenario": scenario.to_yaml(),
        "engine": engine,
        "seed": scenario.seed,
        "simulated_until_s": until_s,
        "versions": json.dumps(versions()),
    }
