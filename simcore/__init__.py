"""The model: senders, a router and receivers, from a validated scenario to an xarray Dataset.

    rules/      what TCP and queues do, each rule written once, free of any simulator
    process/    the SimPy process model that runs the rules
    compiled/   the same on a compiled event loop, a hundred times faster
    metrics/    throughput, latency, queue, fairness: functions of a Dataset

It knows no files but scenarios, and no plots, notebooks or widgets.
"""

from simcore.loading import ScenarioError, load_mapping, load_scenario, mapping_of, scenario_from
from simcore.log import EVERYTHING, TOTALS, WINDOWS, Recording
from simcore.scenario import Scenario
from simcore.simulation import ENGINES, SimulationInterrupted, simulate, simulate_totals

__all__ = [
    "ENGINES",
    "EVERYTHING",
    "TOTALS",
    "WINDOWS",
    "Recording",
    "Scenario",
    "ScenarioError",
    "SimulationInterrupted",
    "load_mapping",
    "load_scenario",
    "mapping_of",
    "scenario_from",
    "simulate",
    "simulate_totals",
]
