"""Sets of sequence numbers as ranges: in order, never touching, in one array of starts, one of ends, and a count.

A range holds its start and not its end. What changes a set returns its new count. Most of what happens to these sets
happens at their upper end, where the searches begin.
"""

from collections.abc import MutableSequence, Sequence
from typing import Final

Numbers = MutableSequence[int]

NO_HOLE: Final = -1


def room(window: int) -> int:
    """The most ranges that a window of so many packets breaks into, one to spare."""
    return window // 2 + 2


def at_or_before(starts: Sequence[int], count: int, seq: int) -> int:
    """The position of the last range that starts at or before `seq`, -1 if there is none."""
    position = count - 1
    while position >= 0 and starts[position] > seq:
        position -= 1
    return position


def hold(starts: Sequence[int], ends: Sequence[int], count: int, start: int, end: int) -> bool:
    """Does one of the ranges cover all of [start, end)?"""
    position = at_or_before(starts, count, start)
    return position >= 0 and end <= ends[position]


def add(starts: Numbers, ends: Numbers, count: int, start: int, end: int) -> int:
    """Add [start, end): ranges that it overlaps or touches become one with it."""
    first = count
    while first > 0 and ends[first - 1] >= start:
        first -= 1
    beyond = first
    while beyond < count and starts[beyond] <= end:
        start = min(start, starts[beyond])
        end = max(end, ends[beyond])
        beyond += 1
    _move(starts, ends, count, beyond, first + 1)
    starts[first] = start
    ends[first] = end
    return count + first + 1 - beyond


def forget_below(starts: Numbers, ends: Numbers, count: int, seq: int) -> int:
    """Drop the ranges that end at or below `seq`."""
    gone = 0
    while gone < count and ends[gone] <= seq:
        gone += 1
    _move(starts, ends, count, gone, 0)
    return count - gone


def first_hole(starts: Sequence[int], ends: Sequence[int], count: int, seq: int) -> int:
    """The first number from `seq` on that is in no range but below one; NO_HOLE if there is none."""
    hole = seq
    for position in range(count):
        if starts[position] > hole:
            return hole
        hole = max(hole, ends[position])
    return NO_HOLE


def _move(starts: Numbers, ends: Numbers, count: int, source: int, target: int) -> None:
    """Move the ranges from position `source` on to begin at `target`."""
    kept, up = count - source, target > source
    for i in range(kept):
        step = kept - 1 - i if up else i
        starts[target + step] = starts[source + step]
        ends[target + step] = ends[source + step]
