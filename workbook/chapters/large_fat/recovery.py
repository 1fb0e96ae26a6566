"""How long TCP takes to have its window back after one loss: Reno by arithmetic, HighSpeed TCP by RFC 3649.

The RFC's rules are written here as its appendix B computes them, with p(w) = 0.078 / w^1.2, apart from those that the
engines run, `simcore.rules.congestion.highspeed`, which are ns-2's: the one is to check the other.
"""

from math import log
from typing import Final, NamedTuple

LOW_WINDOW: Final = 38.0  # packets; RFC 3649, section 5
HIGH_WINDOW: Final = 83000.0
HIGH_DECREASE: Final = 0.1


def decrease(window: float) -> float:
    """b(w): the part of a window that a loss takes."""
    if window <= LOW_WINDOW:
        return 0.5
    return (HIGH_DECREASE - 0.5) * log(window / LOW_WINDOW) / log(HIGH_WINDOW / LOW_WINDOW) + 0.5


def increase(window: float) -> float:
    """a(w): the packets that a window gains in a round trip."""
    if window <= LOW_WINDOW:
        return 1.0
    b = decrease(window)
    return window * window * float(0.078 / window**1.2) * 2 * b / (2 - b)


def reno_s(window: float, rtt_s: float, packets_per_ack: int = 1) -> float:
    """From half a window to all of it, one packet in every round trip (RFC 5681); half that with delayed ACKs."""
    return window / 2 * rtt_s * packets_per_ack


def highspeed_s(window: float, rtt_s: float, packets_per_ack: int = 1, part_left: float | None = None) -> float:
    """From (1 - b) of a window, or another part of it, to all of it by HighSpeed TCP."""
    left = window * (1 - decrease(window) if part_left is None else part_left)
    round_trips = sum(1 / increase(reached) for reached in range(round(left), round(window)))
    return round_trips * packets_per_ack * rtt_s


class Path(NamedTuple):
    """A path as Reno sees it: what fits into it, what its buffer holds beyond that, both in packets."""

    pipe: float
    buffer: float
    rtt_s: float


class Climb(NamedTuple):
    """What a growing window carries, in packets, and how long that takes."""

    packets: float
    duration_s: float


def climb(path: Path, first: float, last: float, packets_per_ack: int = 1) -> Climb:
    """A window that gains a packet in `packets_per_ack` round trips; beyond the pipe they become longer."""
    empty, full = max(0.0, min(last, path.pipe) - first), max(last, path.pipe) ** 2 - max(first, path.pipe) ** 2
    duration_s = path.rtt_s * (empty + full / (2 * path.pipe))
    return Climb(packets_per_ack * (last**2 - first**2) / 2, packets_per_ack * duration_s)


def reno_packets_a_s(path: Path, first: float, duration_s: float, packets_per_ack: int = 1) -> float:
    """Reno's mean rate: one climb from a window of `first` packets to a full buffer, then halved again and again."""
    top = path.pipe + path.buffer
    once, again = climb(path, first, top, packets_per_ack), climb(path, top / 2, top, packets_per_ack)
    rest_s = duration_s - once.duration_s
    return (once.packets + rest_s * again.packets / again.duration_s) / duration_s
