"""Replications of a case, and what its sinks counted."""

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from simcore import Scenario, simulate_totals
from simcore.metrics.series import Array
from simcore.results.provenance import versions
from simcore.results.totals import MEANINGS, Totals
from simcore.scenario.flows import TcpFlow
from workbook.chapters.background_traffic.looks import names, scenario_of

MBIT_PER_BYTE = 8e-6
COUNTED = ("sent", "dropped", "retransmitted", "timeouts", "fast_retransmits")


def counted(scenario: Scenario, seeds: Sequence[int], engine: str) -> xr.Dataset:
    """Run a scenario once with each seed: the totals of each flow, along `seed` and `flow`."""
    totals = [simulate_totals(scenario.model_copy(update={"seed": seed}), engine) for seed in seeds]
    variables = {
        name: (("seed", "flow"), np.stack([each[name] for each in totals]), _meaning(name))
        for name in (*COUNTED, "received_bytes")
    }
    coords = {"seed": list(seeds), "flow": range(1, len(scenario.flows) + 1), "stream": ("flow", names(scenario))}
    about = {"scenario": scenario.to_yaml(), "engine": engine, "versions": json.dumps(versions())}
    return xr.Dataset(variables, coords, about)


def _meaning(name: str) -> dict[str, str]:
    return dict(zip(("long_name", "units"), MEANINGS[name], strict=True))


def with_mbps(runs: xr.Dataset) -> xr.Dataset:
    """The runs with `mbps`: what each sink counted, over the whole run, as in the paper's averages."""
    about = {"long_name": "bandwidth at the sink over the whole run", "units": "Mb/s"}
    mbps = MBIT_PER_BYTE * sink_bytes(scenario_of(runs), runs) / scenario_of(runs).end_s
    return runs.assign(mbps=(("seed", "flow"), mbps, about))


def sink_bytes(scenario: Scenario, totals: Totals | xr.Dataset) -> Array:
    """What each flow's sink counts, headers included: a TCP segment once, however often it arrives; UDP as it arrives.

    Every segment that was ever sent counts: ten seconds after the sources stop all have arrived but, now and then, the
    very last one (no duplicate ACKs can follow it), so that one segment may be too many.
    """
    profile, sink = scenario.profile, np.array(totals["received_bytes"])
    segments = np.asarray(totals["sent"]) - np.asarray(totals["retransmitted"])
    for i, flow in enumerate(scenario.flows):
        if isinstance(flow, TcpFlow):
            sink[..., i] = (segments[..., i] - 1) * (flow.packet_bytes + profile.header_bytes) + profile.syn_bytes
    return sink


def replicated(scenario: Scenario, seeds: Sequence[int], engine: str) -> xr.Dataset:
    """Runs of a scenario that differ in the seed alone: what was counted, and each stream's bandwidth."""
    return with_mbps(counted(scenario, seeds, engine))


def tidy(runs: xr.DataTree, seeds: Sequence[int]) -> pd.DataFrame:
    """A row for each case, seed and stream, with its `mbps`: what seaborn takes."""
    parts = [
        node.to_dataset()["mbps"].sel(seed=list(seeds)).to_dataframe().reset_index().assign(case=case)
        for case, node in runs.children.items()
    ]
    return pd.concat(parts, ignore_index=True)
