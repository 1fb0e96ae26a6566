"""An on/off source: bursts at a constant rate and silences between them, both exponentially distributed.

As in ns-2 (Application/Traffic/Exponential) the length of a burst is rounded to whole packets, at least one, and
nothing is sent at the start itself: a silence comes first.
"""

from simcore.rules.mrg32k3a import Stream, exponential
from simcore.rules.source import SourceState


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now."""
    return next_packet_s(source, stream, now)


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the next packet leaves; at the end of a burst the next burst and the silence before it are drawn."""
    gap_s = source.interval_s
    if source.left_in_burst == 0:
        source.left_in_burst = max(1, int(source.mean_burst_packets * exponential(stream) + 0.5))
        gap_s += source.mean_idle_s * exponential(stream)
    source.left_in_burst -= 1
    return now + gap_s
