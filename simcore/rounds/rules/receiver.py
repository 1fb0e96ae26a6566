"""A receiver that acknowledges every segment of a burst, and holds back what comes out of order."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from simcore.rounds.rules.sender import Segment

BUFFER_BYTES: Final = 65536  # what an empty receiver advertises


@dataclass(slots=True)
class ReceiverState:
    """What a receiver remembers."""

    old_bytes_ignored: bool  # given by the scenario
    expected: int = 0  # the byte that it waits for
    window: int = BUFFER_BYTES  # advertised
    held: deque[Segment] = field(default_factory=deque)  # out of order, as they arrived
    old_bytes: int = 0  # ignored


def segment_arrived(state: ReceiverState, segment: Segment) -> int:
    """Take or hold a segment; return its ACK, the byte that is expected next.

    The original has no place for old bytes: a repeated segment is held, for ever, and blocks what is held behind it.
    """
    if fits(state, segment):
        take(state, segment)
        while state.held and fits(state, state.held[0]):
            segment = state.held.popleft()
            state.window += segment[1]
            take(state, segment)
    else:
        state.held.append(segment)
        state.window -= segment[1]
    return state.expected


def fits(state: ReceiverState, segment: Segment) -> bool:
    """Is this what the receiver waits for?"""
    first = segment[0]
    return first == state.expected or (state.old_bytes_ignored and first < state.expected)


def take(state: ReceiverState, segment: Segment) -> None:
    """Pass a segment's new bytes to the application."""
    first, length = segment
    new = max(0, first + length - state.expected)
    state.expected += new
    state.old_bytes += length - new
