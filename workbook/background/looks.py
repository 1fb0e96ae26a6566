"""What the four streams are called here, and how each looks: the workbook's colours, the paper's names."""

from simcore import Scenario
from simcore.scenario import TcpFlow
from workbook import style

SPOKEN = {"reno": "TCP Reno", "tahoe": "TCP Tahoe", "cbr": "CBR", "exponential": "VBR"}


def names(scenario: Scenario) -> list[str]:
    """The flows' names, in their order."""
    return [SPOKEN[flow.variant if isinstance(flow, TcpFlow) else flow.source] for flow in scenario.flows]


def looks(scenario: Scenario) -> list[style.Look]:
    """The flows' looks, as `workbook.style.look` gives them for a run."""
    kinds = [flow.kind for flow in scenario.flows]
    return [style.FLOWS[kind][kinds[:i].count(kind) % len(style.FLOWS[kind])] for i, kind in enumerate(kinds)]
