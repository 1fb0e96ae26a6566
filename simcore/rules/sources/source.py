"""What a UDP source is: the parts of its module.

Its engine asks it by `first_packet_s` and `next_packet_s`, whichever source it is; the compiled engine replaces each by
the rules that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from types import ModuleType
from typing import Any

from pydantic import Field

from simcore.rules.mrg32k3a import Stream
from simcore.rules.settings import RateMbps, Strict

When = Callable[[Any, Stream, float], float]  # (state, random numbers, now): seconds


@dataclass(slots=True)
class SourceState:
    """The state that every source's own extends."""

    rules: "Source" = field(init=False, repr=False, compare=False)  # that it follows: set where a run begins


class SourceSettings(Strict):
    """What a scenario says of a source, beside what every flow has."""

    def shortest_interval_s(self, packet_bytes: int) -> float:
        """The least time after which it sends again by itself; infinity for a list of times, which ends."""
        return inf


class RatedSettings(SourceSettings):
    """Of a source that sends, while it does, at a constant bit rate."""

    rate_mbps: RateMbps = Field(description="rate while it sends; UDP packets have no headers", examples=[0.95])

    def shortest_interval_s(self, packet_bytes: int) -> float:
        """The time between two packets."""
        return interval_s(packet_bytes, self.rate_mbps * 1e6)


def interval_s(packet_bytes: int, rate_bps: float) -> float:
    """Seconds between two packets. UDP packets carry no header bytes in ns-2."""
    return (packet_bytes * 8) / rate_bps


@dataclass(frozen=True)
class Source:
    """What an engine and a scenario need of a source. Its functions receive its own settings and state; hence Any."""

    name: str  # for people
    about: str  # in a line, with the source
    packet_type: str  # in ns-2's traces
    settings: type[SourceSettings]
    state: type[SourceState]
    initial_state: Callable[[Any, int], SourceState]  # (settings, bytes of a packet)
    first_packet_s: When  # of a source that starts now
    next_packet_s: When  # when the packet after the one that leaves now does


def initial_state(rules: Source, settings: object, packet_bytes: int) -> SourceState:
    """The state, before it starts, of a source that follows these rules, with what a scenario says of it."""
    state = rules.initial_state(settings, packet_bytes)
    state.rules = rules
    return state


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves, of a source that starts now."""
    return source.rules.first_packet_s(source, stream, now)


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the packet after the one that leaves now does."""
    return source.rules.next_packet_s(source, stream, now)


def source_of(rules: ModuleType) -> Source:
    """The source that a module defines."""
    return Source(
        name=rules.NAME,
        about=rules.ABOUT,
        packet_type=rules.PACKET_TYPE,
        settings=rules.Settings,
        state=rules.State,
        initial_state=rules.initial_state,
        first_packet_s=rules.first_packet_s,
        next_packet_s=rules.next_packet_s,
    )
