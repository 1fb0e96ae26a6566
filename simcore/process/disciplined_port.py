"""A port whose queue follows a discipline of `simcore.rules.queues.registry`."""

from collections.abc import Generator, Sequence

from simpy.events import Event, Timeout

from simcore.network import topology
from simcore.network.queues import Queue
from simcore.process.clock import Environment, Until
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.results.log import DROPPED, MARKED
from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import discipline, waiting
from simcore.rules.queues.fifo import NOBODY


class DisciplinedPort(Port):
    """The discipline decides which packets are dropped and which one is transmitted next."""

    def __init__(
        self, env: Environment, log: Recorder, link: Link, plan: topology.Port, queue: Queue, stream: Stream
    ) -> None:
        super().__init__(env, log, link, plan)
        self.name, self.queue = queue.rules, queue.state
        self.stream = stream
        self.standing: dict[int, Packet] = {}  # by slot
        env.process(self.keep_time())

    def enqueue(self, packet: Packet, is_spared: bool) -> None:
        """Let a packet wait; whom the discipline drops for it, and whether it is marked, shows at once."""
        slot = waiting.packet_came(self.queue, packet.bytes, self.env.now, packet.header.flags)
        self.standing[slot] = packet
        discipline.arrived(self.queue, self.stream, slot, packet.flow - 1, self.env.now)
        self.tell_drops()
        self.tell_mark(slot)
        if self.log.disciplines:
            state = self.name, self.queue.rules.recorded, self.queue
            self.log.disciplines.note(self.env.now, self.link.number, [state])

    def dequeue(self) -> Packet | None:
        """The packet that the discipline wants to be transmitted next, if any."""
        slot = discipline.next_departure(self.queue, self.env.now)
        self.tell_drops()
        if slot == NOBODY:
            return None
        self.tell_mark(slot)
        return self.taken(slot)

    def keep_time(self) -> Generator[Event, None, None]:
        """Tell the discipline whenever the time has come that it asked for."""
        while self.queue.rules.timer_expired and self.queue.timer_s > self.env.now:
            yield Timeout(self.env, Until(self.queue.timer_s))
            discipline.timer_expired(self.queue, self.stream, self.env.now)
            self.tell_drops()

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
        if packet and packet.header.flags != self.queue.ecn[slot]:
            packet.header.flags = self.queue.ecn[slot]
            self.log.event(self.env.now, MARKED, packet.uid, self.link.number)

    def held(self) -> Sequence[Packet]:
        """The packets that wait."""
        return list(self.standing.values())
