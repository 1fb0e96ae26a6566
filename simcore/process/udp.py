"""A UDP sender: it sends when its source says so, whatever becomes of the packets."""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count

from simpy.events import Event, Timeout

from simcore.process.clock import Environment, Until
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.rules.mrg32k3a import Stream
from simcore.rules.sources import source
from simcore.rules.sources.source import SourceState
from simcore.scenario.flows import UdpFlow


@dataclass(frozen=True)
class UdpPlan:
    """What a UDP sender is made from."""

    flow: int
    said: UdpFlow  # in the scenario
    state: SourceState
    stream: Stream  # random numbers of its source


class UdpSender:
    """Packets of one size, from the start until the stop."""

    def __init__(self, env: Environment, log: Recorder, port: Port, plan: UdpPlan) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.plan = plan
        # Before the run, flow by flow: at the same instant applications precede all else.
        self.start, self.stop = Timeout(env, plan.said.start_s), Timeout(env, plan.said.stop_s)
        env.process(self.run())

    def run(self) -> Generator[Event, None, None]:
        """Wait for each packet's time, and send it. The first may leave at the start, in the same event."""
        state, stream = self.plan.state, self.plan.stream
        yield self.start
        due_s = source.first_packet_s(state, stream, self.env.now)
        if due_s > self.env.now:
            yield Timeout(self.env, Until(due_s))
        for seq in count():
            if self.stop.processed:
                return
            yield from self.send(seq)
            yield Timeout(self.env, Until(source.next_packet_s(state, stream, self.env.now)))

    def send(self, seq: int) -> Generator[Event, None, None]:
        """Send one packet."""
        flow, size = self.plan.flow, self.plan.said.packet_bytes
        uid = self.log.packet_made(flow, seq, size, is_ack=False, repeated=False)
        yield from self.port.put(Packet(uid, flow, seq, size))
