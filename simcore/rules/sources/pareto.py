"""An on/off source whose bursts and silences are Pareto distributed (ns-2: Application/Traffic/Pareto).

With a shape between 1 and 2 they have a mean but no variance, and many such sources together make traffic that is
bursty at all scales (Willinger, Taqqu, Sherman, Wilson, "Self-Similarity Through High-Variability", 1997).
"""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from simcore.rules.mrg32k3a import Stream, pareto
from simcore.rules.sources import on_off

NAME: Final = "UDP, Pareto bursts"
ABOUT: Final = "bursts and silences, Pareto distributed (Willinger et al. 1997; ns-2: Application/Traffic/Pareto)"
SINCE: Final = 1997
PACKET_TYPE: Final = "pareto"


class Settings(on_off.Settings):
    """Bursts at a constant bit rate and silences between them, both Pareto distributed around their means."""

    shape: Annotated[float, Field(gt=1, le=100)] = Field(
        description="shape of both distributions; below 2 they have no variance", examples=[1.5]
    )


@dataclass(slots=True)
class State(on_off.State):
    """On or off."""

    shape: float = 2.0


def initial_state(settings: Settings, packet_bytes: int) -> State:
    """The source before it starts."""
    off = on_off.off(settings, packet_bytes)
    return State(off.interval_s, off.mean_burst_packets, off.mean_idle_s, shape=settings.shape)


def first_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now: nothing is sent at the start itself."""
    return next_packet_s(source, stream, now)


def next_packet_s(source: State, stream: Stream, now: float) -> float:
    """When the next packet leaves; at the end of a burst the next burst and the silence before it are drawn."""
    if source.left_in_burst > 0:
        return on_off.burst_goes_on(source, now)
    packets = pareto(stream, source.mean_burst_packets, source.shape)
    return on_off.burst_begins(source, packets, pareto(stream, source.mean_idle_s, source.shape), now)
