"""The router: which segments of a round's bursts pass. It begins every round with an empty buffer.

The position of a segment in its burst is its slot; `mismatch` is how many segments arrive while the slow link sends
one. Three readings:

- original: the teaching simulator, which relays one sender. Its rule is known exactly.
- literal: two senders as the study describes them: in each slot chance says who is first, and a place becomes free
  every `mismatch` slots. The study's own program is lost, so this is inferred.
- fitted: a calibration, not the study's rule: of about 12,000 variants the one that comes nearest to its numbers.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from simcore.rounds.rules.sender import Burst

ORIGINAL: Final = 0
LITERAL: Final = 1
FITTED: Final = 2


def relay(reading: int, bursts: Sequence[Burst], draws: Sequence[float], drawn: int, buffer: int, mismatch: int) -> int:
    """Decide slot by slot which segments of a round pass; return how many slots there were.

    Each slot takes the next draw from [0, 1), contested or not: for 1/2 or more the senders come in reverse. So many as
    `drawn` were used before.
    """
    used, slots = 0, longest(bursts)
    for slot in range(slots):
        used = released(reading, used, slot, mismatch)
        is_reverse = draws[drawn + slot] >= 0.5
        for i in range(len(bursts)):
            burst = bursts[len(bursts) - 1 - i if is_reverse else i]
            if slot < burst.count:
                passes = finds_place(reading, used, slot, buffer, mismatch)
                used += passes
                burst.passed[slot] = passes
    return slots


def longest(bursts: Sequence[Burst]) -> int:
    """The segments of the longest burst."""
    most = 0
    for burst in bursts:
        most = max(most, burst.count)
    return most


def finds_place(reading: int, used: int, slot: int, buffer: int, mismatch: int) -> bool:
    """Does the segment in this slot pass, with so many places used?

    In the original the first segments fill the buffer; of the later ones one in `mismatch` finds a place.
    """
    if reading == ORIGINAL:
        return slot < places_original(buffer, mismatch) or (slot >= mismatch and slot % mismatch == 1)
    return used < buffer


def released(reading: int, used: int, slot: int, mismatch: int) -> int:
    """The places that are still used when a slot begins.

    Literally, one segment leaves before every `mismatch`-th slot. As fitted, two leave after slot 0 and after every
    `mismatch`-th, one for each receiver, whether or not there are two.
    """
    if reading == LITERAL and slot > 0 and slot % mismatch == 0:
        return max(0, used - 1)
    if reading == FITTED and slot > 0 and (slot - 1) % mismatch == 0:
        return used - 2
    return used


def outdrawn(bursts: Sequence[Burst], sender: int) -> int:
    """How many segments of a sender were dropped while the other's in the same slot passed: in reverse order, vice
    versa. A run without any would have been the same with every seed."""
    own, lost = bursts[sender], 0
    for i in range(len(bursts)):
        for slot in range(min(own.count, bursts[i].count)):
            if bursts[i].passed[slot] and not own.passed[slot]:
                lost += 1
    return lost


def dropped(burst: Burst) -> int:
    """How many segments of a burst were dropped."""
    lost = 0
    for slot in range(burst.count):
        if not burst.passed[slot]:
            lost += 1
    return lost


def places_original(buffer: int, mismatch: int) -> int:
    """The original silently caps its buffer below the mismatch."""
    return min(buffer, mismatch - 1)


class Reading(NamedTuple):
    """A router's rule, and the segments a round that it calls its capacity: what utilisation is a percentage of."""

    rule: int
    capacity_segments: Callable[[int, int], int]  # of the buffer and the mismatch


READINGS: Final = {
    "original": Reading(ORIGINAL, lambda buffer, mismatch: places_original(buffer, mismatch) + 1),
    "literal": Reading(LITERAL, lambda buffer, mismatch: buffer),
    "fitted": Reading(FITTED, lambda buffer, mismatch: buffer + 1),
}
