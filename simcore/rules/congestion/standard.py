"""Standard congestion control: congestion avoidance, and half of the window after a loss (RFC 5681).

It is also what every other control does where it defines no rule of its own.
"""

from typing import Final

from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, TcpState, half_window

NAME: Final = "standard TCP"
SINCE: Final = 1988


def data_acknowledged(tcp: TcpState, state: object, now: float) -> None:
    """Grow cwnd for one new ACK past slow start (section 3.1, equation 3)."""
    tcp.cwnd += 1.0 / tcp.cwnd
    tcp.cause = CONGESTION_AVOIDANCE


def loss_detected(tcp: TcpState, state: object, now: float) -> None:
    """Half of the window is left (equation 4). cwnd may end below the least ssthresh, which ns-2 bounds separately."""
    tcp.cwnd = half_window(tcp)
    tcp.ssthresh = tcp.cwnd
