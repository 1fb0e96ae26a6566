"""The nodes' numbers, which are also their addresses in ns-2."""

from simcore.scenario.scenario import Scenario


def addresses(scenario: Scenario) -> list[tuple[int, int]]:
    """The nodes of each flow's sender and receiver.

    They have the numbers that a script gives them that makes the routers first, 0 and 1 at the bottleneck's ends, then
    the hosts, and then flow by flow the node of its sender and that of its receiver, if they have links of their own.
    """
    pairs, first_host = [], len(scenario.row()) + 1
    made = first_host + len(scenario.hosts)
    for flow in scenario.flows:
        source, destination = scenario.routers(flow)
        if flow.host is not None:
            source = first_host + flow.host - 1
        elif flow.access is not None:
            source, made = made, made + 1
        if flow.exit is not None:
            destination, made = made, made + 1
        pairs.append((source, destination))
    return pairs
