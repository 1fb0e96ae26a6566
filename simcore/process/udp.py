"""A UDP sender: it sends when its source says so, whatever becomes of the packets."""

from collections.abc import Generator
from itertools import count

from simpy import Environment
from simpy.events import Event

from simcore.process.clock import moment
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.rules.mrg32k3a import Stream
from simcore.rules.source import SourceState
from simcore.rules.sources import Source


class UdpSender:
    """Packets of one size, from `start` until `stop` has happened, with random numbers from `stream`."""

    def __init__(
        self,
        env: Environment,
        log: Recorder,
        port: Port,
        flow: int,
        packet_bytes: int,
        rules: Source,
        state: SourceState,
        stream: Stream,
    ) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.packet_bytes = packet_bytes
        self.rules = rules
        self.state = state
        self.stream = stream

    def run(self, start: Event, stop: Event) -> Generator[Event, None, None]:
        """Wait for each packet's time, and send it. The first may leave at the start, in the same event."""
        yield start
        due = self.rules.first_packet_s(self.state, self.stream, self.env.now)
        if due > self.env.now:
            yield moment(self.env, due)
        for seq in count():
            if stop.processed:
                return
            uid = self.log.packet_made(self.flow, seq, self.packet_bytes, is_ack=False, repeated=False)
            yield from self.port.put(Packet(uid, self.flow, seq, self.packet_bytes))
            due = self.rules.next_packet_s(self.state, self.stream, self.env.now)
            yield moment(self.env, due)
