"""The model: senders, a router and receivers, from a validated scenario to an xarray Dataset.

    rules/      what TCP and queues do, each rule written once, free of any simulator
    process/    the SimPy process model that runs the rules
    metrics/    throughput, latency, queue, fairness: functions of a Dataset

It knows no files but scenarios, and no plots, notebooks or widgets.
"""

from simcore.loading import ScenarioError, load_mapping, load_scenario, scenario_from
from simcore.scenario import Scenario
from simcore.simulation import ENGINES, simulate

__all__ = ["ENGINES", "Scenario", "ScenarioError", "load_mapping", "load_scenario", "scenario_from", "simulate"]
