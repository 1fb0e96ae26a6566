"""Which event comes next: a tournament over (time, id), where each leaf is one source of events.

Node 1 is the final, nodes `2 * k` and `2 * k + 1` play for node `k`, the leaves stand behind the inner nodes; each
node remembers the leaf that won it. Changing one leaf replays only the matches above it. An id is drawn whenever an
event is scheduled, so that simultaneous events run in the order in which ns-2 schedules them.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

LEAF = np.dtype([("time", "f8"), ("id", "i8")])
NEVER = np.inf


class Leaf(Protocol):
    """When the next event of a source is, as kernels see a record of type LEAF."""

    time: float
    id: int


def leaves_for(sources: int) -> Array:
    """Leaves for so many sources of events, a power of two, none of which will ever happen."""
    leaves = np.zeros(max(2, 1 << (sources - 1).bit_length()), LEAF)
    leaves["time"] = NEVER
    return leaves


def winners_for(leaves: Array) -> Array:
    """The winner of each match while nothing is scheduled: the first leaf below it. Node 0 is unused."""
    size = len(leaves)
    winner = np.zeros(2 * size, np.int64)
    winner[size:] = np.arange(size)
    for node in range(size - 1, 0, -1):
        winner[node] = winner[2 * node]
    return winner


def precedes(a: Leaf, b: Leaf) -> bool:
    """Does the event of leaf `a` come before that of leaf `b`?"""
    return a.time < b.time or (a.time == b.time and a.id < b.id)


def schedule(leaves: Sequence[Leaf], winner: MutableSequence[int], leaf: int, time: float, number: int) -> None:
    """Give a leaf its next event, and replay the matches above it as far as that can matter."""
    leaves[leaf].time = time
    leaves[leaf].id = number
    best = leaf
    node = len(leaves) + leaf
    while node > 1:
        rival = winner[node ^ 1]
        if precedes(leaves[rival], leaves[best]):
            best = rival
        node >>= 1
        if best != leaf and winner[node] == best:
            return
        winner[node] = best
