"""HighSpeed TCP (RFC 3649), as ns-2 computes it: large windows grow faster and are cut less.

Above `LOW_WINDOW` the window is to fit another response function: w = 38 at a loss rate of 1.5 / 38^2, and w = 83000
at 1e-7, on a straight line between them in logarithms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.rules.congestion.standard import slow_started
from simcore.rules.elementary import exp, log
from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, TIMEOUT, TcpState, half_window, window, window_in_use
from simcore.rules.why import Why

NAME: Final = "HighSpeed TCP"
SINCE: Final = 2003
RECOVERY: Final = "sack"

LOW_WINDOW: Final = 38.0  # packets; RFC 3649, section 5
HIGH_WINDOW: Final = 83000.0
HIGH_LOSS_RATE: Final = 1e-7
HIGH_DECREASE: Final = 0.1
LOW_LOSS_RATE: Final = 1.5 / (LOW_WINDOW * LOW_WINDOW)  # that of standard TCP; RFC 3649 rounds it to 1e-3

WINDOW_SPAN: Final = log(HIGH_WINDOW) - log(LOW_WINDOW)
LOSS_SPAN: Final = log(HIGH_LOSS_RATE) - log(LOW_LOSS_RATE)
DECREASE_SLOPE: Final = (HIGH_DECREASE - 0.5) / WINDOW_SPAN
DECREASE_AT_ONE: Final = 0.5 - log(LOW_WINDOW) * (HIGH_DECREASE - 0.5) / WINDOW_SPAN
LOSS_SLOPE: Final = LOSS_SPAN / WINDOW_SPAN
LOSS_AT_ONE: Final = log(LOW_LOSS_RATE) - log(LOW_WINDOW) * LOSS_SPAN / WINDOW_SPAN


EXPLANATIONS: Final[Mapping[str, Why]] = {
    "congestion_avoidance": Why(
        "Congestion avoidance of HighSpeed TCP",
        "Above 38 packets cwnd grows by more than one packet every round trip, the faster the larger it is.",
        "RFC 3649, section 5",
    ),
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK: the lost segment is sent again. The larger the window, the smaller the part of it "
        "that is cut off; half of it up to 38 packets.",
        "RFC 3649, section 5",
    ),
}


@dataclass(slots=True)
class State:
    """What HighSpeed TCP remembers."""

    was_cut: bool = False
    decrease: float = 0.5  # the part that the last large window lost


def decrease(cwnd: float) -> float:
    """The part of a window that a loss takes: b(w) of RFC 3649, section 5."""
    return _decrease(log(cwnd))


def increase(cwnd: float) -> float:
    """Packets that a window gains in a round trip: a(w) of RFC 3649, section 5."""
    logarithm = log(cwnd)
    loss_rate = exp(LOSS_AT_ONE + logarithm * LOSS_SLOPE)
    return cwnd * cwnd * loss_rate / (1.0 / _decrease(logarithm) - 0.5)


def _decrease(logarithm: float) -> float:
    return DECREASE_AT_ONE + logarithm * DECREASE_SLOPE


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Grow cwnd for one new ACK."""
    if not slow_started(tcp):
        packets = increase(tcp.cwnd) if tcp.cwnd > LOW_WINDOW else 1.0
        tcp.cwnd += packets / tcp.cwnd
        tcp.cause = CONGESTION_AVOIDANCE


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """Reduce the window.

    ns-2 halves the window for the first loss of a connection and in slow start, and ssthresh also after a timeout.
    """
    half = half_window(tcp)
    is_large = tcp.cwnd > LOW_WINDOW
    if is_large:
        state.decrease = decrease(tcp.cwnd)
    halved = not state.was_cut or tcp.cwnd < tcp.ssthresh
    left = left_of_large(tcp, state.decrease) if is_large else state.decrease * window_in_use(tcp)
    if tcp.whole_packet_cut:
        left = float(int(left))
    tcp.cwnd = half if halved or state.decrease == 0.5 else left
    tcp.ssthresh = half if halved or tcp.last_action == TIMEOUT else left
    state.was_cut = True


def left_of_large(tcp: TcpState, part: float) -> float:
    """What a loss leaves of a large window: ns-2 takes the part from the window itself, not from its whole packets."""
    in_use = window_in_use(tcp) if tcp.flight_size_cut else window(tcp)
    return in_use - part * in_use
