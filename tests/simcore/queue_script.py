"""A queue discipline alone with us: we say when packets come and when the transmitter is free. No network, no clock."""

from simcore.network.queues import queues_of
from simcore.rules.headers.ecn_bits import EXPERIENCED
from simcore.rules.mrg32k3a import seeded
from simcore.rules.queues import discipline, waiting
from simcore.rules.queues.fifo import NOBODY
from tests.simcore.scenes import scene, udp_flow


class QueueScript:
    """Packets have names; what is dropped is in `dropped`, what is sent with a mark in `marked`, in order."""

    def __init__(self, queue: str, flows: int = 1, **parameters: object) -> None:
        bottleneck = {"rate_mbps": 2, "delay_ms": 10, "queue": queue, **parameters}
        scenario = scene(*[udp_flow(packet_bytes=100)] * flows, bottleneck=bottleneck)
        (made,) = queues_of(scenario)
        assert made is not None
        self.state = made.state
        self.stream = seeded(1)
        self.names: dict[int, str] = {}
        self.dropped: list[str] = []
        self.marked: list[str] = []

    def comes(self, name: str, at_s: float = 0.0, flow: int = 0, size: int = 1000, ecn: int = 0) -> None:
        """A packet comes, with flags of `simcore.rules.headers.ecn_bits`."""
        slot = waiting.packet_came(self.state, size, at_s, ecn)
        self.names[slot] = name
        discipline.arrived(self.state, self.stream, slot, flow, at_s)
        self._note_drops()

    def sends(self, at_s: float = 0.0) -> str | None:
        """The transmitter is free: the packet that it gets."""
        slot = discipline.next_departure(self.state, at_s)
        self._note_drops()
        if slot == NOBODY:
            return None
        waiting.set_free(self.state, slot)
        if self.state.ecn[slot] & EXPERIENCED:
            self.marked.append(self.names[slot])
        return self.names[slot]

    def sends_all(self, at_s: float = 0.0) -> str:
        """The names of all that wait, in the order in which they are sent."""
        sent = []
        while (name := self.sends(at_s)) is not None:
            sent.append(name)
        return " ".join(sent)

    def _note_drops(self) -> None:
        while (slot := waiting.next_dropped(self.state)) != NOBODY:
            self.dropped.append(self.names[slot])
            waiting.set_free(self.state, slot)
