"""PIE: drops at random, with a probability that a controller moves until packets wait for a given time (RFC 8033).

How long packets wait is measured by their times of arrival (section 4.3; Linux does so since 2019), not estimated from
the departure rate (section 5.2). Nobody waits in an empty queue.
"""

from dataclasses import dataclass
from math import ceil
from typing import Annotated, Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream, uniform
from simcore.rules.queues import waiting
from simcore.rules.queues.discipline import LinkFacts, Marks, QueueSettings
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import FIRST_LINE, Waiting, drop, join, leave, mark
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.settings import DelayMs, PacketBytes, PositiveMs, WaitingPackets

NAME: Final = "PIE"
ABOUT: Final = "a controller of the drop probability aims at a given wait (Pan et al. 2013; RFC 8033)"
SINCE: Final = 2013

UPDATE_MS: Final = 15  # T_UPDATE
UPDATE_S: Final = UPDATE_MS * 1e-3
ALPHA: Final = 0.125  # per second of delay above the target
BETA: Final = 1.25  # per second by which the delay grew since the last update
LEAST_LIKELY: Final = 0.2  # a drop that is less likely is left out while the delay is short
MARKED_BELOW: Final = 0.1  # mark_ecnth: packets more likely to be dropped are dropped even if they may be marked
LARGEST_STEP: Final = 0.02  # section 5.5: of the probability, once it is a tenth
DECAY: Final = 0.98  # of the probability in an update, while nobody waits
# Section 5.4: the probabilities of the packets since the last drop add up. Before that is so much, none is dropped;
# when it is so much, one is.
SOONEST: Final = 0.85
LATEST: Final = 8.5


class Settings(QueueSettings):
    """PIE (RFC 8033, section 4 for the defaults; the RFC has none for the buffer, this is Linux's)."""

    buffer_packets: WaitingPackets = Field(default=1000, description="packets that may wait", examples=[1000])
    target_ms: PositiveMs = Field(default=15.0, description="wait that is aimed at (QDELAY_REF)", examples=[15])
    burst_ms: DelayMs = Field(
        default=150.0, description="how long nothing is dropped when congestion begins (MAX_BURST)", examples=[150]
    )
    mean_packet_bytes: PacketBytes = Field(
        default=1500, description="no drops while no more than two packets of this size wait", examples=[1500]
    )
    active_from_packets: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        default=None,
        description="packets waiting at which PIE is turned on, to be turned off after congestion (section 5.3); "
        "without it, it is always on",
        examples=[300],
    )
    marks: Marks = False


RECORDED: Final[Recorded] = {
    "probability": Quantity("probability of a drop or a mark (RFC 8033: drop_prob_)", "1"),
    "delay_s": Quantity("delay in the queue of the packet that left last", "s"),
}


@dataclass(slots=True, kw_only=True)
class State(Waiting):
    """One line."""

    limit_packets: int = 0
    target_s: float = 0.0
    burst_updates: int = 0  # MAX_BURST in updates
    mean_packet_bytes: int = 0
    active_from: int = 0  # packets; 0: always on

    is_active: bool = True
    probability: float = 0.0  # drop_prob_
    delay_s: float = 0.0  # current_qdelay: that of the packet that left last
    old_delay_s: float = 0.0  # qdelay_old_: at the last update
    updates_allowed: int = 0  # burst_allowance_, in updates
    accumulated: float = 0.0  # accu_prob_


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue. The timer rings first after an update's time."""
    burst_updates = ceil(settings.burst_ms / UPDATE_MS)
    return State(
        limit_packets=settings.buffer_packets,
        target_s=settings.target_ms * 1e-3,
        burst_updates=burst_updates,
        updates_allowed=burst_updates,
        mean_packet_bytes=settings.mean_packet_bytes,
        active_from=settings.active_from_packets or 0,
        is_active=settings.active_from_packets is None,
        marks=settings.marks,
        timer_s=UPDATE_S,
        **waiting.arrays(settings.buffer_packets + 1, 1),
    )


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came (section 4.1, appendix B): it may be dropped, or marked (section 5.1), although there is room."""
    if queue.probability == 0.0 and is_short(queue, queue.delay_s) and is_short(queue, queue.old_delay_s):
        queue.updates_allowed = queue.burst_updates  # section 4.4: congestion is over
    if queue.packets >= queue.limit_packets:
        queue.accumulated = 0.0
        drop(queue, slot)
    elif is_chosen(queue, stream) and not (queue.probability < MARKED_BELOW and mark(queue, slot)):
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)
    if not queue.is_active and queue.packets >= queue.active_from:
        turn_on(queue)


def is_short(queue: State, delay_s: float) -> bool:
    """Is a delay less than half of the target?"""
    return delay_s < queue.target_s / 2.0


def is_chosen(queue: State, stream: Stream) -> bool:
    """Is a packet to be dropped or marked although there may be room?

    Not in a burst that is allowed, nor where the queue is short or was so (section 4.1: so that the link stays busy).
    """
    if not queue.is_active or queue.updates_allowed > 0:
        return False
    if is_short(queue, queue.old_delay_s) and queue.probability < LEAST_LIKELY:
        return False
    if queue.bytes <= 2 * queue.mean_packet_bytes:
        return False
    return is_drawn(queue, stream)


def is_drawn(queue: State, stream: Stream) -> bool:
    """Draw with the probability, but neither too soon nor too late after the last drop (section 5.4)."""
    if queue.probability == 0.0:
        queue.accumulated = 0.0
    queue.accumulated += queue.probability
    if queue.accumulated < SOONEST:
        return False
    if queue.accumulated < LATEST and uniform(stream) >= queue.probability:
        return False
    queue.accumulated = 0.0
    return True


def turn_on(queue: State) -> None:
    """Section 5.3: as at the beginning."""
    queue.is_active = True
    queue.probability = 0.0
    queue.old_delay_s = 0.0
    queue.accumulated = 0.0
    queue.updates_allowed = queue.burst_updates


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none. How long has it waited?"""
    slot = leave(queue, FIRST_LINE)
    queue.delay_s = 0.0 if slot == NOBODY else now - queue.came_s[slot]
    return slot


def timer_expired(queue: State, stream: Stream, now: float) -> None:
    """Every T_UPDATE: move the probability (section 4.2), and count the time of a burst down (section 4.4)."""
    delay_s = queue.delay_s if queue.packets > 0 else 0.0
    if queue.is_active:
        queue.probability = moved(queue.probability, delay_s, queue.old_delay_s, queue.target_s)
        queue.updates_allowed = max(0, queue.updates_allowed - 1)
    if queue.active_from > 0 and queue.probability == 0.0 and delay_s == 0.0 and queue.old_delay_s == 0.0:
        queue.is_active = False
    queue.delay_s = queue.old_delay_s = delay_s
    queue.timer_s = now + UPDATE_S


def moved(probability: float, delay_s: float, old_delay_s: float, target_s: float) -> float:
    """The probability after an update: by how far the delay is from its target, and by how much it grew."""
    step = tuned(ALPHA * (delay_s - target_s) + BETA * (delay_s - old_delay_s), probability)
    if probability >= 0.1:
        step = min(step, LARGEST_STEP)
    probability += step
    if delay_s == 0.0 and old_delay_s == 0.0:
        probability *= DECAY
    return min(1.0, max(0.0, probability))


def tuned(step: float, probability: float) -> float:
    """Smaller steps for a smaller probability, so that the control stays stable (section 4.2)."""
    if probability < 0.000001:
        return step / 2048.0
    if probability < 0.00001:
        return step / 512.0
    if probability < 0.0001:
        return step / 128.0
    if probability < 0.001:
        return step / 32.0
    if probability < 0.01:
        return step / 8.0
    if probability < 0.1:
        return step / 2.0
    return step
