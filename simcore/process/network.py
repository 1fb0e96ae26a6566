"""The network of a scenario, built and run: hosts, the bottleneck between two routers, links of the flows' own.

Without links of its own a flow's sender stands at the bottleneck's near end and its receiver at the far end:
two nodes, as in the tutorial studies. With them it is a dumbbell.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from simpy import Environment

from simcore import links
from simcore import scenario as sc
from simcore.log import FORWARD, REVERSE, Outcome, Recording, Route
from simcore.process.disciplined_port import DisciplinedPort
from simcore.process.link import Link, Taker
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.receiver import Receiver
from simcore.process.recorder import Recorder
from simcore.process.router import Router
from simcore.process.sender import TcpSender
from simcore.process.udp import UdpSender
from simcore.queues import queue_of
from simcore.rules.sinks import SINKS
from simcore.rules.sources import SOURCES
from simcore.rules.variants import VARIANTS
from simcore.setup import (
    REVERSE_BUFFER_PACKETS,
    random_numbers,
    segment_bytes,
    sink_state,
    source_state,
    tcp_state,
)
from simcore.totals import totals_of


def run(scenario: sc.Scenario, recording: Recording, progress: Callable[[float], None] | None) -> Outcome:
    """Simulate until `end_s`. An event at the end itself is out."""
    network = Network(scenario, recording)
    if progress:
        for percent in range(1, 100):
            network.env.run(until=scenario.end_s * percent / 100)
            progress(network.env.now)
    network.env.run(until=scenario.end_s)
    remaining = network.remaining()
    return Outcome(network.log, totals_of(network.log, remaining), remaining, scenario.end_s)


class Network:
    """The simulation's world at t = 0."""

    def __init__(self, scenario: sc.Scenario, recording: Recording) -> None:
        self.env = Environment()
        self.log = Recorder(recording)
        self.profile = scenario.profile
        self.ports: list[Port] = []
        self.routers: dict[Port, Router] = {}
        phases, self.stream = random_numbers(scenario)
        self.forward = self.add_bottleneck(scenario)
        self.reverse = self.add_port(scenario.bottleneck, REVERSE_BUFFER_PACKETS)
        assert (self.forward.link.number, self.reverse.link.number) == (FORWARD, REVERSE)
        for number, flow in enumerate(scenario.flows, start=1):
            out, back = self.paths(flow)
            self.log.routes[number] = Route(*([port.link.number for port in path] for path in (out, back)))
            if isinstance(flow, sc.TcpFlow):
                self.add_tcp(number, flow, phases.pop(0), out, back)
            else:
                self.add_udp(number, flow, out)

    def add_bottleneck(self, scenario: sc.Scenario) -> Port:
        """The port whose queue is under study."""
        bottleneck, queue = scenario.bottleneck, queue_of(scenario)
        if queue is None:
            assert isinstance(bottleneck, links.DropTail)
            assert bottleneck.buffer_packets is not None
            return self.add_port(bottleneck, bottleneck.buffer_packets)
        line = self.line_of(bottleneck)
        self.ports.append(DisciplinedPort(self.env, self.log, line, bottleneck.rate_mbps * 1e6, queue, self.stream))
        return self.ports[-1]

    def add_port(self, link: links.Line, limit: int) -> Port:
        """A router's port with one direction of a link behind it."""
        self.ports.append(Port(self.env, self.log, self.line_of(link), link.rate_mbps * 1e6, limit))
        return self.ports[-1]

    def line_of(self, link: links.Line) -> Link:
        """One direction of a link."""
        return Link(self.env, self.log, len(self.ports), link.delay_ms * 1e-3)

    def paths(self, flow: sc.Flow) -> tuple[list[Port], list[Port]]:
        """The ports that a flow's packets pass on the way out, and its ACKs on the way back."""
        out, back = [self.forward], [self.reverse]
        if flow.access:
            out.insert(0, self.add_port(flow.access, flow.access.buffer_packets))
            back.append(self.add_port(flow.access, flow.access.buffer_packets))
        if flow.exit:
            out.append(self.add_port(flow.exit, flow.exit.buffer_packets))
            back.insert(0, self.add_port(flow.exit, flow.exit.buffer_packets))
        return out, back

    def add_tcp(self, number: int, flow: sc.TcpFlow, boot_s: float, out: list[Port], back: list[Port]) -> None:
        """A sender, its receiver, and the way between them in both directions."""
        rules, profile = VARIANTS[flow.variant], self.profile
        sizes = segment_bytes(flow, profile)
        state = tcp_state(flow, profile, boot_s)
        sender = TcpSender(self.env, self.log, out[0], number, rules, state, sizes, self.stream)
        sink = sink_state(flow, profile)
        receiver = Receiver(self.env, self.log, back[0], number, SINKS[flow.sink], sink, profile.ack_bytes)
        self.connect(number, out, receiver.segment_arrived)
        self.connect(number, back, sender.ack_arrived)
        # Applications are scheduled before the run, flow by flow: at the same instant they precede all else.
        self.env.timeout(flow.start_s).callbacks.append(sender.source_started)
        self.env.timeout(flow.stop_s).callbacks.append(sender.source_stopped)

    def add_udp(self, number: int, flow: sc.UdpFlow, out: list[Port]) -> None:
        """A sender whose packets nobody answers."""
        rules, state = SOURCES[flow.source], source_state(flow)
        sender = UdpSender(self.env, self.log, out[0], number, flow.packet_bytes, rules, state, self.stream)
        start, stop = self.env.timeout(flow.start_s), self.env.timeout(flow.stop_s)
        self.env.process(sender.run(start, stop))
        self.connect(number, out, discard)

    def connect(self, flow: int, path: Sequence[Port], taker: Taker) -> None:
        """Route a flow's packets from port to port, and from the last link to `taker`."""
        for port, onward in pairwise(path):
            router = self.routers.setdefault(port, Router(self.env))
            router.next_hop[flow] = onward
            port.link.far_end[flow] = router.packet_arrived
        path[-1].link.far_end[flow] = taker

    def remaining(self) -> dict[int, list[int]]:
        """The packets that are still in a queue or on a link, by link."""
        return {
            port.link.number: [
                *(packet.uid for packet in port.held()),
                *(packet.uid for packet, _ in port.link.in_flight),
            ]
            for port in self.ports
        }


def discard(packet: Packet) -> None:
    """What a UDP receiver does with a packet."""
