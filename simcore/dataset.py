"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

import json
import platform
from importlib.metadata import version
from typing import Any

import numpy as np
import xarray as xr

from simcore.conservation import Remaining
from simcore.log import FORWARD, Log
from simcore.scenario import Scenario, TcpFlow
from simcore.tables import Columns, all_tables

TOTALS = {
    "sent": ("packets offered to the bottleneck, refused ones included", "packets"),
    "dropped": ("packets dropped by the bottleneck", "packets"),
    "received": ("packets received behind the bottleneck", "packets"),
    "received_bytes": ("bytes received behind the bottleneck, headers included", "bytes"),
    "retransmitted": ("packets sent that had been sent before", "packets"),
    "in_flight": ("packets in the bottleneck's queue or on its link at the end", "packets"),
}


def build(scenario: Scenario, engine: str, log: Log, remaining: Remaining) -> xr.Dataset:
    """The Dataset of a finished run: tables (`simcore.tables`), flows, totals, provenance."""
    number = np.arange(1, len(scenario.flows) + 1)
    dataset = xr.Dataset(all_tables(log), coords={"flow": ("flow", number, {"long_name": "flow", "units": "1"})})
    in_flight = np.bincount(Columns(log).flow[list(remaining[FORWARD])], minlength=len(number) + 1)[1:]
    return dataset.assign(_flows(scenario) | _totals(dataset, in_flight)).assign_attrs(_provenance(scenario, engine))


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


def _totals(dataset: xr.Dataset, in_flight: Any) -> dict[str, xr.Variable]:
    flow, flows = dataset["packet_flow"].values - 1, dataset.sizes["flow"]
    offered = ~np.isnan(dataset["packet_enqueued_s"].values)
    arrived = ~np.isnan(dataset["packet_received_s"].values)
    bytes_arrived = np.bincount(flow[arrived], weights=dataset["packet_bytes"].values[arrived], minlength=flows)
    counts = {
        "sent": np.bincount(flow[offered], minlength=flows),
        "dropped": np.bincount(flow[dataset["packet_dropped"].values], minlength=flows),
        "received": np.bincount(flow[arrived], minlength=flows),
        "received_bytes": bytes_arrived.astype(np.int64),
        "retransmitted": np.bincount(flow[dataset["packet_retransmission"].values], minlength=flows),
        "in_flight": in_flight,
    }
    meaning = {name: {"long_name": long_name, "units": units} for name, (long_name, units) in TOTALS.items()}
    return {name: xr.Variable("flow", values, meaning[name]) for name, values in counts.items()}


def _provenance(scenario: Scenario, engine: str) -> dict[str, Any]:
    """Enough to make the Dataset again. No date: the same run gives the same bytes."""
    packages = ("numpy", "simpy", "xarray", "bottleneck-workbook")
    versions = {"python": platform.python_version()} | {package: version(package) for package in packages}
    return {
        "title": scenario.name,
        "Conventions": "CF-1.11",
        "scenario": scenario.to_yaml(),
        "engine": engine,
        "seed": scenario.seed,
        "versions": json.dumps(versions),
    }
