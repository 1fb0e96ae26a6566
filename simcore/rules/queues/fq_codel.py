"""FQ-CoDel: lines that take turns as in deficit round robin, each under controlled delay (RFC 8290).

A line that begins to send comes before those that have been sending for a while.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import controlled_delay, turns
from simcore.rules.queues.controlled_delay import IntervalMs, SparedBytes, TargetMs
from simcore.rules.queues.discipline import LinkFacts, Marks, QueueSettings
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import FIRST_LINE, drop, join, leave, no_numbers
from simcore.rules.settings import BufferBytes, Lines, WaitingPackets

NAME: Final = "FQ-CoDel"
ABOUT: Final = "flows take turns, each line under controlled delay (Linux 2012; RFC 8290)"
SINCE: Final = 2012

NEW: Final = 0  # the two lists of lines
OLD: Final = 1
MOST_AT_ONCE: Final = 64  # packets; section 4.1


class Settings(QueueSettings):
    """FQ-CoDel (RFC 8290, section 5.2 for the defaults). The flows have queues by their numbers, modulo `queues`."""

    buffer_packets: WaitingPackets = Field(
        default=10_240, description="packets that may wait, in all lines", examples=[10_240]
    )
    queues: Lines = Field(default=1024, description="lines, among which the flows are divided", examples=[1024])
    quantum_bytes: BufferBytes = Field(
        default=1514, description="bytes that a line may send in a turn", examples=[1514]
    )
    target_ms: TargetMs = 5.0
    interval_ms: IntervalMs = 100.0
    max_packet_bytes: SparedBytes = 1500
    marks: Marks = False


@dataclass(slots=True, kw_only=True)
class State(controlled_delay.State):
    """The queues of the RFC are the lines."""

    lines: int = 0
    quantum_bytes: int = 0
    credit: MutableSequence[int] = field(default_factory=no_numbers)  # a line: bytes that it may send
    listed: MutableSequence[int] = field(default_factory=no_numbers)  # a line: is it in one of the lists?


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue."""
    flows = len(link.nodes)
    lines = min(settings.queues, flows)  # the others would stay empty
    return State(
        limit_packets=settings.buffer_packets,
        marks=settings.marks,
        **controlled_delay.control(settings.target_ms, settings.interval_ms, settings.max_packet_bytes),
        lines=lines,
        quantum_bytes=settings.quantum_bytes,
        line_of=array("q", [FIRST_LINE + flow % lines for flow in range(flows)]),
        **arrays(settings.buffer_packets + 1, lines),
    )


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
