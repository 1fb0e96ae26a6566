"""What queue disciplines share: the packets that wait, in one line or in many.

Every packet stands in a slot, a number by which its engine finds it again. The slots form lists: those that are free,
those whose packet was dropped and is yet to be traced, and the lines of packets that wait.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from simcore.rules.headers.ecn_bits import CAPABLE, EXPERIENCED
from simcore.rules.queues import fifo
from simcore.rules.queues.fifo import NOBODY

if TYPE_CHECKING:
    from simcore.rules.queues.discipline import Discipline

Numbers = MutableSequence[int]

FREE: Final = 0
DROPPED: Final = 1
FIRST_LINE: Final = 2


def no_numbers() -> Numbers:
    """The array of a state that is only asked for the names and types of its fields; an empty one counts for none."""
    return array("q", [0])


def no_times() -> MutableSequence[float]:
    """The same of times."""
    return array("d", [0.0])


@dataclass(slots=True, kw_only=True)
class Waiting:
    """The state that every discipline's own extends. The packet in transmission isn't part of it."""

    rules: "Discipline" = field(init=False, repr=False, compare=False)  # that it follows: set where a run begins
    behind: Numbers = field(default_factory=no_numbers)  # a slot: the one that follows in its list
    size: Numbers = field(default_factory=no_numbers)  # a slot: bytes
    ecn: Numbers = field(default_factory=no_numbers)  # a slot: the flags of `simcore.rules.headers.ecn_bits`
    came_s: MutableSequence[float] = field(default_factory=no_times)  # a slot: time of arrival
    first: Numbers = field(default_factory=no_numbers)  # a list: its first slot
    last: Numbers = field(default_factory=no_numbers)
    packets_in: Numbers = field(default_factory=no_numbers)  # a line: packets
    bytes_in: Numbers = field(default_factory=no_numbers)  # a line: bytes
    line_of: Numbers = field(default_factory=no_numbers)  # a flow, counted from 0: where its packets wait
    marks: bool = False  # are packets marked instead of dropped, where they may be?
    packets: int = 0  # in all lines
    bytes: int = 0
    timer_s: float = 0.0  # when a discipline that has a timer is to be told next, if that is later than now


def slots_for(limit_bytes: int, smallest_packet_bytes: int) -> int:
    """The most packets that fit into so many bytes, and the one that arrives."""
    return limit_bytes // smallest_packet_bytes + 1


def arrays(slots: int, lines: int) -> dict[str, Any]:
    """The arrays of a state for so many packets, the one that arrives included, in so many lines."""
    lists = FIRST_LINE + lines
    return {
        "behind": array("q", chain(range(1, slots), [NOBODY])),
        "size": array("q", bytes(8 * slots)),
        "ecn": array("q", bytes(8 * slots)),
        "came_s": array("d", bytes(8 * slots)),
        "first": array("q", [0, *[NOBODY] * (lists - 1)]),
        "last": array("q", [slots - 1, *[NOBODY] * (lists - 1)]),
        "packets_in": array("q", bytes(8 * lists)),
        "bytes_in": array("q", bytes(8 * lists)),
    }


def packet_came(queue: Waiting, size: int, now: float, ecn: int = 0) -> int:
    """Find a slot for a packet of `size` bytes, which must then join a line or be dropped."""
    slot = fifo.pop(queue.behind, queue.first, queue.last, FREE)
    queue.size[slot] = size
    queue.ecn[slot] = ecn
    queue.came_s[slot] = now
    return slot


def join(queue: Waiting, line: int, slot: int) -> None:
    """The packet in `slot` waits at the end of a line."""
    fifo.append(queue.behind, queue.first, queue.last, line, slot)
    queue.packets_in[line] += 1
    queue.bytes_in[line] += queue.size[slot]
    queue.packets += 1
    queue.bytes += queue.size[slot]


def leave(queue: Waiting, line: int) -> int:
    """The first packet leaves a line; NOBODY if there is none."""
    slot = fifo.pop(queue.behind, queue.first, queue.last, line)
    if slot != NOBODY:
        queue.packets_in[line] -= 1
        queue.bytes_in[line] -= queue.size[slot]
        queue.packets -= 1
        queue.bytes -= queue.size[slot]
    return slot


def mark(queue: Waiting, slot: int) -> bool:
    """Mark the packet in `slot` instead of dropping it, if queue and packet allow that; is it marked?

    RFC 3168, section 5. A packet that was marked by another router stays so.
    """
    if not queue.marks or not queue.ecn[slot] & CAPABLE:
        return False
    queue.ecn[slot] |= EXPERIENCED
    return True


def drop(queue: Waiting, slot: int) -> None:
    """The packet in `slot`, which stands in no line, is dropped."""
    fifo.append(queue.behind, queue.first, queue.last, DROPPED, slot)


def next_dropped(queue: Waiting) -> int:
    """The slot of the next packet that was dropped and is to be traced; NOBODY if there is none."""
    return fifo.pop(queue.behind, queue.first, queue.last, DROPPED)


def set_free(queue: Waiting, slot: int) -> None:
    """The engine no longer needs the slot: its packet was traced as dropped, or is on its way."""
    fifo.append(queue.behind, queue.first, queue.last, FREE, slot)
