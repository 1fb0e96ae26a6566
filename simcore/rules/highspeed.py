"""HighSpeed TCP (RFC 3649), as ns-2 computes it: large windows grow faster and are cut less.

Above `LOW_WINDOW` the window is to fit another response function: w = 38 at a loss rate of 1.5 / 38^2, and w = 83000
at 1e-7, on a straight line between them in logarithms.
"""

import math
from typing import Final

from simcore.rules.tcp import TIMEOUT, TcpState

LOW_WINDOW: Final = 38.0  # packets; RFC 3649, section 5
HIGH_WINDOW: Final = 83000.0
HIGH_LOSS_RATE: Final = 1e-7
HIGH_DECREASE: Final = 0.1
LOW_LOSS_RATE: Final = 1.5 / (LOW_WINDOW * LOW_WINDOW)  # that of standard TCP; RFC 3649 rounds it to 1e-3

WINDOW_SPAN: Final = math.log(HIGH_WINDOW) - math.log(LOW_WINDOW)
LOSS_SPAN: Final = math.log(HIGH_LOSS_RATE) - math.log(LOW_LOSS_RATE)
DECREASE_SLOPE: Final = (HIGH_DECREASE - 0.5) / WINDOW_SPAN
DECREASE_AT_ONE: Final = 0.5 - math.log(LOW_WINDOW) * (HIGH_DECREASE - 0.5) / WINDOW_SPAN
LOSS_SLOPE: Final = LOSS_SPAN / WINDOW_SPAN
LOSS_AT_ONE: Final = math.log(LOW_LOSS_RATE) - math.log(LOW_WINDOW) * LOSS_SPAN / WINDOW_SPAN


def decrease(cwnd: float) -> float:
    """The part of a window that a loss takes: b(w) of RFC 3649, section 5."""
    return DECREASE_AT_ONE + math.log(cwnd) * DECREASE_SLOPE


def increase(cwnd: float) -> float:
    """Packets that a window gains in a round trip: a(w) of RFC 3649, section 5."""
    loss_rate = math.exp(LOSS_AT_ONE + math.log(cwnd) * LOSS_SLOPE)
    return cwnd * cwnd * loss_rate / (1.0 / decrease(cwnd) - 0.5)


def grow(tcp: TcpState) -> None:
    """Congestion avoidance for one new ACK."""
    packets = increase(tcp.cwnd) if tcp.cwnd > LOW_WINDOW else 1.0
    tcp.cwnd += packets / tcp.cwnd


def cut(tcp: TcpState, in_use: float, half: float) -> float:
    """Reduce the window after a loss; return what ssthresh is to be, in packets.

    ns-2 halves the window for the first loss of a connection and in slow start, and ssthresh also after a timeout.
    """
    if tcp.cwnd > LOW_WINDOW:
        tcp.decrease = decrease(tcp.cwnd)
    halved = not tcp.was_cut or tcp.cwnd < tcp.ssthresh
    after_timeout = tcp.last_action == TIMEOUT
    left = in_use - tcp.decrease * in_use if tcp.cwnd > LOW_WINDOW else tcp.decrease * in_use
    tcp.cwnd = half if halved or tcp.decrease == 0.5 else left
    return half if halved or after_timeout else left
