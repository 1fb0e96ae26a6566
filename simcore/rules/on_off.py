"""What on/off sources share: bursts at a constant rate with silences between them."""

from simcore.rules.source import SourceState


def burst_begins(source: SourceState, packets: float, idle_s: float, now: float) -> float:
    """When the first packet of a new burst leaves; the silence comes before it.

    ns-2: a burst has whole packets, at least one, and its first packet is an interval later than the silence says.
    """
    source.left_in_burst = max(1, int(packets + 0.5)) - 1
    return now + (source.interval_s + idle_s)


def burst_goes_on(source: SourceState, now: float) -> float:
    """When the next packet of the burst leaves."""
    source.left_in_burst -= 1
    return now + source.interval_s
