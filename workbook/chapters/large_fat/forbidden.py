"""The forbidden area of slide 6: which rates s of the slow link a memory of M bytes is too small for.

Memory M suffices if M >= (f - s) / f * s * RTT, that is s^2 - f s + 8 M f / RTT >= 0.
"""

from math import sqrt
from typing import NamedTuple


class Edges(NamedTuple):
    """The rates between which a link is forbidden, in Mb/s."""

    low: float
    high: float


def lowest_rtt_s(fast_mbps: float, memory_bytes: float) -> float:
    """Below this round-trip time nothing is forbidden: even s = f / 2 needs no more memory."""
    return 4 * 8 * memory_bytes / (fast_mbps * 1e6)


def edges_mbps(fast_mbps: float, memory_bytes: float, rtt_s: float) -> Edges | None:
    """The two solutions for s; None where nothing is forbidden."""
    under_root = 1 - lowest_rtt_s(fast_mbps, memory_bytes) / rtt_s
    if under_root < 0:
        return None
    half = fast_mbps / 2
    return Edges(half * (1 - sqrt(under_root)), half * (1 + sqrt(under_root)))


def entry_rtt_s(fast_mbps: float, slow_mbps: float, memory_bytes: float) -> float:
    """From which round-trip time on a link of rate `slow_mbps` is forbidden."""
    return 8 * memory_bytes * fast_mbps / (slow_mbps * (fast_mbps - slow_mbps) * 1e6)


def safe_mbps(fast_mbps: float, slow_mbps: float, memory_bytes: float, rtt_s: float) -> float:
    """The rate of a window that the memory can take as a burst at full speed, in Mb/s on the wire."""
    return 8 * memory_bytes / (rtt_s * (1 - slow_mbps / fast_mbps)) / 1e6


def safe_window_packets(fast_mbps: float, slow_mbps: float, buffer_packets: float) -> float:
    """That window in packets: M f / (f - s)."""
    return buffer_packets * fast_mbps / (fast_mbps - slow_mbps)
