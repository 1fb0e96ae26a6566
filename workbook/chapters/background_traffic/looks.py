"""What the four streams are called here, and how each looks: the workbook's colours, the paper's names."""

import yaml

from simcore import Scenario, scenario_from
from simcore.results.tree import Run
from simcore.scenario.flows import TcpFlow
from workbook.plots import style

SPOKEN = {"reno": "TCP Reno", "tahoe": "TCP Tahoe", "cbr": "CBR", "exponential": "VBR"}


def scenario_of(run: Run) -> Scenario:
    """The scenario that a run, or a set of replications, says that it is of."""
    return scenario_from(yaml.safe_load(run.attrs["scenario"]), "scenario: ")


def names(scenario: Scenario) -> list[str]:
    """The flows' names, in their order."""
    return [SPOKEN[flow.variant if isinstance(flow, TcpFlow) else flow.source] for flow in scenario.flows]


def looks(scenario: Scenario) -> list[style.Look]:
    """The flows' looks, as `workbook.plots.style.look` gives them for a run."""
    kinds = [flow.kind for flow in scenario.flows]
    return [style.FLOWS[kind][kinds[:i].count(kind) % len(style.FLOWS[kind])] for i, kind in enumerate(kinds)]
