"""A router's output port: a queue in front of a transmitter."""

from collections import deque
from collections.abc import Generator, Sequence
from functools import partial

from simpy.events import Event, Timeout

from simcore.network import topology
from simcore.process.clock import Environment
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.recorder import Recorder
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED
from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import droptail, impairment, pause


class Port:
    """Packets are put in; those that drop-tail accepts are transmitted onto the link, first come first served."""

    def __init__(self, env: Environment, log: Recorder, link: Link, plan: topology.Port) -> None:
        self.env = env
        self.log = log
        self.link = link
        self.plan = plan
        self.rate_bps, self.gap_s, self.limit = plan.rate_bps, plan.gap_s, plan.limit
        self.waiting: deque[Packet] = deque()
        self.impairments: dict[int, tuple[impairment.State, Stream]] = {}  # by flow
        self.work: Event | None = None  # what an idle transmitter waits for
        self.feeders: list[Port] = []  # those whose transmitters pause when this queue says so
        self.is_paused = False
        env.process(self.run())

    def put(self, packet: Packet) -> Generator[Event, None, None]:
        """Offer a packet. When the transmitter is idle it takes one before the giver goes on."""
        self.log.event(self.env.now, ENQUEUED, packet.uid, self.link.number)
        decision = self.decision_on(packet) if self.impairments else impairment.QUEUE
        if decision == impairment.LOSE:
            self.log.event(self.env.now, DROPPED, packet.uid, self.link.number)
            return
        self.enqueue(packet, is_spared=decision == impairment.SPARE)
        if self.work and not self.is_paused:
            work, self.work = self.work, None
            yield work.succeed()
        if self.feeders and pause.must_begin(len(self.waiting), self.plan.high):
            for feeder in self.feeders:
                feeder.is_paused = True

    def decision_on(self, packet: Packet) -> int:
        """Is a packet to be lost or spared on purpose?"""
        if packet.flow not in self.impairments:
            return impairment.QUEUE
        return impairment.packet_came(*self.impairments[packet.flow])

    def is_full(self) -> bool:
        """Would drop-tail refuse a packet now?"""
        return droptail.refuses(len(self.waiting), self.limit)

    def enqueue(self, packet: Packet, is_spared: bool) -> None:
        """Let a packet wait, or drop it."""
        if is_spared or not droptail.refuses(len(self.waiting), self.limit):
            self.waiting.append(packet)
        else:
            self.log.event(self.env.now, DROPPED, packet.uid, self.link.number)

    def dequeue(self) -> Packet | None:
        """The packet to be transmitted next, if there is one."""
        return self.waiting.popleft() if self.waiting else None

    def run(self) -> Generator[Event, None, None]:
        """The transmitter: send one packet after the other, or rest until there is one."""
        while True:
            while self.is_paused or not (packet := self.dequeue()):
                self.work = Event(self.env)
                yield self.work
            sent = self.send(packet)
            if self.feeders and pause.may_end(len(self.waiting), self.plan.low):
                for feeder in self.feeders:
                    feeder.resume()
            yield sent

    def send(self, packet: Packet) -> Event:
        """Begin to transmit a packet; return the end of that."""
        self.log.event(self.env.now, DEQUEUED, packet.uid, self.link.number)
        transmission_s = 8.0 * packet.bytes / self.rate_bps
        self.link.carry(packet, transmission_s)
        return Timeout(self.env, max(transmission_s, self.gap_s))

    def resume(self) -> None:
        """The pause is over: an idle transmitter looks for work, behind what is due now already."""
        if self.is_paused and self.work:
            Timeout(self.env, 0.0).callbacks.append(partial(self.wake, self.work))
            self.work = None
        self.is_paused = False

    def wake(self, work: Event, _: Event) -> None:
        """Called by the environment at the end of a pause."""
        work.succeed()

    def held(self) -> Sequence[Packet]:
        """The packets that wait."""
        return self.waiting
