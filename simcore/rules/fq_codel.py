"""FQ-CoDel: lines that take turns as in deficit round robin, each under controlled delay (RFC 8290).

A line that begins to send comes before those that have been sending for a while.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Any, Final

from simcore.rules import controlled_delay, turns
from simcore.rules.fifo import NOBODY
from simcore.rules.mrg32k3a import Stream
from simcore.rules.waiting import FIRST_LINE, drop, join, leave, no_numbers

NEW: Final = 0  # the two lists of lines
OLD: Final = 1
MOST_AT_ONCE: Final = 64  # packets; section 4.1


@dataclass(slots=True, kw_only=True)
class State(controlled_delay.State):
    """The queues of the RFC are the lines."""

    lines: int = 0
    quantum_bytes: int = 0
    credit: MutableSequence[int] = field(default_factory=no_numbers)  # a line: bytes that it may send
    listed: MutableSequence[int] = field(default_factory=no_numbers)  # a line: is it in one of the lists?


def arrays(slots: int, lines: int) -> dict[str, Any]:
    """The arrays of a state."""
    zeros = bytes(8 * (FIRST_LINE + lines))
    own = {"credit": array("q", zeros), "listed": array("q", zeros)}
    return controlled_delay.arrays(slots, lines, lists=2) | own


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came (section 4.1): its line becomes a new one if it was in no list.

    If that is too much, the longest line loses the first half of its packets, 64 at most; they are not marked instead.
    The longest is the one with the most bytes, and the half one of packets (Linux: of bytes).
    """
    line = queue.line_of[flow]
    join(queue, line, slot)
    if not queue.listed[line]:
        queue.listed[line] = 1
        queue.credit[line] = queue.quantum_bytes
        turns.put_last(queue, line, NEW)
    if queue.packets > queue.limit_packets:
        longest = longest_line(queue)
        for _ in range(min(MOST_AT_ONCE, max(1, queue.packets_in[longest] // 2))):
            drop(queue, leave(queue, longest))


def longest_line(queue: State) -> int:
    """The line with the most bytes."""
    longest = FIRST_LINE
    for line in range(FIRST_LINE, FIRST_LINE + queue.lines):
        if queue.bytes_in[line] > queue.bytes_in[longest]:
            longest = line
    return longest


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none (section 4.2)."""
    while True:
        among = OLD if queue.first_line[NEW] == NOBODY else NEW
        line = queue.first_line[among]
        if line == NOBODY:
            return NOBODY
        # The section calls such a credit negative, "i.e., it has already dequeued at least a quantum of bytes". At
        # exactly 0 only the latter is true; Linux goes by it.
        if queue.credit[line] <= 0:
            queue.credit[line] += queue.quantum_bytes
            turns.put_last(queue, turns.take_first(queue, among), OLD)
            continue
        slot = controlled_delay.next_of(queue, line, now)
        if slot != NOBODY:
            queue.credit[line] -= queue.size[slot]
            return slot
        turns.take_first(queue, among)
        if among == NEW:  # so that a line cannot come back as a new one before the old ones had their turns
            turns.put_last(queue, line, OLD)
        else:
            queue.listed[line] = 0
