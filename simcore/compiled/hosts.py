"""Senders, receivers and sources: what happens is told to the rules, and what they ask for is done.

Each source of events has a leaf of its own (see `leaves`). The retransmission timer is lazy: almost every ACK moves it
to a later time, so its leaf only holds a lower bound, which is corrected when it comes up.
"""

from simcore.compiled import disciplined, inside, interfaces, jitter
from simcore.compiled.layout import END_OF_PATH, ROWS_A_PACKET
from simcore.compiled.leaves import APPLICATION, DELAY, RECEIVER_TIMER, SENDER_TIMER, flow_of, kind_of, leaf_of
from simcore.compiled.ports import first_arrived, put
from simcore.compiled.ring import new_id
from simcore.compiled.tournament import NEVER, schedule
from simcore.compiled.view import World
from simcore.results.log import is_worth_keeping
from simcore.rules.headers import header
from simcore.rules.headers.header import Header
from simcore.rules.receivers import sink
from simcore.rules.recovery import recovery
from simcore.rules.sources import source as udp
from simcore.rules.sources.source import SourceState
from simcore.rules.tcp import acks, local_congestion, rto
from simcore.rules.tcp import sender as tcp
from simcore.rules.tcp.sender import TcpState


def packet_arrived(w: World, p: int) -> None:
    """A packet reached the far end of port `p`'s link: it goes on to the next port, or is at its destination."""
    packet = first_arrived(w, p)
    flow, hop = packet.flow, packet.hop + 1
    following = w.paths[2 * flow + packet.is_ack, hop]
    if following != END_OF_PATH:
        put(w, following, packet.uid, flow, packet.seq, packet.bytes, hop, packet.is_ack, packet.header)
    elif packet.is_ack:
        state = w.tcp[flow]
        header_arrived(packet.header, w, flow, packet.seq)
        to_do = acks.ack_arrived(state, packet.seq, w.run[0].now)
        inside.note_state(w, flow)
        obey(w, flow, state, to_do)
    elif w.flows[flow].is_tcp:
        receiver = w.sinks[flow]
        header.segment_arrived(packet.header, receiver.header, receiver, packet.seq, w.run[0].now)
        segment_arrived(w, flow, packet.seq)


def header_arrived(said: Header, w: World, flow: int, ack: int) -> None:
    """Take in what an ACK's header says, before the ACK itself."""
    state = w.tcp[flow]
    header.ack_arrived(said, state.header, state, ack, w.run[0].now)
    note_change(w, flow, state)


def host_event(w: World, leaf: int) -> None:
    """What is due at a flow's end points."""
    if disciplined.timer_rang(w, leaf):
        return
    flow, kind = flow_of(w, leaf), kind_of(w, leaf)
    if kind == RECEIVER_TIMER:
        schedule(w.host_leaves, w.host_winner, leaf, NEVER, 0)
        receive(w, flow, sink.timer_expired(w.sinks[flow]))
    elif w.flows[flow].is_tcp:
        obey(w, flow, w.tcp[flow], sender_event(w, flow, kind, leaf))
    else:
        source_due(w.sources[flow], w, flow, leaf)


def sender_event(w: World, flow: int, kind: int, leaf: int) -> int:
    """One of a TCP sender's timers or its application is due; return what it is to do."""
    if kind == SENDER_TIMER:
        return timer_due(w, flow, leaf)
    if kind == DELAY:
        return jitter.delay_ended(w.tcp[flow], w, flow)
    return application_due(w, flow, leaf)


def schedule_applications(w: World) -> None:
    """Before the run, flow by flow: start and stop, which precede everything else at the same instant. Then queues."""
    for flow in range(len(w.flows)):
        schedule(w.host_leaves, w.host_winner, leaf_of(flow, APPLICATION), w.flows[flow].start_s, 2 * flow)
    w.run[0].id = 2 * len(w.flows)
    disciplined.schedule_timers(w)


def application_due(w: World, flow: int, leaf: int) -> int:
    """A TCP application starts or stops; return what its sender is to do."""
    starts = w.host_leaves[leaf].id % 2 == 0
    schedule(w.host_leaves, w.host_winner, leaf, w.flows[flow].stop_s if starts else NEVER, 2 * flow + 1)
    return tcp.source_started(w.tcp[flow]) if starts else tcp.source_stopped(w.tcp[flow])


def source_due(state: SourceState, w: World, flow: int, leaf: int) -> None:
    """A UDP source starts, or its next packet is due. The first may leave at the start, in the same event."""
    source, now = w.flows[flow], w.run[0].now
    stream = w.streams[source.stream]
    due = now
    if not source.is_running:
        source.is_running = True
        due = udp.first_packet_s(state, stream, now)
    if now >= source.stop_s:
        due = NEVER
    elif due == now:
        uid = packet_made(w, flow, source.next_seq, source.data_bytes, False, False)
        put(w, w.paths[2 * flow, 0], uid, flow, source.next_seq, source.data_bytes, 0, False, w.tcp[flow].header)
        source.next_seq += 1
        due = udp.next_packet_s(state, stream, now)
    schedule(w.host_leaves, w.host_winner, leaf, due, new_id(w))


def timer_due(w: World, flow: int, leaf: int) -> int:
    """The retransmission timer rings, or its leaf learns how much later it will; return what the sender is to do."""
    source, key = w.flows[flow], w.host_leaves[leaf]
    rings = source.deadline_s == key.time and source.deadline_id == key.id
    if rings:
        source.deadline_s = NEVER
    schedule(w.host_leaves, w.host_winner, leaf, source.deadline_s, source.deadline_id)
    if not rings:
        return tcp.NOTHING
    to_do = recovery.timer_expired(w.tcp[flow], w.run[0].now)
    inside.note_state(w, flow)
    return to_do


def start_sender_timer(w: World, flow: int, state: TcpState) -> None:
    """Start the retransmission timer anew."""
    source, leaf = w.flows[flow], leaf_of(flow, SENDER_TIMER)
    source.deadline_s = w.run[0].now + rto.timer_started(state)
    source.deadline_id = new_id(w)
    if source.deadline_s < w.host_leaves[leaf].time:
        schedule(w.host_leaves, w.host_winner, leaf, source.deadline_s, source.deadline_id)


def obey(w: World, flow: int, state: TcpState, to_do: int) -> None:
    """Note what a rule changed, and do what it asked for, in the order that the rules have for that."""
    note_change(w, flow, state)
    while to_do:
        request = tcp.next_request(to_do)
        if request == tcp.ARM_TIMER:
            start_sender_timer(w, flow, state)
        else:
            seq = segment_for(w, flow, state, request)
            if seq == tcp.NO_SEGMENT:
                return
            send(w, flow, state, seq)
        to_do = tcp.left_to_do(to_do, request)


def segment_for(w: World, flow: int, state: TcpState, request: int) -> int:
    """The segment that a request is about; none if the sending loop has nothing to send, or must not yet."""
    if request < tcp.SEND:
        return tcp.segment_asked_for(state, request)
    if jitter.must_wait(state, w, flow, request):
        return tcp.NO_SEGMENT
    if interfaces.refuses_segment(w.ports[w.paths[2 * flow, 0]]):
        segment_refused(w, flow, state)
        return tcp.NO_SEGMENT
    return recovery.next_segment(state)


def segment_refused(w: World, flow: int, state: TcpState) -> None:
    """The host's interface is full: that is not a loss, but the sender must wait, and may take it for congestion."""
    if not recovery.may_send(state):
        return
    reacts = interfaces.tells_congestion(w.ports[w.paths[2 * flow, 0]])
    to_do = local_congestion.segment_refused(state, reacts, w.run[0].now)
    note_change(w, flow, state)
    if to_do & tcp.ARM_TIMER:
        start_sender_timer(w, flow, state)


def send(w: World, flow: int, state: TcpState, seq: int) -> None:
    """Send segment `seq`, for the first time or again."""
    source = w.flows[flow]
    size = source.data_bytes if seq > 0 else source.syn_bytes
    size += header.segment_leaves(state.header, state, seq, w.run[0].now)
    uid = packet_made(w, flow, seq, size, False, seq <= state.highest_sent)
    put(w, w.paths[2 * flow, 0], uid, flow, seq, size, 0, False, state.header)
    if recovery.segment_sent(state, seq, w.run[0].now):
        start_sender_timer(w, flow, state)


def segment_arrived(w: World, flow: int, seq: int) -> None:
    """A segment reached its receiver."""
    state = w.sinks[flow]
    state.arrived_s = w.run[0].now
    receive(w, flow, sink.segment_arrived(state, seq))


def receive(w: World, flow: int, to_do: int) -> None:
    """Do what a sink's rule asked for."""
    state, leaf = w.sinks[flow], leaf_of(flow, RECEIVER_TIMER)
    if to_do & sink.STOP_TIMER:
        schedule(w.host_leaves, w.host_winner, leaf, NEVER, 0)
    if to_do & sink.START_TIMER:
        schedule(w.host_leaves, w.host_winner, leaf, w.run[0].now + state.delay_s, new_id(w))
    if to_do & sink.ACKNOWLEDGE:
        taken = header.ack_leaves(state.header, state, w.run[0].now)
        size = w.flows[flow].ack_bytes + sink.option_bytes(state, taken)
        number = state.next_expected - 1
        uid = packet_made(w, flow, number, size, True, False)
        put(w, w.paths[2 * flow + 1, 0], uid, flow, number, size, 0, True, state.header)


def packet_made(w: World, flow: int, seq: int, size: int, is_ack: bool, repeated: bool) -> int:
    """Enter a new packet into the log; return its uid."""
    run = w.run[0]
    uid = run.uid
    run.uid += 1
    w.flows[flow].retransmitted += repeated
    if run.recording:
        row = w.packets[uid]
        row.flow = flow + 1
        row.seq = seq
        row.bytes = size
        row.is_ack = is_ack
        row.repeated = repeated
        if run.uid + ROWS_A_PACKET * run.burst > len(w.packets):
            run.crowded = True
    return uid


def note_change(w: World, flow: int, state: TcpState) -> None:
    """Note what a rule did to a sender's window, if anything."""
    if state.cause:
        window_changed(w, flow, state)
        state.cause = tcp.UNCHANGED


def window_changed(w: World, flow: int, state: TcpState) -> None:
    """Enter a sender's window into the log, if it is to be kept."""
    run, source = w.run[0], w.flows[flow]
    if not is_worth_keeping(state.cause, run.now - source.last_kept_s, run.window_interval_s):
        return
    source.last_kept_s = run.now
    row = w.updates[run.update]
    row.s = run.now
    row.flow = flow + 1
    row.cwnd = state.cwnd
    row.ssthresh = state.ssthresh
    row.inflation = state.inflation
    row.rto_s = rto.timeout_s(state)
    row.cause = state.cause
    run.update += 1
    if run.update + ROWS_A_PACKET * run.burst > len(w.updates):
        run.crowded = True
