"""A TCP sender: it waits for the next ACK or the timer, and does what its rules say.

The rules know no time and no packets: `simcore.rules` says what an ACK means, this process sends the segments.
"""

from collections.abc import Generator
from dataclasses import dataclass

from simpy.events import Event

from simcore.network.states import SegmentBytes
from simcore.process.clock import Environment, Mailbox, Timer
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.recorder import Recorder, States
from simcore.rules.headers import header
from simcore.rules.mrg32k3a import Stream
from simcore.rules.tcp import acks, local_congestion, rto, send_delay
from simcore.rules.tcp import sender as tcp
from simcore.scenario.flows import TcpFlow


@dataclass(frozen=True)
class SenderPlan:
    """What a TCP sender is made from."""

    flow: int
    said: TcpFlow  # in the scenario
    state: tcp.TcpState
    sizes: SegmentBytes
    stream: Stream  # random numbers of its delays


class TcpSender:
    """The sender of one TCP flow; its segments go out through `port`."""

    def __init__(self, env: Environment, log: Recorder, port: Port, plan: SenderPlan) -> None:
        self.env = env
        self.log = log
        self.port = port
        self.flow, self.state, self.sizes = plan.flow, plan.state, plan.sizes
        self.recovery, self.recovery_state = plan.state.recovery, plan.state.recovery_state
        self.stream = plan.stream
        options = plan.state.header.rules
        self.writes, self.reads = bool(options.leaves), bool(options.arrived)  # options into packets, and from them
        self.may_wait = plan.state.control.paces or plan.state.send_jitter_s > 0.0
        self.may_be_refused = port.plan.when_full != "drop"
        self.inbox = Mailbox(env)
        self.timer = Timer(env, self.inbox)  # retransmission
        self.delay = Timer(env, self.inbox)  # before the sending loop
        self.application_starts = Timer(env, self.inbox)
        self.application_stops = Timer(env, self.inbox)
        # Before the run, flow by flow: at the same instant applications precede all else.
        self.application_starts.start(plan.said.start_s)
        self.application_stops.start(plan.said.stop_s)
        env.process(self.run())

    def run(self) -> Generator[Event, Packet | Timer, None]:
        """Wait for the next ACK or the timer, or whatever else concerns a sender; ask the rules, and obey."""
        while True:
            event = yield self.inbox.next()
            if isinstance(event, Packet):
                to_do = self.ack_arrived(event)
                if self.log.states:
                    self.note_states(self.log.states)
            elif event is self.timer:
                to_do = self.recovery.timer_expired(self.state, self.recovery_state, self.env.now)
                if self.log.states:
                    self.note_states(self.log.states)
            elif event is self.delay:
                to_do = send_delay.delay_ended(self.state)
            elif event is self.application_starts:
                to_do = tcp.source_started(self.state)
            else:
                to_do = tcp.source_stopped(self.state)
            if self.state.cause:
                self.note_change()
            yield from self.obey(to_do)

    def ack_arrived(self, ack: Packet) -> int:
        """Take in an ACK: what its header says first."""
        if self.reads:
            header.ack_arrived(ack.header, self.state.header, self.state, ack.seq, self.env.now)
            if self.state.cause:
                self.note_change()
        return acks.ack_arrived(self.state, ack.seq, self.env.now)

    def obey(self, to_do: int) -> Generator[Event, None, None]:
        """Do what a rule asked for, one request after the other, in the order that the rules have for that."""
        while to_do:
            request, to_do = tcp.IN_ORDER[to_do]
            if request == tcp.ARM_TIMER:
                self.start_timer()
            elif (seq := self.segment_for(request)) != tcp.NO_SEGMENT:
                yield from self.send(seq)
            else:
                return

    def segment_for(self, request: int) -> int:
        """The segment that a request is about; none if the sending loop has nothing to send, or must not yet."""
        if request < tcp.SEND:
            return tcp.segment_asked_for(self.state, request)
        if (self.may_wait and self.must_wait(request)) or (self.may_be_refused and self.is_refused()):
            return tcp.NO_SEGMENT
        return self.recovery.next_segment(self.state, self.recovery_state)

    def must_wait(self, request: int) -> bool:
        """Must the sending loop wait? Its delay begins if there is something to send, and none runs yet."""
        state = self.state
        if request == tcp.SEND_NOW:
            return False
        if not state.held_back and self.recovery.may_send(state, self.recovery_state):
            wait_s = send_delay.delay_s(state, request, self.stream, self.env.now)
            if state.held_back:
                self.delay.start(wait_s)
        return state.held_back

    def is_refused(self) -> bool:
        """Does the host's full interface refuse to take anything? That is not a loss, but may pass for congestion."""
        if not self.port.is_full():
            return False
        if self.recovery.may_send(self.state, self.recovery_state):
            reacts = self.port.plan.when_full == "congestion"
            to_do = local_congestion.segment_refused(self.state, reacts, self.env.now)
            if self.state.cause:
                self.note_change()
            if to_do & tcp.ARM_TIMER:
                self.start_timer()
        return True

    def send(self, seq: int) -> Generator[Event, None, None]:
        """Send segment `seq`, for the first time or again."""
        size, said = self.sizes.data if seq > 0 else self.sizes.syn, self.state.header
        if self.writes:
            size += header.segment_leaves(said, self.state, seq, self.env.now)
            said = header.copied(said)
        repeated = seq <= self.state.highest_sent
        uid = self.log.packet_made(self.flow, seq, size, is_ack=False, repeated=repeated)
        yield from self.port.put(Packet(uid, self.flow, seq, size, said))
        if self.recovery.segment_sent(self.state, self.recovery_state, seq, self.env.now):
            self.start_timer()

    def start_timer(self) -> None:
        """Start the retransmission timer anew."""
        self.timer.start(rto.timer_started(self.state))

    def note_states(self, log: States) -> None:
        """Enter into the log what the rules record of their states, as is asked for."""
        tcp = self.state
        control, slow_start = (tcp.control, tcp.control_state), (tcp.slow_start, tcp.slow_start_state)
        pairs = (self.recovery, self.recovery_state), control, slow_start
        log.note(self.env.now, self.flow, [(rules.name, rules.recorded, state) for rules, state in pairs])

    def note_change(self) -> None:
        """Enter into the log what a rule did to the window."""
        self.log.window_changed(self.env.now, self.flow, self.state, rto.timeout_s(self.state))
        self.state.cause = tcp.UNCHANGED
