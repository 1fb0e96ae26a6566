"""The receiver's side of TCP: what it remembers, and the immediate ACK (ns-2: TCPSink).

Every segment that arrives is answered at once by one cumulative ACK, in order or not.
"""

from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules import ranges

# What a rule asks its engine to do, as a sum of flags, obeyed in this order.
STOP_TIMER: Final = 1
START_TIMER: Final = 2  # ring after `delay_s`
ACKNOWLEDGE: Final = 4  # send an ACK for all that arrived (`simcore.rules.acknowledgement`)


@dataclass(slots=True)
class SinkState:
    """What a sink remembers. `early_...` are the ranges of segments that came before one that is still missing."""

    early_starts: MutableSequence[int]
    early_ends: MutableSequence[int]
    blocks: MutableSequence[int]  # the SACK blocks of the last ACK, newest first: start, end, start, end, ...
    selective: bool  # do ACKs carry SACK blocks?
    syn_at_once: bool  # is the SYN acknowledged at once even where ACKs are delayed?
    delay_s: float  # longest time that an ACK is held back
    early_count: int = 0
    block_count: int = 0
    next_expected: int = 0
    last_arrived: int = -1
    timer_pending: bool = False
    ecn_flags: int = 0  # what the segments say that no ACK has answered yet: see `simcore.rules.ecn_sink`
    is_echoing: bool = False  # has a mark come that the sender has not answered yet?


def take_in(sink: SinkState, seq: int) -> None:
    """Keep segment `seq`, and move on past everything that has now arrived in order."""
    sink.last_arrived = seq
    if seq > sink.next_expected:
        sink.early_count = ranges.add(sink.early_starts, sink.early_ends, sink.early_count, seq, seq + 1)
    elif seq == sink.next_expected:
        sink.next_expected += 1
        if sink.early_count > 0 and sink.early_starts[0] == sink.next_expected:
            sink.next_expected = sink.early_ends[0]
            sink.early_count = ranges.forget_below(
                sink.early_starts, sink.early_ends, sink.early_count, sink.next_expected
            )


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived: acknowledge at once."""
    take_in(sink, seq)
    return ACKNOWLEDGE


def timer_expired(sink: SinkState) -> int:
    """Never asked of an immediate sink, which starts no timer."""
    return ACKNOWLEDGE
