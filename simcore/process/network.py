"""The network of a scenario, built and run: hosts, and routers with the bottlenecks between them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from simcore.network import topology
from simcore.network.states import (
    impairment_state,
    segment_bytes,
    sink_state,
    source_state,
    tcp_state,
)
from simcore.network.streams import random_numbers
from simcore.network.topology import topology_of
from simcore.process.clock import Environment
from simcore.process.disciplined_port import DisciplinedPort
from simcore.process.link import Link, Taker
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.receiver import Receiver, ReceiverPlan
from simcore.process.recorder import Recorder
from simcore.process.router import Router
from simcore.process.sender import SenderPlan, TcpSender
from simcore.process.udp import UdpPlan, UdpSender
from simcore.results.log import Outcome, Recording
from simcore.results.totals import Repairs, totals_of
from simcore.scenario.flows import TcpFlow, UdpFlow
from simcore.scenario.reach import usable_window
from simcore.scenario.scenario import Scenario


def run(scenario: Scenario, recording: Recording, progress: Callable[[float], None] | None) -> Outcome:
    """Simulate until `end_s`. An event at the end itself is out."""
    log = Recorder(recording)
    if recording.states:
        log.record_states(scenario)
    network = Network(scenario, log, Environment())
    if progress:
        for percent in range(1, 100):
            network.env.run(until=scenario.end_s * percent / 100)
            progress(network.env.now)
    network.env.run(until=scenario.end_s)
    return network.outcome(scenario.end_s)


class Network:
    """The simulation's world at t = 0."""

    def __init__(self, scenario: Scenario, log: Recorder, env: Environment) -> None:
        self.env = env
        self.log = log
        self.profile = scenario.profile
        self.ports: list[Port] = []
        self.routers: dict[Port, Router] = {}
        self.repairs: dict[int, Repairs] = {}  # by TCP flow
        self.random = random_numbers(scenario)
        phases = self.random.phases_s.copy()
        plan = topology_of(scenario)
        for port in plan.ports:
            self.ports.append(self.port(port))
        for number, feeders in plan.feeders().items():
            self.ports[number].feeders = [self.ports[feeder] for feeder in feeders]
        for number, (flow, route) in enumerate(zip(scenario.flows, plan.routes, strict=True), start=1):
            self.log.routes[number] = route
            out, back = ([self.ports[link] for link in way] for way in route.ways())
            if flow.is_impaired:
                losses = self.random.streams[self.random.losses[number - 1]]
                self.ports[route.entry].impairments[number] = impairment_state(flow), losses
            if isinstance(flow, TcpFlow):
                self.add_tcp(number, flow, usable_window(scenario, flow), phases.pop(0), out, back)
            else:
                self.add_udp(number, flow, out)

    def port(self, plan: topology.Port) -> Port:
        """A router's port with one direction of a link behind it."""
        link = Link(self.env, self.log, len(self.ports), plan.delay_s)
        if plan.queue is None:
            return Port(self.env, self.log, link, plan)
        stream = self.random.streams[self.random.queues[link.number // 2]]
        return DisciplinedPort(self.env, self.log, link, plan, plan.queue, stream)

    def add_tcp(
        self, number: int, flow: TcpFlow, window: int, boot_s: float, out: list[Port], back: list[Port]
    ) -> None:
        """A sender, its receiver, and the way between them in both directions."""
        profile = self.profile
        sender = SenderPlan(
            flow=number,
            said=flow,
            state=tcp_state(flow, profile, boot_s, window),
            sizes=segment_bytes(flow, profile),
            stream=self.random.streams[self.random.jitters[number - 1]],
        )
        self.repairs[number] = sender.state
        receiver = ReceiverPlan(number, sink_state(flow, profile, window), profile.ack_bytes)
        self.connect(number, back, TcpSender(self.env, self.log, out[0], sender).inbox.put)
        self.connect(number, out, Receiver(self.env, self.log, back[0], receiver).inbox.put)

    def add_udp(self, number: int, flow: UdpFlow, out: list[Port]) -> None:
        """A sender whose packets nobody answers."""
        plan = UdpPlan(
            flow=number,
            said=flow,
            state=source_state(flow),
            stream=self.random.streams[self.random.sources[number - 1]],
        )
        UdpSender(self.env, self.log, out[0], plan)
        self.connect(number, out, discard)

    def connect(self, flow: int, path: Sequence[Port], taker: Taker) -> None:
        """Route a flow's packets from port to port, and from the last link to `taker`."""
        for port, onward in pairwise(path):
            router = self.routers.setdefault(port, Router(self.env))
            router.next_hop[flow] = onward
            port.link.far_end[flow] = router.inbox.put
        path[-1].link.far_end[flow] = taker

    def outcome(self, until_s: float) -> Outcome:
        """What there is to say after a run until then."""
        log, remaining = self.log.log(), self.remaining()
        return Outcome(log, totals_of(log, remaining, self.repairs), remaining, until_s)

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
