"""TCP Reno: fast retransmit and fast recovery (Jacobson 1990; RFC 5681, section 3.2), as ns-2 does them.

Events are told in the past tense; each returns what the sender is to do (the flags of `simcore.rules.tcp`).
"""

from simcore.rules import rto
from simcore.rules.tcp import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    EXITED,
    FAST_RETRANSMIT,
    IDLE_TIMEOUT,
    INFLATED,
    LEAST_SSTHRESH,
    NOTHING,
    OPENED,
    RECOVERY_ENDED,
    RESEND,
    SEND,
    SEND_ONE,
    TIMED_OUT,
    TIMEOUT,
    TcpState,
    half_window,
    may_send_beyond_window,
    open_window,
)


def ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack > tcp.highest_ack:
        return new_ack_arrived(tcp, ack, now)
    if ack == tcp.highest_ack:
        return duplicate_ack_arrived(tcp, ack)
    return SEND if tcp.duplicate_acks == 0 or tcp.duplicate_acks >= DUPLICATE_ACK_THRESHOLD else NOTHING


def new_ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """New data were acknowledged: recovery is over, the window opens, the timer starts anew."""
    if tcp.recovery_exit_marked and tcp.last_action == DUPLICATE_ACKS:
        # From 2003-07-29 to 2005-07-13 ns-2 compared here where it meant to assign, so that the mark stayed:
        # a later third duplicate ACK could then cut the window again, and others went on inflating it.
        tcp.last_action = EXITED
    was_inflated = tcp.inflation > 0
    tcp.inflation = 0
    tcp.duplicate_acks = 0
    tcp.highest_ack = ack
    tcp.next_seq = max(tcp.next_seq, ack + 1)
    if tcp.timing and ack >= tcp.timed_seq:
        rto.round_trip_ended(tcp, now)
    open_window(tcp)
    if was_inflated:
        tcp.cause = RECOVERY_ENDED
    if ack == 0:  # the SYN's: RFC 5681, section 3.1, equation (1) begins here
        tcp.cwnd = tcp.initial_window
        tcp.cause = OPENED
    return ARM_TIMER | SEND


def duplicate_ack_arrived(tcp: TcpState, ack: int) -> int:
    """The same ACK came again: a segment left the network, and perhaps the one before it was lost."""
    tcp.duplicate_acks += 1
    if tcp.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(tcp) else NOTHING
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        if tcp.last_action == DUPLICATE_ACKS:
            tcp.inflation += 1
            tcp.cause = INFLATED
        return SEND
    if ack > tcp.recover or tcp.last_action == DUPLICATE_ACKS or ack == 0:
        return fast_retransmit(tcp)
    return SEND  # ns-2 (bugFix_): losses of a window that was already cut do not cut it again


def fast_retransmit(tcp: TcpState) -> int:
    """Repair the segment that three duplicate ACKs ask for; halve the window, then let it float on duplicates."""
    tcp.recover = tcp.highest_sent
    cut(tcp)
    tcp.last_action = DUPLICATE_ACKS
    tcp.timing = False  # Karn: a repeated segment gives no sample
    tcp.inflation = DUPLICATE_ACK_THRESHOLD
    tcp.cause = FAST_RETRANSMIT
    return ARM_TIMER | RESEND | SEND


def cut(tcp: TcpState) -> None:
    """Halve the window. cwnd may end below the least ssthresh, which ns-2 bounds separately."""
    half = half_window(tcp)
    tcp.ssthresh = float(max(int(half), LEAST_SSTHRESH))
    tcp.cwnd = half


def timer_expired(tcp: TcpState) -> int:
    """No ACK in time: back to slow start from the first unacknowledged segment (RFC 5681, section 3.1; go-back-N)."""
    tcp.timer_pending = False
    tcp.inflation = 0
    tcp.duplicate_acks = 0
    tcp.cwnd = max(tcp.cwnd, 1.0)
    if tcp.highest_ack == tcp.highest_sent:
        tcp.cwnd = 1.0
        tcp.cause = IDLE_TIMEOUT
        return NOTHING
    tcp.recover = tcp.highest_sent
    if tcp.highest_ack < 0:
        tcp.initial_window = 1.0  # RFC 5681, section 3.1: a lost SYN makes the initial window one segment
    cut(tcp)
    tcp.cwnd = 1.0
    tcp.last_action = TIMEOUT
    rto.back_off(tcp)
    tcp.next_seq = tcp.highest_ack + 1
    tcp.timing = False
    tcp.cause = TIMED_OUT
    return ARM_TIMER | SEND
