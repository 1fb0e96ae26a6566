"""Deficit round robin as in ns-2: lines of packets take turns, each of a quantum of bytes.

M. Shreedhar, G. Varghese, "Efficient Fair Queueing Using Deficit Round Robin", SIGCOMM 1995.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import fifo, turns, waiting
from simcore.rules.queues.discipline import LinkFacts, QueueSettings
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import FIRST_LINE, drop, join, leave, no_numbers
from simcore.rules.settings import BufferBytes, Lines

NAME: Final = "DRR"
ABOUT: Final = "deficit round robin: so many bytes from each busy bucket in turn (Shreedhar, Varghese 1995; ns-2: DRR)"
SINCE: Final = 1995

LARGE: Final = (2 << 23) - 1  # ns-2 calls it a prime


class Settings(QueueSettings):
    """Deficit round robin (ns-2: DRR), with ns-2's defaults. Senders on one node share a bucket."""

    buffer_bytes: BufferBytes = Field(
        default=25_000, description="bytes that may wait, in all buckets (ns-2: blimit_)", examples=[25_000]
    )
    buckets: Lines = Field(default=10, description="buckets, into which senders' nodes are hashed", examples=[10])
    quantum_bytes: BufferBytes = Field(
        default=250, description="bytes that a bucket may send in a turn (ns-2: quantum_)", examples=[250]
    )

    def slots(self, smallest_packet_bytes: int) -> int:
        """The packets that fit into the buffer."""
        return waiting.slots_for(self.buffer_bytes, smallest_packet_bytes)


@dataclass(slots=True, kw_only=True)
class State(turns.Turns):
    """The buckets are the lines."""

    limit_bytes: int = 0
    quantum_bytes: int = 1
    credit: MutableSequence[int] = field(default_factory=no_numbers)  # a line: bytes that it may send
    in_turn: MutableSequence[int] = field(default_factory=no_numbers)  # a line: has it got this turn's quantum?


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue."""
    slots = settings.slots(link.smallest_packet_bytes)
    return State(
        limit_bytes=settings.buffer_bytes,
        quantum_bytes=settings.quantum_bytes,
        line_of=array("q", [line_of(source, settings.buckets) for source, _ in link.nodes]),
        **arrays(slots, settings.buckets),
    )


def arrays(slots: int, lines: int) -> dict[str, Any]:
    """The arrays of a state."""
    zeros = bytes(8 * (FIRST_LINE + lines))
    return turns.arrays(slots, lines) | {"credit": array("q", zeros), "in_turn": array("q", zeros)}


def line_of(source: int, buckets: int) -> int:
    """The bucket of a node's packets: ns-2 hashes the sender's address, whatever the port."""
    hashed = source + (source >> 8) + ~(source >> 4)
    return FIRST_LINE + (hashed % LARGE + 1 if hashed >= 0 else 0) % buckets  # in C -1 % LARGE is -1


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came: it is taken in, and while that is too much, the longest line loses its first packet."""
    line = queue.line_of[flow]
    join(queue, line, slot)
    if queue.packets_in[line] == 1:
        turns.put_last(queue, line)
        queue.credit[line] = 0
    while queue.bytes > queue.limit_bytes:
        longest = longest_line(queue)
        drop(queue, leave(queue, longest))
        if queue.packets_in[longest] == 0:  # ns-2: if it was in turn, that is remembered
            fifo.remove(queue.line_behind, queue.first_line, queue.last_line, 0, longest)


def longest_line(queue: State) -> int:
    """The line with the most bytes; of several the one whose turn comes first."""
    line = longest = queue.first_line[0]
    while line != NOBODY:
        if queue.bytes_in[line] > queue.bytes_in[longest]:
            longest = line
        line = queue.line_behind[line]
    return longest


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none.

    A line goes on as long as its credit lasts; then what is left of it is kept for the next turn.
    """
    while queue.packets > 0:
        line = queue.first_line[0]
        if not queue.in_turn[line]:
            queue.credit[line] += queue.quantum_bytes
            queue.in_turn[line] = 1
        if queue.credit[line] >= queue.size[queue.first[line]]:
            return sent_from(queue, line)
        queue.in_turn[line] = 0
        turns.put_last(queue, turns.take_first(queue))
    return NOBODY


def sent_from(queue: State, line: int) -> int:
    """Take the first packet of the line in turn; an empty line loses its credit and its turn."""
    slot = leave(queue, line)
    queue.credit[line] -= queue.size[slot]
    if queue.packets_in[line] == 0:
        queue.in_turn[line] = 0
        queue.credit[line] = 0
        turns.take_first(queue)
    return slot
