"""The receiver's side of TCP: what it remembers, and the immediate ACK (ns-2: TCPSink).

Every segment that arrives is answered at once by one cumulative ACK, in order or not.
"""

from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

# What a rule asks its engine to do, as a sum of flags, obeyed in this order.
STOP_TIMER: Final = 1
START_TIMER: Final = 2  # ring after `delay_s`
ACKNOWLEDGE: Final = 4  # send a cumulative ACK for all that arrived in order


@dataclass(slots=True)
class SinkState:
    """What a sink remembers: which segments came early, in a ring that is longer than any window."""

    arrived: MutableSequence[int]  # 1 at position seq % len: arrived, but not yet in order
    delay_s: float  # longest time that an ACK is held back
    next_expected: int = 0
    timer_pending: bool = False


def ring_length(window_packets: int) -> int:
    """Places that a ring needs so that no two outstanding segments of a window share one."""
    return 2 * window_packets + 4


def take_in(sink: SinkState, seq: int) -> None:
    """Keep segment `seq`, and move on past everything that has now arrived in order."""
    places = len(sink.arrived)
    if seq >= sink.next_expected:
        sink.arrived[seq % places] = 1
    while sink.arrived[sink.next_expected % places]:
        sink.arrived[sink.next_expected % places] = 0
        sink.next_expected += 1


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived: acknowledge at once."""
    take_in(sink, seq)
    return ACKNOWLEDGE


def timer_expired(sink: SinkState) -> int:
    """Never asked of an immediate sink, which starts no timer."""
    return ACKNOWLEDGE
