"""A UDP sender with a constant bit rate source: it sends, whatever becomes of its packets."""

from collections.abc import Generator
from itertools import count

from simpy import Environment
from simpy.events import Event

from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder


class CbrSender:
    """One packet every `interval_s` seconds, from `start` until `stop` has happened."""

    def __init__(
        self,
        env: Environment,
        log: Recorder,
        port: Port,
        flow: int,
        packet_bytes: int,
        interval_s: float,
        start: Event,
        stop: Event,
    ) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.packet_bytes = packet_bytes
        self.interval_s = interval_s
        env.process(self.run(start, stop))

    def run(self, start: Event, stop: Event) -> Generator[Event, None, None]:
        """The first packet leaves at the start itself."""
        yield start
        for seq in count():
            uid = self.log.packet_made(self.flow, seq, self.packet_bytes, is_ack=False, repeated=False)
            yield from self.port.put(Packet(uid, self.flow, seq, self.packet_bytes))
            yield self.env.timeout(self.interval_s)
            if stop.processed:
                return
