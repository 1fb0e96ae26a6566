"""A source that sends at given times, for instance those of another run."""

from simcore.rules.mrg32k3a import Stream
from simcore.rules.source import SourceState


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves; times before the start are left out."""
    while source.times_s[source.sent] < now:
        source.sent += 1
    return next_packet_s(source, stream, now)


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the next packet leaves; never, after the last."""
    source.sent += 1
    return source.times_s[source.sent - 1]
