"""TCP Tahoe: fast retransmit, but no fast recovery; every loss sends it back to slow start (Jacobson 1988)."""

from simcore.rules import acks, loss
from simcore.rules.tcp import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    ECHOED,
    FAST_RETRANSMIT,
    NOTHING,
    SEND,
    SEND_ONE,
    TcpState,
    may_send_beyond_window,
)

timer_expired = loss.timed_out  # ns-2: Tahoe goes on counting duplicate ACKs where it was


def ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack > tcp.highest_ack:
        return acks.new_ack_arrived(tcp, ack, now)
    if ack == tcp.highest_ack:
        return duplicate_ack_arrived(tcp) | SEND
    return SEND


def duplicate_ack_arrived(tcp: TcpState) -> int:
    """The third one sends the connection back to slow start from the first unacknowledged segment."""
    tcp.duplicate_acks += 1
    if tcp.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(tcp) else NOTHING
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        return NOTHING
    if loss.is_new(tcp):
        loss.start_over(tcp)
    elif tcp.last_action == ECHOED:  # the window was cut, but nothing repaired
        loss.go_back(tcp)
    else:
        return NOTHING
    tcp.last_action = DUPLICATE_ACKS
    tcp.cause = FAST_RETRANSMIT
    return ARM_TIMER
