"""An on/off source whose bursts and silences are exponentially distributed (ns-2: Application/Traffic/Exponential)."""

from typing import Final

from simcore.rules.mrg32k3a import Stream, exponential
from simcore.rules.sources import on_off
from simcore.rules.sources.on_off import State

__all__ = ["State", "first_packet_s", "next_packet_s"]

NAME: Final = "UDP, exponential bursts"
ABOUT: Final = "bursts and silences, exponentially distributed (ns-2: Application/Traffic/Exponential)"
SINCE: Final = 1995
PACKET_TYPE: Final = "exp"


class Settings(on_off.Settings):
    """Bursts at a constant bit rate and silences between them, both exponentially distributed around their means."""


def initial_state(settings: Settings, packet_bytes: int) -> State:
    """The source before it starts."""
    return on_off.off(settings, packet_bytes)


def first_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now: nothing is sent at the start itself."""
    return next_packet_s(source, stream, now)


def next_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the next packet leaves; at the end of a burst the next burst and the silence before it are drawn."""
    if source.left_in_burst > 0:
        return on_off.burst_goes_on(source, now)
    packets = source.mean_burst_packets * exponential(stream)
    return on_off.burst_begins(source, packets, source.mean_idle_s * exponential(stream), now)
