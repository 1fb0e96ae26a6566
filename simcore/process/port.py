"""A router's output port: a queue in front of a transmitter."""

from collections import deque
from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore.log import DEQUEUED, DROPPED, ENQUEUED
from simcore.process.clock import happen_at_once
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.recorder import Recorder
from simcore.rules import droptail, impairment
from simcore.rules.mrg32k3a import Stream


class Port:
    """Packets are put in; those that drop-tail accepts are transmitted onto the link, first come first served."""

    def __init__(self, env: Environment, log: Recorder, link: Link, rate_bps: float, limit: int) -> None:
        self.env = env
        self.log = log
        self.link = link
        self.rate_bps = rate_bps
        self.limit = limit
        self.waiting: deque[Packet] = deque()
        self.impairments: dict[int, tuple[impairment.State, Stream]] = {}  # by flow
        self.work: Event | None = None  # what an idle transmitter waits for
        env.process(self.run())

    def put(self, packet: Packet) -> Generator[Event, None, None]:
        """Offer a packet. When the transmitter is idle it takes the packet before the giver goes on."""
        self.log.event(self.env.now, ENQUEUED, packet.uid, self.link.number)
        decision = self.decision_on(packet)
        is_full = droptail.refuses(len(self.waiting), self.limit)
        if decision == impairment.LOSE or (is_full and decision != impairment.SPARE):
            self.log.event(self.env.now, DROPPED, packet.uid, self.link.number)
            return
        self.waiting.append(packet)
        if self.work:
            work, self.work = self.work, None
            yield happen_at_once(work)

    def decision_on(self, packet: Packet) -> int:
        """Is a packet to be lost or spared on purpose?"""
        if packet.flow not in self.impairments:
            return impairment.QUEUE
        return impairment.packet_came(*self.impairments[packet.flow])

    def run(self) -> Generator[Event, None, None]:
        """The transmitter: send the head of the queue, or rest until there is one."""
        while True:
            if not self.waiting:
                self.work = self.env.event()
                yield self.work
            yield self.send(self.waiting.popleft())

    def send(self, packet: Packet) -> Event:
        """Begin to transmit a packet; return the end of that."""
        self.log.event(self.env.now, DEQUEUED, packet.uid, self.link.number)
        transmission_s = 8.0 * packet.bytes / self.rate_bps
        self.link.carry(packet, transmission_s)
        return self.env.timeout(transmission_s)

    def held(self) -> list[Packet]:
        """The packets that wait."""
        return list(self.waiting)
