"""The model: senders, a router and receivers, from a validated scenario to an xarray Dataset.

It knows no files but scenarios, and no plots, notebooks or widgets::

    scenario/   what is simulated, validated; every field with description, unit and example
    network/    what every engine builds of it: topology, random streams, states at t = 0
    rules/      what TCP, queues and sources do, each rule written once, free of any simulator
    process/    the SimPy process model that runs the rules
    compiled/   the same rules on a compiled event loop, some hundred times as fast
    kernel/     the Linux kernel's own TCP in place of the rules for TCP, in real time
    rounds/     another model: competing Tahoe senders in round trips
    results/    what a run leaves: log, tables, totals, Dataset, provenance, invariants
    metrics/    throughput, latency, queue, fairness: functions of a Dataset

Attributes
----------
ENGINES : dict
    The engines by name: "process", "compiled", "kernel" and "kernel-default".
MODELS : dict
    Those of them that run the rules, and so give the same: "process" and "compiled".
EVERYTHING : Recording
    Keep every packet, ACK, event and change of a window.
WINDOWS : Recording
    Keep the windows, an ordinary change every 0.01 s at most, and every cut.
TOTALS : Recording
    Keep the totals and the windows' cuts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    __version__: str
    from simcore.many import RunsInterrupted, simulate_many
    from simcore.results.log import EVERYTHING, TOTALS, WINDOWS, EngineUnavailableError, Recording
    from simcore.scenario.loading import ScenarioError, load_mapping, load_scenario, mapping_of, scenario_from
    from simcore.scenario.scenario import Scenario
    from simcore.simulation import ENGINES, MODELS, SimulationInterrupted, check, simulate, simulate_totals

__all__ = [
    "ENGINES",
    "EVERYTHING",
    "MODELS",
    "TOTALS",
    "WINDOWS",
    "EngineUnavailableError",
    "Recording",
    "RunsInterrupted",
    "Scenario",
    "ScenarioError",
    "SimulationInterrupted",
    "check",
    "load_mapping",
    "load_scenario",
    "mapping_of",
    "scenario_from",
    "simulate",
    "simulate_many",
    "simulate_totals",
]

# What a name needs is imported when it is asked for (PEP 562): for a scenario that is pydantic, for a run the engine,
# and xarray, which takes longer than a short run, for a Dataset alone.
WHERE: Final = {
    "RunsInterrupted": "simcore.many",
    "simulate_many": "simcore.many",
    **dict.fromkeys(("EVERYTHING", "TOTALS", "WINDOWS", "EngineUnavailableError", "Recording"), "simcore.results.log"),
    **dict.fromkeys(
        ("ScenarioError", "load_mapping", "load_scenario", "mapping_of", "scenario_from"), "simcore.scenario.loading"
    ),
    "Scenario": "simcore.scenario.scenario",
    **dict.fromkeys(
        ("ENGINES", "MODELS", "SimulationInterrupted", "check", "simulate", "simulate_totals"), "simcore.simulation"
    ),
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # which takes as long to import as click

        return version("bottleneck-workbook")
    if name not in WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(WHERE[name]), name)


def __dir__() -> list[str]:
    return __all__
