"""The nodes' numbers, which are also their addresses in ns-2."""

from simcore.scenario import Scenario


def addresses(scenario: Scenario) -> list[tuple[int, int]]:
    """The nodes of each flow's sender and receiver.

    They have the numbers that a script gives them that makes the bottleneck's two ends first, 0 and 1, and then flow
    by flow the node of its sender and that of its receiver, if they have links of their own.
    """
    pairs, made = [], 2
    for flow in scenario.flows:
        source = made if flow.access else 0
        made += flow.access is not None
        destination = made if flow.exit else 1
        made += flow.exit is not None
        pairs.append((source, destination))
    return pairs
