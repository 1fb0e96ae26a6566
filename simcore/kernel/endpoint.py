"""One end of a flow whose TCP is the kernel's."""

from collections.abc import Generator
from dataclasses import dataclass, field

from simpy.events import Event

from simcore.kernel.host import Host
from simcore.kernel.real_time import RealTime
from simcore.kernel.recorder import KernelRecorder
from simcore.kernel.segments import Numbering, Segment, marked, parsed
from simcore.process.clock import Mailbox, Timer
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.rules.headers.ecn_bits import EXPERIENCED
from simcore.rules.headers.header import Header


@dataclass
class Flow:
    """What both ends of a flow know."""

    number: int
    numbering: Numbering
    headers: dict[int, tuple[bytes, int]] = field(default_factory=dict)  # by uid, with bytes of payload: all are zeros


class Endpoint:
    """Hands packets to the kernel, and what the kernel sends to `port`."""

    is_receiver: bool

    def __init__(self, env: RealTime, log: KernelRecorder, port: Port, flow: Flow, host: Host) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.host = host
        self.inbox = Mailbox(env)
        self.unasked = Timer(env, self.inbox)  # rings when the kernel has something to say
        env.listeners[host.descriptor] = self.unasked
        env.process(self.run())

    def run(self) -> Generator[Event, Packet | Timer, None]:
        """Wait for a packet, for the kernel or for the application, and send on what the kernel answers."""
        while True:
            event = yield self.inbox.next()
            yield from self.send_on(by_clock=True)  # before the call that it would else pass for the answer to
            if isinstance(event, Packet):
                self.deliver(event)
            elif event is not self.unasked:
                self.application_acts(event)
            yield from self.send_on(by_clock=event is self.unasked)
            while self.application_goes_on():
                yield from self.send_on(by_clock=event is self.unasked)

    def deliver(self, packet: Packet) -> None:
        """Hand a packet to the kernel."""
        header, payload_bytes = self.flow.headers.pop(packet.uid)
        self.env.note_lateness()
        self.note_clock(packet.uid)
        self.host.write((marked(header) if packet.header.flags & EXPERIENCED else header) + bytes(payload_bytes))

    def send_on(self, *, by_clock: bool) -> Generator[Event, None, None]:
        """Send what the kernel has sent: its answer to what happened now, or what it says by its own timers."""
        for raw in self.host.read():
            segment = parsed(raw)
            seq, repeated = self.place(segment)
            uid = self.log.packet_made(
                self.flow.number, seq, len(raw), is_ack=self.is_receiver, repeated=repeated, by_clock=by_clock
            )
            self.note_clock(uid)
            self.note_told(uid, raw, segment)
            self.flow.headers[uid] = raw[: segment.header_bytes], segment.payload_bytes
            yield from self.port.put(Packet(uid, self.flow.number, seq, len(raw), Header(segment.ecn)))

    def note_clock(self, uid: int) -> None:
        """Note what the clock says as the sender gets or has sent a packet: its round trips are measured by that."""
        if not self.is_receiver:
            self.log.packet_clock_s[uid] = self.env.clock_s()

    def note_told(self, uid: int, raw: bytes, segment: Segment) -> None:
        """Note what an ACK tells beside its number: only a receiver sends such."""

    def place(self, segment: Segment) -> tuple[int, bool]:
        """A packet's number, and whether that was sent before."""
        raise NotImplementedError

    def application_acts(self, event: Timer) -> None:
        """It is time for the application to do something."""
        raise NotImplementedError

    def application_goes_on(self) -> bool:
        """Let the application write or read what it can now; return whether the kernel may have more to say."""
        raise NotImplementedError
