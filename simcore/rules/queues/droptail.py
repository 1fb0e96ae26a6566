"""Drop-tail: refuse an arrival when the queue is full. The limit is in packets or in bytes.

The queue with a limit in packets, which every link has, is an engine's own (`refuses`): it needs no lines and no slots.
"""

from dataclasses import dataclass
from typing import Final, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import waiting
from simcore.rules.queues.discipline import LinkFacts, QueueSettings
from simcore.rules.queues.pause import Pause
from simcore.rules.queues.waiting import FIRST_LINE, Waiting, drop, join, leave
from simcore.rules.settings import BufferBytes, Packets

NAME: Final = "Drop-tail"
ABOUT: Final = "what finds the buffer full is refused (ns-2: DropTail)"
SINCE: Final = 1969  # the queues of the first IMPs


class Settings(QueueSettings):
    """First come first served; what finds the buffer full is refused. The buffer is in packets or in bytes."""

    buffer_packets: Packets | None = Field(
        default=None, description="room in packets, the one being sent included", examples=[20]
    )
    buffer_bytes: BufferBytes | None = Field(
        default=None, description="instead: room in bytes; what waits is always less", examples=[20_000]
    )
    pause: Pause | None = Field(
        default=None,
        description="Ethernet flow control, with a buffer in packets",
        examples=[{"high_packets": 80, "low_packets": 40}],
    )

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

    def slots(self, smallest_packet_bytes: int) -> int:
        """The packets that fit into the buffer."""
        return waiting.slots_for(self.buffer_bytes, smallest_packet_bytes) if self.buffer_bytes else 0


@dataclass(slots=True, kw_only=True)
class State(Waiting):
    """Of a queue with a limit in bytes: one line, and the limit."""

    limit_bytes: int = 0


def initial_state(settings: Settings, link: LinkFacts) -> State | None:
    """The empty queue; None for one with a limit in packets."""
    if settings.buffer_bytes is None:
        return None
    slots = settings.slots(link.smallest_packet_bytes)
    return State(limit_bytes=settings.buffer_bytes, **waiting.arrays(slots, 1))


def refuses(waiting: int, limit: int) -> bool:
    """Is a packet refused that finds `waiting` packets in front of it, the one in transmission not counted?

    ns-2 compares length + 1 with the limit: a limit of 20 holds 19 waiting and one being sent, a limit of 1
    nothing at all.
    """
    return waiting + 1 >= limit


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came. ns-2 (queue_in_bytes_): what waits and the packet itself must be less than the limit."""
    if queue.bytes + queue.size[slot] >= queue.limit_bytes:
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    return leave(queue, FIRST_LINE)
