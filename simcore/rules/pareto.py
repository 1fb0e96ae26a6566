"""An on/off source whose bursts and silences are Pareto distributed (ns-2: Application/Traffic/Pareto).

With a shape between 1 and 2 they have a mean but no variance, and many such sources together make traffic that is
bursty at all scales (Willinger, Taqqu, Sherman, Wilson, "Self-Similarity Through High-Variability", 1997).
"""

from simcore.rules import on_off
from simcore.rules.mrg32k3a import Stream, pareto
from simcore.rules.source import SourceState


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now: nothing is sent at the start itself."""
    return next_packet_s(source, stream, now)


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the next packet leaves; at the end of a burst the next burst and the silence before it are drawn."""
    if source.left_in_burst > 0:
        return on_off.burst_goes_on(source, now)
    packets = pareto(stream, source.mean_burst_packets, source.shape)
    return on_off.burst_begins(source, packets, pareto(stream, source.mean_idle_s, source.shape), now)
