"""The links of a scenario: those of the flows' own, and the bottleneck with the queue that is under study."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.shapes import DelayMs, PacketBytes, Packets, RateMbps, Strict

MOST_BYTES: Final = 10_000_000  # in a buffer: each packet that may wait takes memory from the start
BufferBytes = Annotated[int, Field(ge=1, le=MOST_BYTES)]
WaitingPackets = Annotated[int, Field(ge=1, le=100_000)]  # of a queue that keeps them in lines
PositiveMs = Annotated[float, Field(gt=0, le=1e6)]
Threshold = Annotated[float, Field(gt=0, le=100_000)]
Lines = Annotated[int, Field(ge=1, le=65_536)]


class Line(Strict):
    """A link in both directions."""

    rate_mbps: RateMbps
    delay_ms: DelayMs


class Link(Line):
    """A link with a drop-tail buffer of its own at each end."""

    buffer_packets: Packets


WhenFull = Literal["drop", "congestion", "ignore"]


class Host(Line):
    """A host's network interface with its cable, which several flows may share.

    When the interface's queue is full, a packet is dropped there ("drop"); or TCP is refused, keeps the segment and
    reacts as Linux does ("congestion", see `simcore.rules.local_congestion`); or keeps it and does nothing ("ignore").
    """

    queue_packets: Packets  # that may wait: Linux's txqueuelen and the card's ring together
    when_full: WhenFull = "drop"
    gap_us: Annotated[float, Field(ge=0, le=1e6)] = 0.0  # least time between the beginnings of two packets


class Pause(Strict):
    """Ethernet flow control (IEEE 802.3, annex 31B): a switch stops those who feed a queue. The frames take no time."""

    high_packets: Packets  # waiting, at which the others must stop
    low_packets: Annotated[int, Field(ge=0, le=10_000_000)]  # waiting, at which they may go on

    @model_validator(mode="after")
    def _goes_on_below(self) -> Self:
        if self.low_packets >= self.high_packets:
            raise PydanticCustomError(
                "marks_not_in_order",
                "{low} is not allowed; must be less than high_packets, {high}",
                {"low": self.low_packets, "high": self.high_packets, "field": "low_packets"},
            )
        return self


class RowLink(Line):
    """A link between two routers of the row. The way back is alike, with ns-2's 50 packets, unless it is given."""

    back: Link | None = None


class DropTail(RowLink):
    """First come first served; what finds the buffer full is refused. The buffer is in packets or in bytes."""

    queue: Literal["droptail"]
    buffer_packets: Packets | None = None  # the packet being sent included
    buffer_bytes: BufferBytes | None = None  # of packets waiting, which are always less
    pause: Pause | None = None  # with a buffer in packets

    @model_validator(mode="after")
    def _has_one_buffer(self) -> Self:
        if self.buffer_packets is None and self.buffer_bytes is None:
            raise PydanticCustomError("no_buffer", "missing; must be given", {"field": "buffer_packets"})
        if self.buffer_packets is not None and self.buffer_bytes is not None:
            raise PydanticCustomError(
                "two_buffers",
                "{given} is not allowed beside buffer_packets; must be one of them",
                {"given": self.buffer_bytes, "field": "buffer_bytes"},
            )
        if self.pause is not None and self.buffer_packets is None:
            raise PydanticCustomError(
                "pause_counts_packets", "not allowed beside buffer_bytes; the marks are in packets", {"field": "pause"}
            )
        return self


class FairQueue(RowLink):
    """Stochastic fairness queueing (ns-2: SFQ), with ns-2's defaults. Senders on one node share a bucket."""

    queue: Literal["sfq"]
    buffer_packets: WaitingPackets = 40  # waiting, in all buckets; ns-2: maxqueue_
    buckets: Lines = 16


class DeficitRoundRobin(RowLink):
    """Deficit round robin (ns-2: DRR), with ns-2's defaults. Senders on one node share a bucket."""

    queue: Literal["drr"]
    buffer_bytes: BufferBytes = 25_000  # waiting, in all buckets; ns-2: blimit_
    buckets: Lines = 10
    quantum_bytes: BufferBytes = 250  # what a bucket may send in a turn


class RandomEarlyDetection(RowLink):
    """Random early detection (ns-2: RED), with ns-2.35's defaults but for `in_bytes`, which is true there."""

    queue: Literal["red"]
    buffer_packets: WaitingPackets = 50  # waiting; ns-2: limit_
    min_threshold_packets: Threshold | None = None  # thresh_; without: 5, or half of what leaves in the target delay
    max_threshold_packets: Threshold | None = None  # maxthresh_; without: three times the least
    max_probability: Annotated[float, Field(gt=0, le=1)] = 0.1  # 1 / linterm_
    queue_weight: Annotated[float, Field(gt=0, le=1)] | None = None  # q_weight_; without: from rate and delay
    target_delay_ms: DelayMs = 5.0  # targetdelay_
    mean_packet_bytes: PacketBytes = 500  # mean_pktsize_
    gentle: bool = True
    wait: bool = True
    in_bytes: bool = False  # queue_in_bytes_ and bytes_; the buffer is then of packets of mean size
    marks: bool = False  # setbit_: packets of flows with ECN are marked instead of dropped early

    @model_validator(mode="after")
    def _thresholds_are_in_order(self) -> Self:
        least, most = self.min_threshold_packets, self.max_threshold_packets
        if most is not None and most <= (least or 0.0):
            raise PydanticCustomError(
                "thresholds_not_in_order",
                "{most} is not allowed; must be greater than min_threshold_packets, {least}",
                {"most": most, "least": least, "field": "max_threshold_packets"},
            )
        return self

    @model_validator(mode="after")
    def _buffer_fits_into_memory(self) -> Self:
        if self.in_bytes and self.buffer_packets * self.mean_packet_bytes > MOST_BYTES:
            raise PydanticCustomError(
                "buffer_too_large",
                "{given} is not allowed; times mean_packet_bytes it must be at most {most} bytes",
                {"given": self.buffer_packets, "most": MOST_BYTES, "field": "buffer_packets"},
            )
        return self


class ControlledDelay(RowLink):
    """CoDel (RFC 8289, section 4.4 for the defaults; the RFC has none for the buffer, this is Linux's)."""

    queue: Literal["codel"]
    buffer_packets: WaitingPackets = 1000  # waiting
    target_ms: PositiveMs = 5.0
    interval_ms: PositiveMs = 100.0
    max_packet_bytes: PacketBytes = 1500  # no drops while no more than this waits
    marks: bool = False  # packets of flows with ECN are marked instead of dropped


class FlowQueueControlledDelay(RowLink):
    """FQ-CoDel (RFC 8290, section 5.2 for the defaults). The flows have queues by their numbers, modulo `queues`."""

    queue: Literal["fq_codel"]
    buffer_packets: WaitingPackets = 10_240  # waiting, in all queues
    queues: Lines = 1024
    quantum_bytes: BufferBytes = 1514
    target_ms: PositiveMs = 5.0
    interval_ms: PositiveMs = 100.0
    max_packet_bytes: PacketBytes = 1500  # no drops from a queue while no more than this waits in it
    marks: bool = False  # packets of flows with ECN are marked instead of dropped


AnyQueue = DropTail | FairQueue | DeficitRoundRobin | RandomEarlyDetection | ControlledDelay | FlowQueueControlledDelay
Bottleneck = Annotated[AnyQueue, Field(discriminator="queue")]
QUEUES: dict[str, type[RowLink]] = {
    "droptail": DropTail,
    "sfq": FairQueue,
    "drr": DeficitRoundRobin,
    "red": RandomEarlyDetection,
    "codel": ControlledDelay,
    "fq_codel": FlowQueueControlledDelay,
}
