"""CoDel: one line under controlled delay (RFC 8289)."""

from simcore.rules import controlled_delay
from simcore.rules.controlled_delay import State
from simcore.rules.mrg32k3a import Stream
from simcore.rules.waiting import FIRST_LINE, drop, join

__all__ = ["State", "arrived", "next_departure"]


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came: it is refused only if the buffer is full."""
    if queue.packets >= queue.limit_packets:
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    return controlled_delay.next_of(queue, FIRST_LINE, now)
