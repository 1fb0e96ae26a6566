"""What a sender of Linux sends: what is lost, then what is new, as long as less than cwnd is under way.

Linux: tcp_xmit_retransmit_queue(), tcp_write_xmit().
"""

from simcore.rules.congestion import control
from simcore.rules.linux import timers
from simcore.rules.linux.connection import (
    EVER_REPEATED,
    LOST,
    PROBE,
    REORDERING,
    REPEATED,
    TIMEOUT,
    Connection,
    in_flight,
    is_reducing,
)
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import NO_SEGMENT, TcpState, in_slow_start, outstanding


def may_send(tcp: TcpState, state: Connection) -> bool:
    """Has the sending loop something to do?"""
    return in_flight(tcp, state) < int(tcp.cwnd) and (state.lost > state.repeated or has_new(tcp))


def has_new(tcp: TcpState) -> bool:
    """Does the receiver's window allow a new segment, and has the application one?"""
    return tcp.next_seq <= tcp.highest_ack + tcp.window and tcp.next_seq < tcp.data_end


def next_segment(tcp: TcpState, state: Connection) -> int:
    """What the sending loop sends now: the first that is lost, or else something new."""
    if in_flight(tcp, state) < int(tcp.cwnd):
        seq = first_lost(tcp, state)
        if seq != NO_SEGMENT:
            return seq
        if has_new(tcp):
            tcp.next_seq += 1
            return tcp.next_seq - 1
    loop_ended(tcp, state)
    return NO_SEGMENT


def first_lost(tcp: TcpState, state: Connection) -> int:
    """The first segment that is lost and was not sent again since."""
    if state.lost > state.repeated:
        for seq in range(tcp.highest_ack + 1, tcp.highest_sent + 1):
            if state.marks[seq % tcp.window] & (LOST | REPEATED) == LOST:
                return seq
    return NO_SEGMENT


def loop_ended(tcp: TcpState, state: Connection) -> None:
    """Nothing more leaves now: was it cwnd that forbade it (Linux: tcp_cwnd_validate())?"""
    is_limited = in_flight(tcp, state) >= int(tcp.cwnd)
    is_more = not state.cwnd_limited and outstanding(tcp) > state.most_outstanding
    if is_limited or (state.sent_new and (tcp.highest_ack >= state.usage_seq or is_more)):
        state.cwnd_limited = is_limited
        state.most_outstanding = outstanding(tcp)
        state.usage_seq = tcp.highest_sent
    state.sent_new = False


def may_grow(tcp: TcpState, state: Connection) -> bool:
    """Was cwnd used? In slow start at least half of it (Linux: tcp_is_cwnd_limited())."""
    return state.cwnd_limited or (in_slow_start(tcp) and int(tcp.cwnd) < 2 * state.most_outstanding)


def segment_sent(tcp: TcpState, state: Connection, seq: int, now: float) -> bool:
    """Note that `seq` was handed to the network; return whether the timer must be started."""
    control.segment_sent(tcp, seq, now)
    place = seq % tcp.window
    state.sent_s[place] = now
    if seq == 0:
        tcp.started_at_s = now
    if is_reducing(state):
        state.prr_out += 1
    if seq <= tcp.highest_sent:
        return sent_again(tcp, state, seq, place)
    nothing_was_outstanding = outstanding(tcp) == 0
    tcp.highest_sent = seq
    state.marks[place] = 0
    state.sent_new = True
    starts = (nothing_was_outstanding or state.pending == PROBE) and timers.set_timeout(tcp, state, now)
    return timers.set_probe(tcp, state, timers.tcp_timeout_left_s(tcp, state, now)) or starts


def sent_again(tcp: TcpState, state: Connection, seq: int, place: int) -> bool:
    """The same for a segment that was sent before: the first outstanding one starts the timer anew."""
    if not state.marks[place] & REPEATED:
        state.marks[place] |= REPEATED | EVER_REPEATED
        state.repeated += 1
    if seq != tcp.highest_ack + 1 or state.pending == REORDERING:
        return False
    state.pending = TIMEOUT
    state.timer_s = rto.timeout_s(tcp)
    return True
