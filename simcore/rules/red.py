"""Random early detection as in ns-2.35, gentle or not, with waiting between two drops, dropping or marking.

S. Floyd, V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance", IEEE/ACM Transactions on Networking
1 (4), 1993; S. Floyd, "Recommendation on using the 'gentle' variant of RED", 2000.
"""

from dataclasses import dataclass
from typing import Final

from simcore.rules.mrg32k3a import Stream, uniform
from simcore.rules.waiting import FIRST_LINE, Waiting, drop, join, leave, mark

MOST_LIKELY_MARK: Final = 0.1  # ns-2: mark_p_; packets more likely to be dropped are dropped even if they may be marked


@dataclass(slots=True, kw_only=True)
class State(Waiting):
    """One line. The queue, its limit and the thresholds are in packets, or with `in_bytes` in bytes."""

    limit: int = 0
    least: float = 0.0  # average from which on packets may be dropped (ns-2: thresh_)
    most: float = 0.0  # average at which packets are dropped with `probability` (ns-2: maxthresh_)
    weight: float = 0.0  # of a new sample in the average (ns-2: q_weight_)
    probability: float = 0.0  # of a drop when the average is `most` (ns-2: 1 / linterm_)
    gentle: bool = False  # does the probability grow to one between `most` and twice that?
    waits: bool = False  # does at least a mean distance lie between two drops? (ns-2: wait_)
    in_bytes: bool = False
    mean_packet_bytes: int = 1
    packets_per_s: float = 0.0  # of mean size, that the link sends

    average: float = 0.0
    count: int = 0  # packets since the last drop
    count_bytes: int = 0
    is_above: bool = False  # was the average above `least` when the last packet came?
    is_idle: bool = True
    idle_since_s: float = 0.0


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came: the average is updated, and says whether the packet is dropped."""
    length = queue.bytes if queue.in_bytes else queue.packets
    update_average(queue, length, now)
    queue.count += 1
    queue.count_bytes += queue.size[slot]
    is_chosen = is_chosen_early(queue, stream, length, queue.size[slot])
    if length >= queue.limit:
        queue.count = 0
        queue.count_bytes = 0
        drop(queue, slot)
    elif is_chosen and not (may_mark(queue) and mark(queue, slot)):
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)


def update_average(queue: State, length: int, now: float) -> None:
    """Take a sample. While the link was idle, it could have sent so many packets: as many samples of an empty queue."""
    if queue.is_idle:
        queue.is_idle = False
        for _ in range(int(queue.packets_per_s * (now - queue.idle_since_s))):
            queue.average *= 1.0 - queue.weight
    queue.average *= 1.0 - queue.weight
    queue.average += queue.weight * length


def may_mark(queue: State) -> bool:
    """Is a mark enough? RFC 3168, section 7: no longer when the average is high (ns-2: use_mark_p_)."""
    return drop_probability(queue) <= MOST_LIKELY_MARK


def is_chosen_early(queue: State, stream: Stream, length: int, size: int) -> bool:
    """Is a packet to be dropped or marked although there may be room?

    Not while next to nothing waits, nor the first above `least`.
    """
    if queue.average < queue.least or length <= 1:
        queue.is_above = False
        return False
    if not queue.is_above:
        queue.is_above = True
        queue.count = 1
        queue.count_bytes = size
        return False
    chance = spaced(queue, drop_probability(queue), size)
    if uniform(stream) > chance:
        return False
    queue.count = 0
    queue.count_bytes = 0
    return True


def drop_probability(queue: State) -> float:
    """How likely a drop is at this average, in the order of ns-2's arithmetic."""
    if queue.average < queue.most:
        span = queue.most - queue.least
        return (1.0 / span * queue.average + -queue.least / span) * queue.probability
    if not queue.gentle:
        return 1.0
    return min(1.0, (1.0 - queue.probability) / queue.most * queue.average + (2.0 * queue.probability - 1.0))


def spaced(queue: State, probability: float, size: int) -> float:
    """The probability that makes the distances between drops uniform instead of geometric, given the count so far."""
    count = queue.count_bytes // queue.mean_packet_bytes if queue.in_bytes else queue.count
    due = count * probability
    if queue.waits:
        chance = 0.0 if due < 1.0 else probability / (2.0 - due) if due < 2.0 else 1.0
    else:
        chance = probability / (1.0 - due) if due < 1.0 else 1.0
    if queue.in_bytes and chance < 1.0:
        chance = chance * size / queue.mean_packet_bytes
    return min(1.0, chance)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    if queue.packets == 0:
        queue.is_idle = True
        queue.idle_since_s = now
    else:
        queue.is_idle = False
    return leave(queue, FIRST_LINE)
