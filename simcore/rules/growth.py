"""How a window grows with new ACKs and what a loss leaves of it: chosen for each flow, by name."""

from typing import Final

from simcore.rules import cubic_window, highspeed
from simcore.rules.tcp import CONGESTION_AVOIDANCE, LEAST_SSTHRESH, SLOW_START, TcpState, half_window, window_in_use

GROWTHS: Final = ("standard", "highspeed", "cubic")  # by their numbers
STANDARD: Final = 0
HIGHSPEED: Final = 1
CUBIC: Final = 2


def open_window(tcp: TcpState, now: float) -> None:
    """Grow cwnd for one new ACK: slow start below ssthresh, else congestion avoidance (RFC 5681, section 3.1)."""
    if tcp.cwnd < tcp.ssthresh:
        tcp.cwnd += 1.0
        tcp.cause = SLOW_START
        return
    if tcp.growth == STANDARD:
        tcp.cwnd += 1.0 / tcp.cwnd
    elif tcp.growth == HIGHSPEED:
        highspeed.grow(tcp)
    else:
        cubic_window.grow(tcp, now)
    tcp.cause = CONGESTION_AVOIDANCE


def cut(tcp: TcpState) -> None:
    """Reduce the window after a loss. cwnd may end below the least ssthresh, which ns-2 bounds separately.

    In ns-2 it may end below one packet (with whole packets at 0): then nothing is sent until the timer rings.
    RFC 3168, section 6.1.2, keeps it at one.
    """
    threshold = half_window(tcp)
    if tcp.growth == STANDARD:
        tcp.cwnd = threshold
    elif tcp.growth == HIGHSPEED:
        threshold = highspeed.cut(tcp, window_in_use(tcp), threshold)
    else:
        threshold = cubic_window.cut(tcp, window_in_use(tcp))
    if tcp.flight_size_cut:
        tcp.cwnd = max(tcp.cwnd, 1.0)
    tcp.ssthresh = float(max(int(threshold), LEAST_SSTHRESH))
    tcp.was_cut = True
    tcp.reducing = False
    tcp.was_reduced = True
