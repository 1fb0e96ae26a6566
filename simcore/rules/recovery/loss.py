"""What TCP variants share in taking a loss, told by duplicate ACKs or by silence."""

from simcore.rules.congestion import control
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    ECHOED,
    IDLE_TIMEOUT,
    INFLATED,
    NOTHING,
    RESEND,
    SEND,
    SEND_ONE,
    TIMEOUT,
    TcpState,
    count_fast_retransmit,
    count_timeout,
    may_send_beyond_window,
    window_was_cut,
)


def is_new(tcp: TcpState) -> bool:
    """Do three duplicate ACKs tell of a loss that the window has not been cut for yet?

    ns-2 (bugFix_; RFC 6582, section 3.2): losses of a window that was already cut do not cut it again. The first
    segment after the SYN is excepted, because `recover` begins at 0.
    """
    return tcp.highest_ack > tcp.recover or tcp.highest_ack == 0


def duplicate_ack_arrived(tcp: TcpState, may_retransmit: bool, now: float) -> int:
    """The same ACK came again: a segment left the network, and perhaps the one before it was lost.

    This is fast retransmit and fast recovery (Jacobson 1990; RFC 5681, section 3.2): from the third duplicate ACK on,
    the halved window is inflated by every segment that left. Without `may_retransmit` the third changes nothing,
    unless an echo has cut the window: that it lost segments as well is then known, but not repaired yet.
    """
    tcp.duplicate_acks += 1
    if tcp.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(tcp) else NOTHING
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        if tcp.last_action == DUPLICATE_ACKS:
            tcp.inflation += 1
            tcp.cause = INFLATED
        return SEND
    if may_retransmit:
        retransmit(tcp, now)
    elif tcp.last_action == ECHOED:
        repair(tcp)
    else:
        return SEND
    tcp.inflation = DUPLICATE_ACK_THRESHOLD
    return ARM_TIMER | RESEND | SEND


def retransmit(tcp: TcpState, now: float) -> None:
    """Reduce the window, as the first unacknowledged segment is about to be sent again."""
    detected(tcp, now)
    repair(tcp)


def detected(tcp: TcpState, now: float) -> None:
    """Duplicate ACKs told of a loss."""
    tcp.recover = tcp.highest_sent
    control.loss_detected(tcp, now)
    window_was_cut(tcp)


def repair(tcp: TcpState) -> None:
    """The first unacknowledged segment is about to be sent again."""
    tcp.last_action = DUPLICATE_ACKS
    tcp.timing = False  # Karn: a repeated segment gives no sample
    count_fast_retransmit(tcp)


def start_over(tcp: TcpState, now: float) -> None:
    """Everything outstanding counts as lost because the timer rang: reduce ssthresh, and begin again."""
    tcp.recover = tcp.highest_sent
    control.timer_expired(tcp, now)
    window_was_cut(tcp)
    go_back(tcp)


def go_back(tcp: TcpState) -> None:
    """Back to a window of one and to the first unacknowledged segment: slow start, and go-back-N."""
    tcp.cwnd = 1.0
    tcp.next_seq = tcp.highest_ack + 1
    tcp.timing = False
    tcp.echoes.was_reduced = True


def timer_expired(tcp: TcpState, state: object, now: float) -> int:
    """No ACK in time, which also ends a fast recovery."""
    tcp.inflation = 0
    tcp.duplicate_acks = 0
    return timed_out(tcp, state, now)


def timed_out(tcp: TcpState, state: object, now: float) -> int:
    """No ACK in time. A lost SYN makes the initial window smaller (RFC 5681, section 3.1), the second one a segment."""
    if tcp.highest_ack < 0:
        tcp.initial_window = tcp.lost_syn_window
        tcp.lost_syn_window = 1.0
    return all_lost(tcp, now)


def all_lost(tcp: TcpState, now: float) -> int:
    """Everything outstanding counts as lost (RFC 5681, section 3.1), if there is anything."""
    tcp.timer_pending = False
    tcp.cwnd = max(tcp.cwnd, 1.0)
    was_cut_by_echo = tcp.last_action == ECHOED
    tcp.last_action = TIMEOUT
    if tcp.highest_ack == tcp.highest_sent:
        return nothing_lost(tcp)
    if was_cut_by_echo:  # ns-2: ssthresh is that already
        tcp.recover = tcp.highest_sent
        go_back(tcp)
    else:
        start_over(tcp, now)
    rto.back_off(tcp)
    count_timeout(tcp)
    return ARM_TIMER | SEND


def nothing_lost(tcp: TcpState) -> int:
    """The timer rang although nothing is outstanding: begin again with a window of one, if there is more to send.

    ns-2's timer goes on ringing when there is not. A window below one packet is how a sender that has more gets here.
    """
    tcp.recover = tcp.highest_sent
    tcp.cwnd = 1.0
    tcp.echoes.was_reduced = True
    tcp.cause = IDLE_TIMEOUT
    return ARM_TIMER | SEND if tcp.next_seq < tcp.data_end else NOTHING
