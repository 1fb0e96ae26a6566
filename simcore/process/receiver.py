"""A TCP receiver: it waits for the next segment, or the timer of a delayed ACK, and does what its rules say."""

from collections.abc import Generator
from dataclasses import dataclass

from simpy.events import Event

from simcore.process.clock import Environment, Mailbox, Timer
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.rules.headers import header
from simcore.rules.receivers import sink


@dataclass(frozen=True)
class ReceiverPlan:
    """What a receiver is made from."""

    flow: int
    state: sink.SinkState
    ack_bytes: int  # without options


class Receiver:
    """The receiver of one TCP flow; its ACKs go out through `port`."""

    def __init__(self, env: Environment, log: Recorder, port: Port, plan: ReceiverPlan) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow, self.state, self.ack_bytes = plan.flow, plan.state, plan.ack_bytes
        options = plan.state.header.rules
        self.writes, self.reads = bool(options.leaves), bool(options.arrived)  # options into packets, and from them
        self.inbox = Mailbox(env)
        self.timer = Timer(env, self.inbox)  # of an ACK that is held back
        env.process(self.run())

    def run(self) -> Generator[Event, Packet | Timer, None]:
        """Wait for the next segment or the timer; then acknowledge all that arrived in order, or hold that back."""
        while True:
            event = yield self.inbox.next()
            if isinstance(event, Packet):
                if self.reads:
                    header.segment_arrived(event.header, self.state.header, self.state, event.seq, self.env.now)
                self.state.arrived_s = self.env.now
                to_do = sink.segment_arrived(self.state, event.seq)
            else:
                to_do = sink.timer_expired(self.state)
            if to_do & sink.STOP_TIMER:
                self.timer.stop()
            if to_do & sink.START_TIMER:
                self.timer.start(self.state.delay_s)
            if to_do & sink.ACKNOWLEDGE:
                yield from self.acknowledge()

    def acknowledge(self) -> Generator[Event, None, None]:
        """Send one ACK."""
        state = self.state
        number = state.next_expected - 1
        taken = header.ack_leaves(state.header, state, self.env.now) if self.writes else 0
        said = header.copied(state.header) if self.writes else state.header
        size = self.ack_bytes + sink.option_bytes(state, taken)
        uid = self.log.packet_made(self.flow, number, size, is_ack=True, repeated=False)
        yield from self.port.put(Packet(uid, self.flow, number, size, said))
