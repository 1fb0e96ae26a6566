"""A port whose queue follows a discipline of `simcore.rules.disciplines`."""

from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore import topology
from simcore.log import DROPPED, ENQUEUED, MARKED
from simcore.process.clock import happen_at_once
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.queues import Queue
from simcore.rules import impairment, waiting
from simcore.rules.disciplines import DISCIPLINES
from simcore.rules.fifo import NOBODY
from simcore.rules.mrg32k3a import Stream


class DisciplinedPort(Port):
    """The discipline decides which packets are dropped and which one is transmitted next."""

    def __init__(
        self, env: Environment, log: Recorder, link: Link, plan: topology.Port, queue: Queue, stream: Stream
    ) -> None:
        super().__init__(env, log, link, plan)
        self.rules = DISCIPLINES[queue.rules]
        self.queue = queue.state
        self.stream = stream
        self.standing: dict[int, Packet] = {}  # by slot

    def put(self, packet: Packet) -> Generator[Event, None, None]:
        """Offer a packet. When the transmitter is idle it takes one before the giver goes on."""
        self.log.event(self.env.now, ENQUEUED, packet.uid, self.link.number)
        if self.decision_on(packet) == impairment.LOSE:
            self.log.event(self.env.now, DROPPED, packet.uid, self.link.number)
            return
        slot = waiting.packet_came(self.queue, packet.bytes, self.env.now, packet.ecn)
        self.standing[slot] = packet
        self.rules.arrived(self.queue, self.stream, slot, packet.flow - 1, self.env.now)
        self.tell_drops()
        self.tell_mark(slot)
        if self.work and not self.is_paused:
            work, self.work = self.work, None
            yield happen_at_once(work)

    def run(self) -> Generator[Event, None, None]:
        """The transmitter: send what the discipline says, or rest until there is something."""
        while True:
            while self.is_paused:
                self.work = self.env.event()
                yield self.work
            slot = self.rules.next_departure(self.queue, self.env.now)
            self.tell_drops()
            if slot == NOBODY:
                self.work = self.env.event()
                yield self.work
            else:
                self.tell_mark(slot)
                yield self.send(self.taken(slot))

    def taken(self, slot: int) -> Packet:
        """The packet that stood in a slot which is free from now on."""
        waiting.set_free(self.queue, slot)
        return self.standing.pop(slot)

    def tell_drops(self) -> None:
        """Enter into the log what the discipline dropped."""
        while (slot := waiting.next_dropped(self.queue)) != NOBODY:
            self.log.event(self.env.now, DROPPED, self.taken(slot).uid, self.link.number)

    def tell_mark(self, slot: int) -> None:
        """Write a mark that the packet in `slot` has got onto the packet, and into the log."""
        packet = self.standing.get(slot)
        if packet and packet.ecn != self.queue.ecn[slot]:
            self.standing[slot] = packet._replace(ecn=self.queue.ecn[slot])
            self.log.event(self.env.now, MARKED, packet.uid, self.link.number)

    def held(self) -> list[Packet]:
        """The packets that wait."""
        return list(self.standing.values())
