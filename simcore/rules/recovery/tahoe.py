"""TCP Tahoe: fast retransmit, but no fast recovery; every loss sends it back to slow start (Jacobson 1988)."""

from collections.abc import Mapping
from typing import Final

from simcore.rules.recovery import loss
from simcore.rules.tcp import acks
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    ECHOED,
    NOTHING,
    SEND,
    SEND_ONE,
    TcpState,
    count_fast_retransmit,
    may_send_beyond_window,
)
from simcore.rules.why import Why

NAME: Final = "TCP Tahoe"
SINCE: Final = 1988
EXPLANATIONS: Final[Mapping[str, Why]] = {
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK: the first unacknowledged segment counts as lost. ssthresh becomes half of the "
        "window, and as Tahoe has no fast recovery, cwnd becomes one packet: slow start.",
        "Jacobson 1988; ns-2: TcpAgent::dupack_action()",
    ),
}

timer_expired = loss.timed_out  # ns-2: Tahoe goes on counting duplicate ACKs where it was


def ack_arrived(tcp: TcpState, state: object, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack > tcp.highest_ack:
        return acks.new_ack_arrived(tcp, ack, now)
    if ack == tcp.highest_ack:
        return duplicate_ack_arrived(tcp, now) | SEND
    return SEND


def duplicate_ack_arrived(tcp: TcpState, now: float) -> int:
    """The third one sends the connection back to slow start from the first unacknowledged segment."""
    tcp.duplicate_acks += 1
    if tcp.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(tcp) else NOTHING
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        return NOTHING
    if loss.is_new(tcp):
        loss.detected(tcp, now)
        loss.go_back(tcp)
    elif tcp.last_action == ECHOED:  # the window was cut, but nothing repaired
        loss.go_back(tcp)
    else:
        return NOTHING
    tcp.last_action = DUPLICATE_ACKS
    count_fast_retransmit(tcp)
    return ARM_TIMER
