"""The receiver's side of TCP: one cumulative ACK for every segment that arrives, at once (ns-2: TCPSink)."""

from collections.abc import MutableSequence
from dataclasses import dataclass


@dataclass(slots=True)
class SinkState:
    """What a sink remembers: which segments came early, in a ring that is longer than any window."""

    arrived: MutableSequence[int]  # 1 at position seq % len: arrived, but not yet in order
    next_expected: int = 0


def ring_length(window_packets: int) -> int:
    """Places that a ring needs so that no two outstanding segments of a window share one."""
    return 2 * window_packets + 4


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Keep segment `seq`; return the highest sequence number up to which everything has arrived (-1: nothing)."""
    places = len(sink.arrived)
    if seq >= sink.next_expected:
        sink.arrived[seq % places] = 1
    while sink.arrived[sink.next_expected % places]:
        sink.arrived[sink.next_expected % places] = 0
        sink.next_expected += 1
    return sink.next_expected - 1
