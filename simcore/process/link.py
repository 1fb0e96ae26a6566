"""A link: it carries packets to its far end, in order, each in a fixed delay after its transmission."""

from collections import deque
from collections.abc import Callable, Generator

from simpy.events import Event, Timeout

from simcore.process.clock import Environment
from simcore.process.packet import Packet
from simcore.process.recorder import Recorder
from simcore.results.log import RECEIVED

Taker = Callable[[Packet], None]  # who takes an arrival: the mailbox of a receiver, of a sender or of the next router


class Link:
    """One direction of a link. `far_end` says for each flow who takes its packets there."""

    def __init__(self, env: Environment, log: Recorder, number: int, delay_s: float) -> None:
        self.env = env
        self.log = log
        self.number = number
        self.delay_s = delay_s
        self.far_end: dict[int, Taker] = {}
        self.in_flight: deque[tuple[Packet, Timeout]] = deque()  # the arrivals to come, that in transmission included
        self.occupied: Event | None = None  # what an empty link waits for
        env.process(self.run())

    def carry(self, packet: Packet, transmission_s: float) -> None:
        """Take a packet whose transmission begins now."""
        # One sum, as in ns-2: adding the two one after the other gives other last bits, and other ties.
        self.in_flight.append((packet, Timeout(self.env, transmission_s + self.delay_s)))
        if self.occupied:
            self.occupied.succeed()
            self.occupied = None

    def run(self) -> Generator[Event, None, None]:
        """Wait for one arrival after the other, and hand each packet over."""
        while True:
            if not self.in_flight:
                self.occupied = Event(self.env)
                yield self.occupied
            packet, arrival = self.in_flight[0]
            yield arrival
            self.in_flight.popleft()
            self.log.event(self.env.now, RECEIVED, packet.uid, self.number)
            self.far_end[packet.flow](packet)
