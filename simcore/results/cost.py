"""What a run will need, before it starts: packets, seconds and memory, estimated from rates, windows and times.

An estimate is to be above what comes out, but by less than a few times. Every flow is taken to send as fast as its
slowest link, its window and its source let it, and all of its packets to be delivered and acknowledged.
"""

from typing import Final, NamedTuple

from simcore.results.log import EVERYTHING, Recording
from simcore.rules.sources.replay import Settings as Replay
from simcore.rules.sources.source import SourceSettings
from simcore.scenario.reach import deliverable_packets, path_of, usable_window
from simcore.scenario.scenario import AnyFlow, Scenario, TcpFlow

# Measured on one machine and rounded up; `tests/simcore/results/test_cost.py` compares packets and memory with runs.
SECONDS_AN_EVENT: Final = {"process": 12e-6, "compiled": 0.05e-6}
SECONDS_A_RECORDED_EVENT: Final = 0.6e-6  # its part of the Dataset
BYTES_A_PACKET: Final = 300  # its row of the Dataset, and what making it takes; an ACK is one too
BYTES_AN_EVENT: Final = 40  # its row of the log, and the room that is made for others
BYTES_A_PLACE: Final = 48  # of a window: holes at the receiver, the scoreboard, the clock of Vegas
REPEATED: Final = 1.3  # packets sent for each that the path could deliver
EVENTS_A_LINK: Final = 3  # of a packet: it is enqueued, dequeued and received


class Cost(NamedTuple):
    """What a run needs, about and at most.

    Attributes
    ----------
    packets : float
        Data packets that are sent.
    seconds : float
        CPU time, without compiling.
    memory_bytes : float
        Memory, beside what Python and its libraries take.
    """

    packets: float
    seconds: float
    memory_bytes: float


def cost_of(scenario: Scenario, engine: str, recording: Recording = EVERYTHING) -> Cost:
    """Estimate a run.

    Parameters
    ----------
    scenario : Scenario
        What would be simulated.
    engine : str
        "process" or "compiled"; those on the kernel take as long as what they run.
    recording : Recording
        What would be kept.

    Returns
    -------
    Cost
        Packets, seconds and bytes.
    """
    sent = packets_sent(scenario)
    made = [n * (2 if isinstance(flow, TcpFlow) else 1) for n, flow in zip(sent, scenario.flows, strict=True)]
    hops = [len(path_of(scenario, flow)) for flow in scenario.flows]
    events = EVENTS_A_LINK * sum(n * links for n, links in zip(made, hops, strict=True))
    seconds = scenario.end_s  # of an engine in real time
    if engine in SECONDS_AN_EVENT:
        seconds = events * (SECONDS_AN_EVENT[engine] + SECONDS_A_RECORDED_EVENT * recording.packets)
    places = sum(usable_window(scenario, flow) for flow in scenario.flows if isinstance(flow, TcpFlow))
    logged = recording.packets or engine != "compiled"
    log_bytes = BYTES_AN_EVENT * events + BYTES_A_PACKET * sum(made) if logged else 0.0
    return Cost(sum(sent), seconds, BYTES_A_PLACE * places + log_bytes)


def packets_sent(scenario: Scenario) -> list[float]:
    """The data packets of each flow; TCP flows share the links of the row."""
    sent = [_sent_alone(scenario, flow) for flow in scenario.flows]
    for k, link in enumerate(scenario.row()):
        passing = [i for i, flow in enumerate(scenario.flows) if _passes(scenario, flow, k)]
        sharing = [i for i in passing if isinstance(scenario.flows[i], TcpFlow)]
        offered_bytes = sum(sent[i] * scenario.flows[i].packet_bytes for i in sharing)
        carried_bytes = REPEATED * link.rate_mbps * 1e6 * scenario.end_s / 8.0
        for i in sharing:
            sent[i] *= min(1.0, carried_bytes / offered_bytes)
    return sent


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
