"""Random early detection as in ns-2.35, gentle or not, with waiting between two drops, dropping or marking.

S. Floyd, V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance", IEEE/ACM Transactions on Networking
1 (4), 1993; S. Floyd, "Recommendation on using the 'gentle' variant of RED", 2000.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.elementary import exp, power
from simcore.rules.mrg32k3a import Stream, uniform
from simcore.rules.queues import waiting
from simcore.rules.queues.discipline import LinkFacts, Marks, QueueSettings
from simcore.rules.queues.waiting import FIRST_LINE, Waiting, drop, join, leave, mark
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.settings import MOST_BYTES, DelayMs, PacketBytes, Probability, WaitingPackets

NAME: Final = "RED"
ABOUT: Final = "random early detection: the longer the average queue, the more drops (Floyd, Jacobson 1993; ns-2: RED)"
SINCE: Final = 2000  # the gentle variant, which is the default

MOST_LIKELY_MARK: Final = 0.1  # ns-2: mark_p_; packets more likely to be dropped are dropped even if they may be marked

Threshold = Annotated[float, Field(gt=0, le=100_000)]


class Settings(QueueSettings):
    """Random early detection (ns-2: RED), with ns-2.35's defaults but for `in_bytes`, which is true there."""

    buffer_packets: WaitingPackets = Field(
        default=50, description="packets that may wait (ns-2: limit_)", examples=[50]
    )
    min_threshold_packets: Threshold | None = Field(
        default=None,
        description="average from which on packets may be dropped (thresh_); without it 5, or half of what leaves in "
        "the target delay",
        examples=[5.0],
    )
    max_threshold_packets: Threshold | None = Field(
        default=None,
        description="average at which they are with max_probability (maxthresh_); without it three times the least",
        examples=[15.0],
    )
    max_probability: Probability = Field(
        default=0.1, description="probability of a drop at max_threshold_packets (1 / linterm_)", examples=[0.1]
    )
    queue_weight: Probability | None = Field(
        default=None,
        description="weight of a new sample in the average (q_weight_); without it from rate and delay",
        examples=[0.002],
    )
    target_delay_ms: DelayMs = Field(
        default=5.0, description="delay of which the default threshold is half (targetdelay_)", examples=[5.0]
    )
    mean_packet_bytes: PacketBytes = Field(
        default=500, description="size of a packet for what is counted in bytes (mean_pktsize_)", examples=[500]
    )
    gentle: bool = Field(
        default=True,
        description="does the probability grow to one between max_threshold_packets and twice that, or jump to it?",
        examples=[True],
    )
    wait: bool = Field(
        default=True, description="does a mean distance lie between two drops at least?", examples=[True]
    )
    in_bytes: bool = Field(
        default=False,
        description="is the queue counted in bytes, and its buffer in packets of mean size (queue_in_bytes_, bytes_)?",
        examples=[False],
    )
    marks: Marks = Field(
        default=False,
        description="are packets of flows with ECN marked instead of dropped early (setbit_)?",
        examples=[False],
    )

    @model_validator(mode="after")
    def _thresholds_are_in_order(self) -> Self:
        least, most = self.min_threshold_packets, self.max_threshold_packets
        if most is not None and most < (least or 0.0):
            raise PydanticCustomError(
                "thresholds_not_in_order",
                "{most} is not allowed; must be at least min_threshold_packets, {least}",
                {"most": most, "least": least, "field": "max_threshold_packets"},
            )
        return self

    def check_on(self, rate_mbps: float) -> None:
        """The threshold that isn't given follows from the rate; the other one must not be below it."""
        least, most = default_threshold(self, packets_per_s(self, rate_mbps)), self.max_threshold_packets
        if self.min_threshold_packets is None and most is not None and most < least:
            raise PydanticCustomError(
                "thresholds_not_in_order",
                "{most} is not allowed; must be at least min_threshold_packets, here {least} unless it is given",
                {"most": most, "least": f"{least:g}", "field": "max_threshold_packets"},
            )

    def slots(self, smallest_packet_bytes: int) -> int:
        """The packets that fit into a buffer in bytes, and one more that ns-2's limit lets in."""
        if not self.in_bytes:
            return 0
        return waiting.slots_for(self.buffer_packets * self.mean_packet_bytes, smallest_packet_bytes) + 1

    @model_validator(mode="after")
    def _buffer_fits_into_memory(self) -> Self:
        if self.in_bytes and self.buffer_packets * self.mean_packet_bytes > MOST_BYTES:
            raise PydanticCustomError(
                "buffer_too_large",
                "{given} is not allowed; times mean_packet_bytes it must be at most {most} bytes",
                {"given": self.buffer_packets, "most": MOST_BYTES, "field": "buffer_packets"},
            )
        return self


MOST_SAMPLES: Final = 100_000  # of an empty queue, one by one as in ns-2, whose roundings decide ties; more at once

RECORDED: Final[Recorded] = {
    "average": Quantity("smoothed length of the queue, with in_bytes in bytes", "packets"),
}


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


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue."""
    unit = settings.mean_packet_bytes if settings.in_bytes else 1
    limit = settings.buffer_packets * unit
    per_s = packets_per_s(settings, link.rate_mbps)
    least = settings.min_threshold_packets or default_threshold(settings, per_s)
    most = settings.max_threshold_packets or 3.0 * least
    slots = settings.slots(link.smallest_packet_bytes) or limit + 1
    return State(
        limit=limit,
        least=least * unit,
        most=most * unit,
        weight=settings.queue_weight or default_weight(per_s, link.delay_ms * 1e-3),
        probability=settings.max_probability,
        gentle=settings.gentle,
        waits=settings.wait,
        in_bytes=settings.in_bytes,
        marks=settings.marks,
        mean_packet_bytes=settings.mean_packet_bytes,
        packets_per_s=per_s,
        **waiting.arrays(slots, 1),
    )


def packets_per_s(settings: Settings, rate_mbps: float) -> float:
    """Packets of mean size that the link sends."""
    return rate_mbps * 1e6 / (8.0 * settings.mean_packet_bytes)


def default_threshold(settings: Settings, packets_per_s: float) -> float:
    """ns-2's lower threshold, in packets: 5, or half of what leaves in the target delay."""
    return max(5.0, settings.target_delay_ms * 1e-3 * packets_per_s / 2.0)


def default_weight(packets_per_s: float, delay_s: float) -> float:
    """ns-2's weight of a sample: the average follows the queue within ten round trips of at least 0.1 s."""
    rtt_s = max(0.1, 3.0 * (delay_s + 1.0 / packets_per_s))
    return 1.0 - exp(-1.0 / (10.0 * rtt_s * packets_per_s))


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
        samples = int(queue.packets_per_s * (now - queue.idle_since_s))
        if samples > MOST_SAMPLES:
            queue.average *= power(1.0 - queue.weight, float(samples))
        else:
            for _ in range(samples):
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
