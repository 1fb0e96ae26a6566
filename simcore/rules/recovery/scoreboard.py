"""The sender's notes on SACK blocks: which segments have arrived, and which holes were already sent again.

ns-2 (ScoreBoardRQ) walks through the holes once and in order: what was retransmitted and lost again is left to the
timer.
"""

from collections.abc import MutableSequence
from dataclasses import dataclass

from simcore.rules import ranges
from simcore.rules.tcp.sender import NO_SEGMENT, TcpState


@dataclass(slots=True, kw_only=True)
class Scoreboard:
    """What a recovery with a scoreboard remembers. `sacked_...` are the ranges that SACK blocks told of."""

    sacked_starts: MutableSequence[int]
    sacked_ends: MutableSequence[int]
    sacked_count: int = 0
    next_repair: int = 0  # every hole below was sent again


def clear(state: Scoreboard) -> None:
    """Forget everything."""
    state.sacked_count = 0
    state.next_repair = 0


def take_in(tcp: TcpState, state: Scoreboard) -> bool:
    """Note the blocks of the ACK that just arrived; do they tell of a segment that wasn't known to have arrived?"""
    starts, ends = state.sacked_starts, state.sacked_ends
    count = ranges.forget_below(starts, ends, state.sacked_count, tcp.highest_ack + 1)
    is_news = False
    for i in range(tcp.block_count):
        start, end = tcp.blocks[2 * i], tcp.blocks[2 * i + 1]
        if not ranges.hold(starts, ends, count, start, end):
            count = ranges.add(starts, ends, count, start, end)
            is_news = True
    state.sacked_count = count
    return is_news


def next_hole(tcp: TcpState, state: Scoreboard) -> int:
    """The next segment that is missing below one that has arrived and was not sent again, or NO_SEGMENT."""
    first = max(state.next_repair, tcp.highest_ack + 1)
    hole = ranges.first_hole(state.sacked_starts, state.sacked_ends, state.sacked_count, first)
    return NO_SEGMENT if hole == ranges.NO_HOLE else hole


def repaired(state: Scoreboard, seq: int) -> None:
    """Segment `seq` is sent again."""
    state.next_repair = max(state.next_repair, seq + 1)
