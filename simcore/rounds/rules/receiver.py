"""A receiver that acknowledges every segment of a burst, and holds back what comes out of order.

What it holds stands in a ring, the first byte and the length of each segment: an engine gives it the room.
"""

from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

BUFFER_BYTES: Final = 65536  # what an empty receiver advertises


@dataclass(slots=True)
class ReceiverState:
    """What a receiver remembers."""

    # Given by the scenario and the engine
    old_bytes_ignored: bool
    places: int  # of the ring, in segments
    ring: int = 0  # where it begins

    expected: int = 0  # the byte that it waits for
    window: int = BUFFER_BYTES  # advertised
    held_from: int = 0  # segments that were released from the ring, out of order as they arrived
    held_until: int = 0  # and those that were put into it
    old_bytes: int = 0  # ignored


def places_needed(rounds: int, mss: int) -> int:
    """The segments that a receiver can hold at once: whole ones until its window is closed, then one a round."""
    return rounds + BUFFER_BYTES // mss


def segment_arrived(state: ReceiverState, held: MutableSequence[int], first: int, length: int) -> int:
    """Take or hold a segment; return its ACK, the byte that is expected next.

    The original has no place for old bytes: a repeated segment is held, for ever, and blocks what is held behind it.
    """
    if not fits(state, first):
        place = place_of(state, state.held_until)
        held[place], held[place + 1] = first, length
        state.held_until += 1
        state.window -= length
        return state.expected
    take(state, first, length)
    while state.held_from < state.held_until and fits(state, held[place_of(state, state.held_from)]):
        place = place_of(state, state.held_from)
        state.held_from += 1
        state.window += held[place + 1]
        take(state, held[place], held[place + 1])
    return state.expected


def place_of(state: ReceiverState, number: int) -> int:
    """Where in the ring the segment with this number stands."""
    return state.ring + 2 * (number % state.places)


def fits(state: ReceiverState, first: int) -> bool:
    """Is this what the receiver waits for?"""
    return first == state.expected or (state.old_bytes_ignored and first < state.expected)


def take(state: ReceiverState, first: int, length: int) -> None:
    """Pass a segment's new bytes to the application."""
    new = max(0, first + length - state.expected)
    state.expected += new
    state.old_bytes += length - new
