"""Drop-tail with a limit in bytes: refuse an arrival that would fill the queue."""

from dataclasses import dataclass

from simcore.rules.mrg32k3a import Stream
from simcore.rules.waiting import FIRST_LINE, Waiting, drop, join, leave


@dataclass(slots=True, kw_only=True)
class State(Waiting):
    """One line, and its limit."""

    limit_bytes: int = 0


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came. ns-2 (queue_in_bytes_): what waits and the packet itself must be less than the limit."""
    if queue.bytes + queue.size[slot] >= queue.limit_bytes:
        drop(queue, slot)
    else:
        join(queue, FIRST_LINE, slot)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    return leave(queue, FIRST_LINE)
