"""A constant bit rate source: packets of one size at one interval, the first at the start itself."""

from dataclasses import dataclass
from typing import Final

from simcore.rules.mrg32k3a import Stream
from simcore.rules.sources.source import RatedSettings, SourceState

NAME: Final = "UDP, constant rate"
ABOUT: Final = "a constant bit rate (ns-2: Application/Traffic/CBR)"
SINCE: Final = 1995
PACKET_TYPE: Final = "cbr"


class Settings(RatedSettings):
    """A constant bit rate, which counts the packets' bytes."""


@dataclass(slots=True)
class State(SourceState):
    """Packets leave at one interval."""

    interval_s: float = 0.0


def initial_state(settings: Settings, packet_bytes: int) -> State:
    """The source before it starts."""
    return State(settings.shortest_interval_s(packet_bytes))


def first_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now."""
    return now


def next_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the packet after the one that leaves now does.

    The interval is added again and again: its rounding decides whether one last packet leaves before the stop.
    """
    return now + source.interval_s
