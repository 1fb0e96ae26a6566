"""CoDel: one line under controlled delay (RFC 8289)."""

from typing import Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import controlled_delay
from simcore.rules.queues.controlled_delay import IntervalMs, SparedBytes, State, TargetMs
from simcore.rules.queues.discipline import LinkFacts, Marks, QueueSettings
from simcore.rules.queues.waiting import FIRST_LINE, drop, join
from simcore.rules.settings import WaitingPackets

__all__ = ["State", "arrived", "next_departure"]

NAME: Final = "CoDel"
ABOUT: Final = "controlled delay: drops by how long packets stay (Nichols, Jacobson 2012; RFC 8289)"
SINCE: Final = 2012


class Settings(QueueSettings):
    """CoDel (RFC 8289, section 4.4 for the defaults; the RFC has none for the buffer, this is Linux's)."""

    buffer_packets: WaitingPackets = Field(default=1000, description="packets that may wait", examples=[1000])
    target_ms: TargetMs = 5.0
    interval_ms: IntervalMs = 100.0
    max_packet_bytes: SparedBytes = 1500
    marks: Marks = False


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue."""
    return State(
        limit_packets=settings.buffer_packets,
        marks=settings.marks,
        **controlled_delay.control(settings.target_ms, settings.interval_ms, settings.max_packet_bytes),
        **controlled_delay.arrays(settings.buffer_packets + 1, 1),
    )


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came: it is refused only if the buffer is full."""
    if queue.packets >= queue.limit_packets:
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    return controlled_delay.next_of(queue, FIRST_LINE, now)
