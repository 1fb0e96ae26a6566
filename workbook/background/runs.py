"""Replications of a case, and what its sinks counted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simcore import Scenario, simulate_totals
from simcore.metrics import Replications
from simcore.metrics.series import Array
from simcore.scenario import TcpFlow
from simcore.totals import Totals

MBIT_PER_BYTE = 8e-6
COUNTED = ("sent", "dropped", "retransmitted", "timeouts", "fast_retransmits")


def sink_bytes(scenario: Scenario, totals: Totals) -> Array:
    """What each flow's sink counts, headers included: a TCP segment once, however often it arrives; UDP as it arrives.

    Every segment that was ever sent counts: ten seconds after the sources stop all have arrived but, now and then, the
    very last one (no duplicate ACKs can follow it), so that one segment may be too many.
    """
    profile, counted = scenario.profile, totals["received_bytes"].copy()
    for i, flow in enumerate(scenario.flows):
        if isinstance(flow, TcpFlow):
            segments = int(totals["sent"][i] - totals["retransmitted"][i])
            counted[i] = (segments - 1) * (flow.packet_bytes + profile.header_bytes) + profile.syn_bytes
    return counted


@dataclass(frozen=True)
class Runs:
    """Runs of one scenario that differ in the seed alone; the numbers have a row a run and a column a flow."""

    scenario: Scenario
    seeds: Sequence[int]
    mbps: Array  # bytes at the sink over the whole run, as the paper's averages
    sent: Array
    dropped: Array
    retransmitted: Array
    timeouts: Array
    fast_retransmits: Array

    def of(self, values: Array) -> Replications:
        """A measurement of these runs, one value a run."""
        return Replications(values.tolist(), list(self.seeds))

    def chosen(self, seeds: Sequence[int]) -> "Runs":
        """Those of the runs that have these seeds."""
        rows = [list(self.seeds).index(seed) for seed in seeds]
        return Runs(self.scenario, seeds, self.mbps[rows], *(getattr(self, name)[rows] for name in COUNTED))


def replicated(scenario: Scenario, seeds: Sequence[int], engine: str) -> Runs:
    """Run the scenario once with each seed."""
    runs = [scenario.model_copy(update={"seed": seed}) for seed in seeds]
    totals = [simulate_totals(run, engine) for run in runs]
    sinks = [MBIT_PER_BYTE * sink_bytes(scenario, each) / scenario.end_s for each in totals]
    counted = (np.stack([each[name] for each in totals]) for name in COUNTED)
    return Runs(scenario, list(seeds), np.stack(sinks), *counted)
