"""What a TCP sink is: the parts of its module, what every sink remembers, and how it takes a segment in.

Its engine tells it of events by `segment_arrived` and `timer_expired`, whichever sink it is; the compiled engine
replaces each by the rules that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from simcore.rules import ranges
from simcore.rules.headers.header import Header

# What a rule asks its engine to do, as a sum of flags, obeyed in this order.
STOP_TIMER: Final = 1
START_TIMER: Final = 2  # ring after `delay_s`
ACKNOWLEDGE: Final = 4  # send an ACK for all that arrived in order


@dataclass(slots=True)
class SinkState:
    """What a sink remembers. `early_...` are the ranges of segments that came before one that is still missing."""

    rules: "Sink"  # that it follows
    early_starts: MutableSequence[int]
    early_ends: MutableSequence[int]
    header: Header  # what the next ACK says
    syn_at_once: bool  # is the SYN acknowledged at once even where ACKs are delayed?
    delay_s: float  # longest time that an ACK is held back
    syn_option_bytes: int = 0  # in the ACK of the SYN
    most_sack_blocks: int = 3  # ns-2: maxSackBlocks_
    sack_option_bytes: int = 0  # of an option with SACK blocks, beside these
    quick_acks: int = 0  # segments that are yet to be acknowledged at once even where ACKs are delayed
    quick_again: int = 0  # as many after a segment that came twice, or after a pause
    push_every: int = 0  # of so many segments one asks to be acknowledged at once; 0: none does
    least_timeout_s: float = 0.0
    timeout_s: float = 0.0  # the receiver's own, as the handshake's round trip makes it
    arrived_s: float = 0.0  # when the segment came that is being taken in: the engine says so
    in_order_s: float = 0.0  # when the last one in order came
    early_count: int = 0
    next_expected: int = 0
    last_arrived: int = -1
    timer_pending: bool = False
    ecn_flags: int = 0  # what the segments say that no ACK has answered yet: see `simcore.rules.headers.ecn`
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


def option_bytes(sink: SinkState, taken: int) -> int:
    """What options take in the ACK that is about to leave; that of a SYN has the handshake's, not those of others."""
    answers_syn = sink.syn_option_bytes > 0 and sink.last_arrived == 0 and sink.next_expected == 1
    return sink.syn_option_bytes if answers_syn else taken


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived; return what the receiver is to do."""
    return sink.rules.segment_arrived(sink, seq)


def timer_expired(sink: SinkState) -> int:
    """The timer of an ACK that is held back rang; return what the receiver is to do."""
    return sink.rules.timer_expired(sink)


@dataclass(frozen=True)
class Sink:
    """What an engine needs of a sink. Its functions receive its own state, and return what the receiver is to do.

    What they may ask for is a sum of flags (STOP_TIMER, START_TIMER, ACKNOWLEDGE). A sink has no settings of its own:
    what it goes by are facts of the profile (`ack_delay_s`, ...).
    """

    name: str  # for people
    about: str  # in a line, with the source
    state: type[SinkState]
    segment_arrived: Callable[[Any, int], int]  # (sink, seq)
    timer_expired: Callable[[Any], int]  # (sink)


def sink_of(rules: ModuleType) -> Sink:
    """The sink that a module defines. It needs a state of its own, and rules of a timer, only if it has such."""
    return Sink(
        name=rules.NAME,
        about=rules.ABOUT,
        state=getattr(rules, "State", SinkState),
        segment_arrived=rules.segment_arrived,
        timer_expired=getattr(rules, "timer_expired", acknowledge),
    )


def acknowledge(sink: SinkState) -> int:
    """The end of a timer, of a sink that says nothing else of it."""
    return ACKNOWLEDGE
