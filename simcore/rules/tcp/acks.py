"""What TCP senders share in taking an ACK."""

from simcore.rules.congestion import control
from simcore.rules.recovery import recovery
from simcore.rules.slow_start import slow_start
from simcore.rules.tcp import ecn, local_congestion, rto
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DUPLICATE_ACKS,
    EXITED,
    OPENED,
    RECOVERY_ENDED,
    SEND,
    TcpState,
)


def ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """An ACK arrived: the control is told, loss recovery decides what the sender is to do, the control may act."""
    control.ack_arrived(tcp, ack, now)
    to_do = recovery.ack_arrived(tcp, ack, now)
    control.ack_taken_in(tcp, now)
    return to_do


def new_ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """New data were acknowledged: recovery is over, the window opens, the timer starts anew."""
    if tcp.recovery_exit_marked and tcp.last_action == DUPLICATE_ACKS:
        # From 2003-07-29 to 2005-07-13 ns-2's Reno compared here where it meant to assign, NewReno until 2004-08-17,
        # so that the mark stayed: later duplicate ACKs went on inflating the window, and a third one could cut
        # Reno's again.
        tcp.last_action = EXITED
    was_inflated = tcp.inflation > 0
    tcp.inflation = 0
    take_in(tcp, ack, now)
    if tcp.interface.reducing:
        local_congestion.reduce(tcp)
    elif ecn.lets_window_open(tcp):
        slow_start.data_acknowledged(tcp, now)
    ecn.new_ack_taken_in(tcp)
    if was_inflated:
        tcp.cause = RECOVERY_ENDED
    if ack == 0:  # the SYN's: RFC 5681, section 3.1, equation (1) begins here
        tcp.cwnd = tcp.initial_window
        tcp.cause = OPENED
    return ARM_TIMER | SEND


def take_in(tcp: TcpState, ack: int, now: float) -> None:
    """Note what was acknowledged, and what that says about the round-trip time (ns-2: newack())."""
    tcp.duplicate_acks = 0
    tcp.highest_ack = ack
    tcp.next_seq = max(tcp.next_seq, ack + 1)
    if tcp.timing and ack >= tcp.timed_seq:
        rto.round_trip_ended(tcp, now)
        control.round_trip_measured(tcp, now - tcp.timed_at_s, now)
