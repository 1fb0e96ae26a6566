"""What a queue discipline is: the parts of its module. CONTRIBUTING.md has an example.

Its engine tells and asks it by `arrived`, `next_departure` and `timer_expired`, whichever it is; the compiled engine
replaces each by the rules that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues.waiting import Waiting
from simcore.rules.recorded import Recorded, recorded_of
from simcore.rules.settings import Strict

Marks = Annotated[
    bool,
    Field(description="are packets of flows with ECN marked instead of dropped (RFC 3168)?", examples=[True]),
]


class QueueSettings(Strict):
    """What a scenario says of a queue, beside the link in front of which it stands."""

    def check_on(self, rate_mbps: float) -> None:
        """Raise PydanticCustomError, with the `field`, for settings that mean nothing on a link of this rate."""

    def slots(self, smallest_packet_bytes: int) -> int:
        """Packets that a limit in bytes makes room for before the run; 0 if the limit is in packets."""
        return 0


class LinkFacts(NamedTuple):
    """What a discipline may need to know of its link, and of the packets that come."""

    rate_mbps: float
    delay_ms: float
    smallest_packet_bytes: int
    nodes: Sequence[tuple[int, int]]  # of each flow's sender and receiver: their addresses in ns-2


@dataclass(frozen=True)
class Discipline:
    """What an engine and a scenario need of a discipline. Its functions receive its own settings and state; hence Any.

    Those that are called during a run may drop packets: the engine then asks `waiting.next_dropped` for them, before
    anything else.
    """

    name: str  # for people
    about: str  # in a line, with the source
    recorded: Recorded  # fields of its state that a run can record
    settings: type[QueueSettings]
    state: type[Waiting]
    initial_state: Callable[[Any, LinkFacts], Waiting | None]  # None: an engine's own drop-tail in packets
    arrived: Callable[[Any, Stream, int, int, float], None]  # (queue, random numbers, slot, flow from 0, now)
    next_departure: Callable[[Any, float], int]  # (queue, now): the slot of the packet to send, or NOBODY
    timer_expired: Callable[[Any, Stream, float], None] | None  # (queue, random numbers, now): at `queue.timer_s`


def initial_state(rules: Discipline, settings: object, link: LinkFacts) -> Waiting | None:
    """The empty queue that follows these rules, with what a scenario says of it; None: an engine's own drop-tail."""
    state = rules.initial_state(settings, link)
    if state is not None:
        state.rules = rules
    return state


def arrived(queue: Waiting, stream: Stream, slot: int, flow: int, now: float) -> None:
    """A packet of a flow, counted from 0, came and has got this slot: it must join a line or be dropped."""
    queue.rules.arrived(queue, stream, slot, flow, now)


def next_departure(queue: Waiting, now: float) -> int:
    """The transmitter is free: the slot of the packet to send, NOBODY if there is none."""
    return queue.rules.next_departure(queue, now)


def timer_expired(queue: Waiting, stream: Stream, now: float) -> None:
    """The time has come that the queue asked for, as one whose discipline has a timer does."""
    if queue.rules.timer_expired:
        queue.rules.timer_expired(queue, stream, now)


def discipline_of(rules: ModuleType) -> Discipline:
    """The discipline that a module defines. It needs rules of a timer only if it has one."""
    return Discipline(
        name=rules.NAME,
        about=rules.ABOUT,
        recorded=recorded_of(rules.NAME, rules),
        settings=rules.Settings,
        state=rules.State,
        initial_state=rules.initial_state,
        arrived=rules.arrived,
        next_departure=rules.next_departure,
        timer_expired=getattr(rules, "timer_expired", None),
    )
