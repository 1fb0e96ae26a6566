"""A TCP sender: it is told what happened, asks its rules what to do, and does it."""

from collections.abc import Callable, Generator

from simpy import Environment
from simpy.events import Event

from simcore.process.clock import happen_at_once
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder
from simcore.rules import ecn, local_congestion, rto, send_jitter, tcp
from simcore.rules.mrg32k3a import Stream
from simcore.rules.scoreboard import Scoreboard
from simcore.rules.variants import Variant
from simcore.setup import SegmentBytes

Rule = Callable[[tcp.TcpState], int]  # what happened, as a function that changes the state and says what to do


class TcpSender:
    """The sender of one TCP flow; its segments go out through `port`, after random delays if it has a send jitter."""

    def __init__(
        self,
        env: Environment,
        log: Recorder,
        port: Port,
        flow: int,
        rules: Variant,
        state: tcp.TcpState,
        sizes: SegmentBytes,
        stream: Stream,
    ) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow = flow
        self.rules = rules
        self.state = state
        self.sizes = sizes
        self.stream = stream
        self.timer: Event | None = None
        self.inbox = env.event()
        env.process(self.run())

    def source_started(self, _: Event) -> None:
        """Called by the clock when the application begins."""
        happen_at_once(self.inbox, tcp.source_started)

    def source_stopped(self, _: Event) -> None:
        """Called by the clock when the application ends."""
        happen_at_once(self.inbox, tcp.source_stopped)

    def ack_arrived(self, ack: Packet) -> None:
        """Called by the link."""
        happen_at_once(self.inbox, lambda state: self.read(ack))

    def timer_rang(self, timer: Event) -> None:
        """Called by the clock; a timer that was started anew since is stale."""
        if timer is self.timer:
            happen_at_once(self.inbox, lambda state: self.rules.timer_expired(state, self.env.now))

    def delay_ended(self, _: Event) -> None:
        """Called by the clock when the sending loop has waited for long enough."""
        happen_at_once(self.inbox, send_jitter.delay_ended)

    def read(self, ack: Packet) -> int:
        """Take in an ACK: what it says of marks first, then its SACK blocks."""
        if self.state.ecn:
            ecn.ack_arrived(self.state, ack.seq, ack.ecn)
            self.note_change()
        if isinstance(self.state, Scoreboard):
            self.state.block_count = len(ack.blocks) // 2
            for i, number in enumerate(ack.blocks):
                self.state.blocks[i] = number
        return self.rules.ack_arrived(self.state, ack.seq, self.env.now)

    def run(self) -> Generator[Event, Rule, None]:
        """Whatever happens: let the rule decide, then send what it allows."""
        while True:
            rule = yield self.inbox
            self.inbox = self.env.event()
            to_do = rule(self.state)
            self.note_change()
            yield from self.act(to_do)

    def note_change(self) -> None:
        """Enter into the log what a rule did to the window, if anything."""
        if self.state.cause:
            self.log.window_changed(self.env.now, self.flow, self.state, rto.timeout_s(self.state))
            self.state.cause = tcp.UNCHANGED

    def act(self, to_do: int) -> Generator[Event, None, None]:
        """Do what a rule asked for, in ns-2's order."""
        state = self.state
        if to_do & tcp.ARM_TIMER:
            self.start_timer()
        if to_do & tcp.RESEND:
            yield from self.send(state.highest_ack + 1)
        if to_do & tcp.SEND_ONE:
            state.next_seq += 1
            yield from self.send(state.next_seq - 1)
        if to_do & tcp.SEND and state.send_jitter_s > 0.0:
            self.hold_back()
        elif to_do & (tcp.SEND | tcp.SEND_NOW):
            while (seq := self.next_segment()) != tcp.NO_SEGMENT:
                yield from self.send(seq)

    def next_segment(self) -> int:
        """What the sending loop sends now. A full interface may refuse to take anything: that is not a loss."""
        when_full = self.port.plan.when_full
        if when_full == "drop" or not self.port.is_full():
            return self.rules.next_segment(self.state)
        if self.rules.may_send(self.state):
            to_do = local_congestion.segment_refused(self.state, reacts=when_full == "congestion")
            self.note_change()
            if to_do & tcp.ARM_TIMER:
                self.start_timer()
        return tcp.NO_SEGMENT

    def send(self, seq: int) -> Generator[Event, None, None]:
        """Send segment `seq`, for the first time or again."""
        size = self.sizes.data if seq > 0 else self.sizes.syn
        repeated = seq <= self.state.highest_sent
        uid = self.log.packet_made(self.flow, seq, size, is_ack=False, repeated=repeated)
        yield from self.port.put(Packet(uid, self.flow, seq, size, ecn.segment_flags(self.state, seq)))
        if self.rules.segment_sent(self.state, seq, self.env.now):
            self.start_timer()

    def hold_back(self) -> None:
        """Let the sending loop wait for a random delay, if it has something to do and does not wait already."""
        if not self.state.held_back and self.rules.may_send(self.state):
            delay_s = send_jitter.delay_begins(self.state, self.stream)
            self.env.timeout(delay_s).callbacks.append(self.delay_ended)

    def start_timer(self) -> None:
        """Start the retransmission timer anew."""
        self.timer = self.env.timeout(rto.timer_started(self.state))
        self.timer.callbacks.append(self.timer_rang)
