"""Standard congestion control: slow start, congestion avoidance, and half of the window after a loss (RFC 5681).

It is also what every other control does where it defines no rule of its own.
"""

from typing import Final

from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, SLOW_START, TcpState, half_window

NAME: Final = "standard TCP"
SINCE: Final = 1988


def data_acknowledged(tcp: TcpState, state: object, now: float) -> None:
    """Grow cwnd for one new ACK (section 3.1)."""
    if not slow_started(tcp):
        tcp.cwnd += 1.0 / tcp.cwnd
        tcp.cause = CONGESTION_AVOIDANCE


def slow_started(tcp: TcpState) -> bool:
    """Below ssthresh grow by the segment acknowledged; is that so?"""
    if tcp.cwnd >= tcp.ssthresh:
        return False
    tcp.cwnd += 1.0
    tcp.cause = SLOW_START
    return True


def loss_detected(tcp: TcpState, state: object, now: float) -> None:
    """Half of the window is left (equation 4). cwnd may end below the least ssthresh, which ns-2 bounds separately."""
    tcp.cwnd = half_window(tcp)
    tcp.ssthresh = tcp.cwnd
