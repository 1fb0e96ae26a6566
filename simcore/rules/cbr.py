"""A constant bit rate source: packets of one size at one interval, the first at the start itself."""

from simcore.rules.mrg32k3a import Stream
from simcore.rules.source import SourceState


def interval_s(packet_bytes: int, rate_bps: float) -> float:
    """Seconds between two packets. UDP packets carry no header bytes in ns-2."""
    return (packet_bytes * 8) / rate_bps


def first_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the first packet leaves, the source being started now."""
    return now


def next_packet_s(source: SourceState, stream: Stream, now: float) -> float:
    """When the packet after the one that leaves now does.

    The interval is added again and again: its rounding decides whether one last packet leaves before the stop.
    """
    return now + source.interval_s
