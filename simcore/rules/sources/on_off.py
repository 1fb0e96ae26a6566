"""What on/off sources share: bursts at a constant rate with silences between them."""

from dataclasses import dataclass

from pydantic import Field

from simcore.rules.settings import PositiveSeconds, Seconds
from simcore.rules.sources.source import RatedSettings, SourceState


class Settings(RatedSettings):
    """Of bursts and silences by their means."""

    burst_s: PositiveSeconds = Field(description="mean length of a burst", examples=[0.5])
    idle_s: Seconds = Field(description="mean silence between two bursts", examples=[0.5])


@dataclass(slots=True)
class State(SourceState):
    """A burst, or the silence before the next one."""

    interval_s: float = 0.0  # between two packets of a burst
    mean_burst_packets: float = 0.0
    mean_idle_s: float = 0.0
    left_in_burst: int = 0  # packets


def off(settings: Settings, packet_bytes: int) -> State:
    """The source before it starts."""
    interval_s = settings.shortest_interval_s(packet_bytes)
    return State(interval_s, settings.burst_s / interval_s, settings.idle_s)


def burst_begins(source: State, packets: float, idle_s: float, now: float) -> float:
    """When the first packet of a new burst leaves; the silence comes before it.

    ns-2: a burst has whole packets, at least one, and its first packet is an interval later than the silence says.
    """
    source.left_in_burst = max(1, int(packets + 0.5)) - 1
    return now + (source.interval_s + idle_s)


def burst_goes_on(source: State, now: float) -> float:
    """When the next packet of the burst leaves."""
    source.left_in_burst -= 1
    return now + source.interval_s
