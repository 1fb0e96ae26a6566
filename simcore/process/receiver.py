"""A TCP receiver: it acknowledges every segment that arrives."""

from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore.log import Log
from simcore.process.clock import happen_at_once
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.rules import sink


class Receiver:
    """The sink of one TCP flow; its ACKs go out through `port`."""

    def __init__(self, env: Environment, log: Log, port: Port, flow: int, window: int, ack_bytes: int) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.ack_bytes = ack_bytes
        self.state = sink.SinkState(arrived=bytearray(sink.ring_length(window)))
        self.inbox = env.event()
        env.process(self.run())

    def segment_arrived(self, segment: Packet) -> None:
        """Called by the link."""
        happen_at_once(self.inbox, segment)

    def run(self) -> Generator[Event, Packet, None]:
        """Answer each segment with one cumulative ACK."""
        while True:
            segment = yield self.inbox
            self.inbox = self.env.event()
            number = sink.segment_arrived(self.state, segment.seq)
            uid = self.log.packet_made(self.flow, number, self.ack_bytes, is_ack=True, repeated=False)
            yield from self.port.put(Packet(uid, self.flow, number, self.ack_bytes))
