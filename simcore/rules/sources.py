"""The UDP sources by name, and how ns-2 calls their packets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simcore.rules import cbr, exponential, pareto, replay
from simcore.rules.mrg32k3a import Stream
from simcore.rules.source import SourceState

When = Callable[[SourceState, Stream, float], float]  # (source, random numbers, now): seconds


@dataclass(frozen=True)
class Source:
    """What an engine needs of a source."""

    first_packet_s: When
    next_packet_s: When
    packet_type: str  # in ns-2's traces


SOURCES: Final = {
    "cbr": Source(cbr.first_packet_s, cbr.next_packet_s, "cbr"),
    "exponential": Source(exponential.first_packet_s, exponential.next_packet_s, "exp"),
    "pareto": Source(pareto.first_packet_s, pareto.next_packet_s, "pareto"),
    "replay": Source(replay.first_packet_s, replay.next_packet_s, "udp"),
}
