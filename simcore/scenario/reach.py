"""How far a flow can get in a run: the links of its path, the packets that they can carry, the window it can use.

What a run will record is estimated from that, rather above than below what comes out.

A receiver that advertises ten million packets costs memory for each of them, and hardly ever can so many be under way.
"""

from collections.abc import Sequence
from operator import mul
from typing import Final, NamedTuple

from simcore.rules.queues.discipline import QueueSettings
from simcore.rules.sources.replay import Settings as Replay
from simcore.rules.sources.source import SourceSettings
from simcore.scenario.flows import AnyFlow, TcpFlow
from simcore.scenario.links import Line
from simcore.scenario.scenario import Scenario

REPEATED: Final = 1.3  # packets sent for each that the path could deliver
EVENTS_A_LINK: Final = 3  # of a packet: it is enqueued, dequeued and received
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


def waiting_slots(scenario: Scenario) -> int:
    """Packets that queues with a limit in bytes make room for, be it used or not."""
    sizes = [
        min(flow.packet_bytes, scenario.profile.syn_bytes) if isinstance(flow, TcpFlow) else flow.packet_bytes
        for flow in scenario.flows
    ]
    return sum(link.slots(min(sizes)) for link in scenario.row() if isinstance(link, QueueSettings))


class Rows(NamedTuple):
    """About how many rows the tables of the log get, rather too many.

    Attributes
    ----------
    packets : float
        Packets, ACKs among them.
    events : float
        What happens to them on the links of their way.
    updates : float
        Changes of a window: an ACK makes one at most.
    """

    packets: float
    events: float
    updates: float


def expected_rows(scenario: Scenario, sent: Sequence[float]) -> Rows:
    """The rows of a run in which everything is recorded and each flow sends so many packets."""
    acks = [n * isinstance(flow, TcpFlow) for n, flow in zip(sent, scenario.flows, strict=True)]
    made = [n + back for n, back in zip(sent, acks, strict=True)]
    links = [len(path_of(scenario, flow)) for flow in scenario.flows]
    return Rows(sum(made), EVENTS_A_LINK * sum(map(mul, made, links)), sum(acks))


def packets_sent(scenario: Scenario) -> list[float]:
    """The data packets of each flow; TCP flows share the links of the row, and repeat a segment at every timeout."""
    sent = [_sent_alone(scenario, flow) for flow in scenario.flows]
    for k, link in enumerate(scenario.row()):
        passing = [i for i, flow in enumerate(scenario.flows) if _passes(scenario, flow, k)]
        sharing = [i for i in passing if isinstance(scenario.flows[i], TcpFlow)]
        offered_bytes = sum(sent[i] * scenario.flows[i].packet_bytes for i in sharing)
        carried_bytes = REPEATED * link.rate_mbps * 1e6 * scenario.end_s / 8.0
        for i in sharing:
            sent[i] *= min(1.0, carried_bytes / offered_bytes)
    return [n + _timeouts(scenario, flow) for n, flow in zip(sent, scenario.flows, strict=True)]


def _timeouts(scenario: Scenario, flow: AnyFlow) -> float:
    """How often the timer of a TCP flow rings if nothing gets through: after a few doublings, always as late as it can.

    An application that stops does not end that: repairs go on.
    """
    if not isinstance(flow, TcpFlow):
        return 0.0
    return (scenario.end_s - flow.start_s) / scenario.profile.longest_timeout_s()


def _passes(scenario: Scenario, flow: AnyFlow, k: int) -> bool:
    first, last = scenario.routers(flow)
    return first <= k < last


def _sent_alone(scenario: Scenario, flow: AnyFlow) -> float:
    """The data packets of a flow that has the network to itself, at least one."""
    seconds = min(flow.stop_s, scenario.end_s) - flow.start_s
    if isinstance(flow, Replay):
        return float(len(flow.times_s))
    if not isinstance(flow, TcpFlow):
        assert isinstance(flow, SourceSettings)
        return 1.0 + seconds / flow.shortest_interval_s(flow.packet_bytes)
    path = path_of(scenario, flow)
    rtt_s = sum(2e-3 * link.delay_ms + 8e-6 * flow.packet_bytes / link.rate_mbps for link in path)
    in_windows = flow.window_packets * (1.0 + seconds / rtt_s)
    carried = deliverable_packets(scenario, flow) * seconds / (scenario.end_s - flow.start_s)
    return 1.0 + REPEATED * min(carried, in_windows)
