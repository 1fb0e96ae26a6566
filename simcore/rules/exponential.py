"""An on/off source whose bursts and silences are exponentially distributed (ns-2: Application/Traffic/Exponential)."""

from simcore.rules import on_off
from simcore.rules.mrg32k3a import Stream, exponential
from simcore.rules.source import SourceState


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now: nothing is sent at the start itself."""
    return next_packet_s(source, stream, now)


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the next packet leaves; at the end of a burst the next burst and the silence before it are drawn."""
    if source.left_in_burst > 0:
        return on_off.burst_goes_on(source, now)
    packets = source.mean_burst_packets * exponential(stream)
    return on_off.burst_begins(source, packets, source.mean_idle_s * exponential(stream), now)
