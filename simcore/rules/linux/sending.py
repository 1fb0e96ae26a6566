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
    outstanding,
)
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import NO_SEGMENT, TcpState


def may_send(tcp: TcpState, own: Connection) -> bool:
    """Has the sending loop something to do?"""
    return in_flight(tcp, own) < int(tcp.cwnd) and (own.lost > own.repeated or has_new(tcp))


def has_new(tcp: TcpState) -> bool:
    """Does the receiver's window allow a new segment, and has the application one?"""
    return tcp.next_seq <= tcp.highest_ack + tcp.window and tcp.next_seq < tcp.data_end


def next_segment(tcp: TcpState, own: Connection) -> int:
    """What the sending loop sends now: the first that is lost, or else something new."""
    if in_flight(tcp, own) < int(tcp.cwnd):
        seq = first_lost(tcp, own)
        if seq != NO_SEGMENT:
            return seq
        if has_new(tcp):
            tcp.next_seq += 1
            return tcp.next_seq - 1
    loop_ended(tcp, own)
    return NO_SEGMENT


def first_lost(tcp: TcpState, own: Connection) -> int:
    """The first segment that is lost and was not sent again since."""
    if own.lost > own.repeated:
        for seq in range(tcp.highest_ack + 1, tcp.highest_sent + 1):
            if own.marks[seq % tcp.window] & (LOST | REPEATED) == LOST:
                return seq
    return NO_SEGMENT


def loop_ended(tcp: TcpState, own: Connection) -> None:
    """Nothing more leaves now: was it cwnd that forbade it (Linux: tcp_cwnd_validate())?"""
    is_limited = in_flight(tcp, own) >= int(tcp.cwnd)
    if is_limited or (
        own.sent_new
        and (tcp.highest_ack >= own.usage_seq or (not own.cwnd_limited and outstanding(tcp) > own.most_outstanding))
    ):
        own.cwnd_limited = is_limited
        own.most_outstanding = outstanding(tcp)
        own.usage_seq = tcp.highest_sent
    own.sent_new = False


def may_grow(tcp: TcpState, own: Connection) -> bool:
    """Was cwnd used? In slow start at least half of it (Linux: tcp_is_cwnd_limited())."""
    return own.cwnd_limited or (tcp.cwnd < tcp.ssthresh and int(tcp.cwnd) < 2 * own.most_outstanding)


def segment_sent(tcp: TcpState, own: Connection, seq: int, now: float) -> bool:
    """Note that `seq` was handed to the network; return whether the timer must be started."""
    control.segment_sent(tcp, seq, now)
    place = seq % tcp.window
    own.sent_s[place] = now
    if seq == 0:
        tcp.started_at_s = now
    if is_reducing(own):
        own.prr_out += 1
    if seq <= tcp.highest_sent:
        return sent_again(tcp, own, seq, place)
    nothing_was_outstanding = outstanding(tcp) == 0
    tcp.highest_sent = seq
    own.marks[place] = 0
    own.sent_new = True
    starts = (nothing_was_outstanding or own.pending == PROBE) and timers.set_timeout(tcp, own, now)
    return timers.set_probe(tcp, own, timers.tcp_timeout_left_s(tcp, own, now)) or starts


def sent_again(tcp: TcpState, own: Connection, seq: int, place: int) -> bool:
    """The same for a segment that was sent before: the first outstanding one starts the timer anew."""
    if not own.marks[place] & REPEATED:
        own.marks[place] |= REPEATED | EVER_REPEATED
        own.repeated += 1
    if seq != tcp.highest_ack + 1 or own.pending == REORDERING:
        return False
    own.pending = TIMEOUT
    own.timer_s = rto.timeout_s(tcp)
    return True
