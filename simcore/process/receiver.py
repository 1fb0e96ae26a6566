"""A TCP receiver: it is told what arrived, asks its rules whether to acknowledge, and does it."""

from collections.abc import Callable, Generator

from simpy import Environment
from simpy.events import Event

from simcore.process.clock import happen_at_once
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.rules import acknowledgement, ecn_sink, sink
from simcore.rules.sinks import Sink

Rule = Callable[[sink.SinkState], int]  # what happened, as a function that changes the state and says what to do


class Receiver:
    """The sink of one TCP flow; its ACKs go out through `port`."""

    def __init__(
        self, env: Environment, log: Recorder, port: Port, flow: int, rules: Sink, state: sink.SinkState, ack_bytes: int
    ) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.rules = rules
        self.state = state
        self.ack_bytes = ack_bytes
        self.timer: Event | None = None
        self.inbox = env.event()
        env.process(self.run())

    def segment_arrived(self, segment: Packet) -> None:
        """Called by the link."""
        happen_at_once(self.inbox, lambda state: self.read(segment))

    def read(self, segment: Packet) -> int:
        """Take in a segment."""
        if segment.ecn:
            ecn_sink.segment_arrived(self.state, segment.ecn)
        return self.rules.segment_arrived(self.state, segment.seq)

    def timer_rang(self, timer: Event) -> None:
        """Called by the clock; a timer that was stopped since is stale."""
        if timer is self.timer:
            happen_at_once(self.inbox, self.rules.timer_expired)

    def run(self) -> Generator[Event, Rule, None]:
        """Whatever happens: let the rule decide, then acknowledge all that arrived in order, or wait."""
        while True:
            rule = yield self.inbox
            self.inbox = self.env.event()
            to_do = rule(self.state)
            if to_do & sink.STOP_TIMER:
                self.timer = None
            if to_do & sink.START_TIMER:
                self.start_timer()
            if to_do & sink.ACKNOWLEDGE:
                yield from self.acknowledge()

    def acknowledge(self) -> Generator[Event, None, None]:
        """Send one ACK."""
        state = self.state
        number, option_bytes = state.next_expected - 1, acknowledgement.compose(state)
        blocks = state.blocks[: 2 * state.block_count] if option_bytes else ()
        size = self.ack_bytes + option_bytes
        uid = self.log.packet_made(self.flow, number, size, is_ack=True, repeated=False)
        flags = ecn_sink.ack_flags(state) if state.ecn_flags else 0
        yield from self.port.put(Packet(uid, self.flow, number, size, flags, blocks))

    def start_timer(self) -> None:
        """Start the timer of a delayed ACK."""
        self.timer = self.env.timeout(self.state.delay_s)
        self.timer.callbacks.append(self.timer_rang)
