"""A source that sends at given times, for instance those of another run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Final

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from simcore.rules.mrg32k3a import Stream
from simcore.rules.settings import Seconds, as_listed
from simcore.rules.sources.source import SourceSettings, SourceState

NAME: Final = "UDP, given times"
ABOUT: Final = "packets at given times (ns-2: Application/Traffic/Trace)"
SINCE: Final = 1998
PACKET_TYPE: Final = "udp"


class Settings(SourceSettings):
    """Packets at given times, in order."""

    times_s: tuple[Seconds, ...] = Field(
        min_length=1, description="when packets leave, in order", examples=[[0.1, 0.25]]
    )

    @field_validator("times_s", mode="before")
    @classmethod
    def _times_as_listed(cls, times: object) -> object:
        return as_listed(times)

    @field_validator("times_s")
    @classmethod
    def _times_are_in_order(cls, times: tuple[float, ...]) -> tuple[float, ...]:
        for before, after in pairwise(times):
            if after < before:
                raise PydanticCustomError(
                    "not_in_order",
                    "{after} is not allowed after {before}; must not decrease",
                    {"after": after, "before": before},
                )
        return times


@dataclass(slots=True)
class State(SourceState):
    """The times, ended by infinity."""

    times_s: Sequence[float] = field(default_factory=lambda: [inf])
    sent: int = 0


def initial_state(settings: Settings, packet_bytes: int) -> State:
    """The source before it starts."""
    return State([*settings.times_s, inf])


def first_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the first packet leaves; times before the start are left out."""
    while source.times_s[source.sent] < now:
        source.sent += 1
    return next_packet_s(source, stream, now)


def next_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the next packet leaves; never, after the last."""
    source.sent += 1
    return source.times_s[source.sent - 1]
