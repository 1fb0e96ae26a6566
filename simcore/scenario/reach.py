"""How far a flow can get in a run: the links of its path, the packets that they can carry, the window it can use.

A receiver that advertises ten million packets costs memory for each of them, and hardly ever can so many be under way.
"""

from typing import Final

from simcore.scenario.links import Line
from simcore.scenario.scenario import AnyFlow, Scenario, TcpFlow

SPARE_PACKETS: Final = 2048  # more than an initial window


def path_of(scenario: Scenario, flow: AnyFlow) -> list[Line]:
    """The links from a flow's sender to its receiver."""
    own = scenario.hosts[flow.host - 1] if flow.host is not None else flow.access
    first, last = scenario.routers(flow)
    return [link for link in (own, *scenario.row()[first:last], flow.exit) if link is not None]


def deliverable_packets(scenario: Scenario, flow: AnyFlow) -> float:
    """Packets that the slowest link of a flow's path can carry from the flow's start to the end of the run."""
    slowest_bps = 1e6 * min(link.rate_mbps for link in path_of(scenario, flow))
    return slowest_bps * (scenario.end_s - flow.start_s) / (8.0 * flow.packet_bytes)


def usable_window(scenario: Scenario, flow: TcpFlow) -> int:
    """The receiver's window, or what is more than the sender's own can become in this run.

    cwnd and its inflation grow by one packet for an ACK, and there are no more ACKs than packets that arrive.
    """
    return min(flow.window_packets, 2 * int(deliverable_packets(scenario, flow)) + SPARE_PACKETS)
