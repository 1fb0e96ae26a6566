"""Controlled delay of lines of packets, as CoDel's pseudocode has it (RFC 8289, section 5).

What it looks at is how long packets stay. Once the shortest stay in an interval is above the target, it drops the
first packet, and again after ever shorter times, until packets stay for less. Where packets may be marked, a mark
counts as a drop, and the marked packet is sent (RFC 8290, section 5.2.6).
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Annotated, Any, Final

from pydantic import Field

from simcore.rules.queues import turns
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import FIRST_LINE, drop, leave, mark, no_numbers, no_times
from simcore.rules.settings import PacketBytes, PositiveMs

TargetMs = Annotated[PositiveMs, Field(description="stay that is acceptable", examples=[5.0])]
IntervalMs = Annotated[
    PositiveMs, Field(description="how long stays may be above the target: a round trip", examples=[100.0])
]
SparedBytes = Annotated[
    PacketBytes, Field(description="no drops from a line while no more than this waits in it", examples=[1500])
]

Numbers = MutableSequence[int]
Times = MutableSequence[float]

RECENT_INTERVALS: Final = 16  # section 5.6: if dropping ended so recently, it goes on about where it was


@dataclass(slots=True, kw_only=True)
class State(turns.Turns):
    """Every line has the variables of section 5.3 for itself, so that there may be one line or many."""

    limit_packets: int = 0
    target_s: float = 0.0
    interval_s: float = 0.0
    max_packet_bytes: int = 0  # a line that holds no more than this is left alone
    first_above_s: Times = field(default_factory=no_times)  # when stays become too long; 0 while they are not
    drop_next_s: Times = field(default_factory=no_times)
    drop_count: Numbers = field(default_factory=no_numbers)  # packets dropped since dropping began
    last_count: Numbers = field(default_factory=no_numbers)  # `drop_count` with which dropping began
    dropping: Numbers = field(default_factory=no_numbers)


def control(target_ms: float, interval_ms: float, max_packet_bytes: int) -> dict[str, Any]:
    """What settings say of the control, as the fields of a state."""
    return {"target_s": target_ms * 1e-3, "interval_s": interval_ms * 1e-3, "max_packet_bytes": max_packet_bytes}


def arrays(slots: int, lines: int, lists: int = 0) -> dict[str, Any]:
    """The arrays of a state."""
    zeros = bytes(8 * (FIRST_LINE + lines))
    times = {name: array("d", zeros) for name in ("first_above_s", "drop_next_s")}
    numbers = {name: array("q", zeros) for name in ("drop_count", "last_count", "dropping")}
    return turns.arrays(slots, lines, lists) | times | numbers


def next_of(queue: State, line: int, now: float) -> int:
    """Take a packet out of a line, drop it if it is time to, and take the next; NOBODY when none is left."""
    slot = leave(queue, line)
    may_drop = stays_too_long(queue, line, slot, now)
    if queue.dropping[line]:
        if not may_drop:
            queue.dropping[line] = 0
        return drop_when_due(queue, line, slot, now)
    if may_drop:
        if not mark(queue, slot):
            drop(queue, slot)
            slot = leave(queue, line)
            stays_too_long(queue, line, slot, now)
        begin_dropping(queue, line, now)
    return slot


def stays_too_long(queue: State, line: int, slot: int, now: float) -> bool:
    """Have stays been above the target for an interval, now that the packet in `slot` leaves its line?"""
    if slot == NOBODY or now - queue.came_s[slot] < queue.target_s or queue.bytes_in[line] <= queue.max_packet_bytes:
        queue.first_above_s[line] = 0.0
        return False
    if queue.first_above_s[line] == 0.0:
        queue.first_above_s[line] = now + queue.interval_s
        return False
    return now >= queue.first_above_s[line]


def drop_when_due(queue: State, line: int, slot: int, now: float) -> int:
    """While dropping: drop packets for every time that is past, or mark one; return the one that is sent."""
    while queue.dropping[line] and now >= queue.drop_next_s[line]:
        queue.drop_count[line] += 1
        if mark(queue, slot):
            queue.drop_next_s[line] = next_drop_s(queue, line, queue.drop_next_s[line])
            return slot
        drop(queue, slot)
        slot = leave(queue, line)
        if stays_too_long(queue, line, slot, now):
            queue.drop_next_s[line] = next_drop_s(queue, line, queue.drop_next_s[line])
        else:
            queue.dropping[line] = 0
    return slot


def begin_dropping(queue: State, line: int, now: float) -> None:
    """The first packet was dropped. If that was needed not long ago, go on at the rate that was reached then."""
    reached = queue.drop_count[line] - queue.last_count[line]
    is_recent = now - queue.drop_next_s[line] < RECENT_INTERVALS * queue.interval_s
    queue.dropping[line] = 1
    queue.drop_count[line] = reached if reached > 1 and is_recent else 1
    queue.last_count[line] = queue.drop_count[line]
    queue.drop_next_s[line] = next_drop_s(queue, line, now)


def next_drop_s(queue: State, line: int, since_s: float) -> float:
    """The control law: the throughput of a TCP falls with the square root of the number of drops."""
    return since_s + queue.interval_s / sqrt(queue.drop_count[line])
