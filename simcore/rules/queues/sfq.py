"""Stochastic fairness queueing as in ns-2: one packet of each busy bucket in turn.

P. McKenney, "Stochastic Fairness Queueing", INFOCOM 1990. ns-2 refuses the newcomer where McKenney drops from the
longest bucket, and shares what is left of the buffer rather than all of it.
"""

from array import array
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import turns
from simcore.rules.queues.discipline import LinkFacts, QueueSettings
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import FIRST_LINE, drop, join, leave
from simcore.rules.settings import Lines, WaitingPackets

NAME: Final = "SFQ"
ABOUT: Final = "stochastic fairness queueing: a packet from each busy bucket in turn (McKenney 1990; ns-2: SFQ)"
SINCE: Final = 1990

LARGE: Final = (2 << 19) - 1  # ns-2 calls it a prime


class Settings(QueueSettings):
    """Stochastic fairness queueing (ns-2: SFQ), with ns-2's defaults. Senders on one node share a bucket."""

    buffer_packets: WaitingPackets = Field(
        default=40, description="packets that may wait, in all buckets (ns-2: maxqueue_)", examples=[40]
    )
    buckets: Lines = Field(default=16, description="buckets, into which nodes are hashed", examples=[16])


@dataclass(slots=True, kw_only=True)
class State(turns.Turns):
    """The buckets are the lines."""

    limit_packets: int = 0
    buckets: int = 1


def initial_state(settings: Settings, link: LinkFacts) -> State:
    """The empty queue."""
    return State(
        limit_packets=settings.buffer_packets,
        buckets=settings.buckets,
        line_of=array("q", [line_of(*pair, settings.buckets) for pair in link.nodes]),
        **turns.arrays(settings.buffer_packets + 1, settings.buckets),
    )


def line_of(source: int, destination: int, buckets: int) -> int:
    """The bucket of packets from node to node: ns-2 hashes the sum of the addresses, whatever the ports."""
    k = source + destination
    return FIRST_LINE + (k + (k >> 8) + ~(k >> 4)) % LARGE % buckets


def arrived(queue: State, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet came: it is refused if its bucket already holds half of what is left of the buffer.

    When less than a packet for every bucket is left, it is refused if its bucket has more than its share.
    """
    line = queue.line_of[flow]
    used, left = queue.packets_in[line], queue.limit_packets - queue.packets
    if used >= left >> 1 or (left < queue.buckets and used > queue.limit_packets // queue.buckets):
        drop(queue, slot)
        return
    join(queue, line, slot)
    if used == 0:
        turns.put_last(queue, line)


def next_departure(queue: State, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    line = turns.take_first(queue)
    if line == NOBODY:
        return NOBODY
    slot = leave(queue, line)
    if queue.packets_in[line] > 0:
        turns.put_last(queue, line)
    return slot
