"""The router: which segments of a round's bursts pass. It begins every round with an empty buffer.

The position of a segment in its burst is its slot; `mismatch` is how many segments arrive while the slow link sends
one. Three readings:

- original: the teaching simulator, which relays one sender. Its rule is known exactly.
- literal: two senders as the study describes them: in each slot chance says who is first, and a place becomes free
  every `mismatch` slots. The study's own program is lost, so this is inferred.
- fitted: a calibration, not the study's rule: of about 12,000 variants the one that comes nearest to its numbers.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

Passed = list[list[bool]]  # per sender, per slot of its burst
Release = Callable[[int, int, int], int]  # (places used, slot, mismatch) -> places used when the slot begins


def relay_original(lengths: Sequence[int], draws: Sequence[float], buffer: int, mismatch: int) -> Passed:
    """The first segments fill the buffer; of the later ones one in `mismatch` finds a place. Nothing is random."""
    places = places_original(buffer, mismatch)
    return [[slot < places or (slot >= mismatch and slot % mismatch == 1) for slot in range(n)] for n in lengths]


def relay_shared(
    lengths: Sequence[int], draws: Sequence[float], buffer: int, mismatch: int, release: Release
) -> Passed:
    """Slot by slot, the senders in order or, for a draw of 1/2 or more, in reverse: who finds a place passes."""
    in_order = range(len(lengths))
    reverse = in_order[::-1]
    passed: Passed = [[] for _ in lengths]
    used = 0
    for slot, draw in enumerate(draws):
        used = release(used, slot, mismatch)
        for sender in in_order if draw < 0.5 else reverse:
            if slot < lengths[sender]:
                passes = used < buffer
                used += passes
                passed[sender].append(passes)
    return passed


def release_literal(used: int, slot: int, mismatch: int) -> int:
    """One segment leaves before every `mismatch`-th slot."""
    return max(0, used - 1) if slot > 0 and slot % mismatch == 0 else used


def release_fitted(used: int, slot: int, mismatch: int) -> int:
    """Two leave after slot 0 and after every `mismatch`-th, one for each receiver, whether or not there are two."""
    return used - 2 if slot > 0 and (slot - 1) % mismatch == 0 else used


def outdrawn(passed: Passed, sender: int) -> int:
    """How many segments of a sender were dropped while the other's in the same slot passed: in reverse order, vice
    versa. A run without any would have been the same with every seed."""
    others = [own for i, own in enumerate(passed) if i != sender]
    slots = enumerate(passed[sender])
    return sum(not own and any(slot < len(other) and other[slot] for other in others) for slot, own in slots)


def places_original(buffer: int, mismatch: int) -> int:
    """The original silently caps its buffer below the mismatch."""
    return min(buffer, mismatch - 1)


class Reading(NamedTuple):
    """A router's rule, and the segments a round that it calls its capacity: what utilisation is a percentage of.

    `relay` takes the lengths of the bursts, one draw from [0, 1) for each slot, the buffer and the mismatch.
    """

    relay: Callable[[Sequence[int], Sequence[float], int, int], Passed]
    capacity_segments: Callable[[int, int], int]


READINGS: Final = {
    "original": Reading(relay_original, lambda buffer, mismatch: places_original(buffer, mismatch) + 1),
    "literal": Reading(partial(relay_shared, release=release_literal), lambda buffer, mismatch: buffer),
    "fitted": Reading(partial(relay_shared, release=release_fitted), lambda buffer, mismatch: buffer + 1),
}
