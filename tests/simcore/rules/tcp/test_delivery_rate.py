"""Samples of the delivery rate, computed by hand from draft-cheng-iccrg-delivery-rate-estimation-00, section 3."""

from types import SimpleNamespace

import pytest

from simcore.rules.tcp import delivery_rate
from simcore.rules.tcp.delivery_rate import Sampler, sampler_arrays
from simcore.rules.tcp.sender import TcpState

WINDOW = 8


@pytest.fixture
def sampler() -> Sampler:
    return Sampler(**sampler_arrays(WINDOW))  # type: ignore[arg-type]


def tcp(highest_ack: int, highest_sent: int, *blocks: tuple[int, int]) -> TcpState:
    """What the keeper looks at of a sender."""
    flat = [number for block in blocks for number in block]
    said = {"window": WINDOW, "highest_ack": highest_ack, "highest_sent": highest_sent}
    return SimpleNamespace(**said, blocks=flat, block_count=len(blocks))  # type: ignore[return-value]


def send(sampler: Sampler, times_s: list[float], first: int = 1, acked: int = 0) -> None:
    for seq, now in enumerate(times_s, start=first):
        delivery_rate.segment_sent(tcp(acked, seq - 1), sampler, seq, now)


def test_segments_that_are_acknowledged_as_they_were_sent_show_their_rate(sampler: Sampler) -> None:
    """Four, a segment each 10 ms; ACKs come 100 ms later, one each 20 ms: the bottleneck's rate."""
    send(sampler, [0.0, 0.01, 0.02, 0.03])
    rates = []
    for ack, now in enumerate([0.10, 0.12, 0.14, 0.16], start=1):
        delivery_rate.ack_arrived(tcp(ack - 1, 4), sampler, ack, now)
        rates.append(delivery_rate.rate(sampler, 0.0))
    assert rates == pytest.approx([1 / 0.10, 2 / 0.12, 3 / 0.14, 4 / 0.16])
    send(sampler, [0.16], first=5, acked=4)
    delivery_rate.ack_arrived(tcp(4, 5), sampler, 5, 0.26)
    assert delivery_rate.rate(sampler, 0.0) == pytest.approx(1 / 0.10)


def test_compressed_acks_do_not_show_more_than_was_sent(sampler: Sampler) -> None:
    """All ACKs come at once: over the time of the sending, which is longer (section 3.2.2)."""
    send(sampler, [0.0, 0.1, 0.2, 0.3])
    delivery_rate.ack_arrived(tcp(0, 4), sampler, 1, 0.5)
    delivery_rate.ack_arrived(tcp(1, 4), sampler, 4, 0.5)
    assert sampler.interval_s == pytest.approx(0.5)
    assert delivery_rate.rate(sampler, 0.0) == pytest.approx(4 / 0.5)


def test_a_sack_block_tells_of_a_segment_once(sampler: Sampler) -> None:
    send(sampler, [0.0, 0.01, 0.02])
    delivery_rate.ack_arrived(tcp(0, 3, (2, 4)), sampler, 0, 0.1)
    assert (sampler.delivered, sampler.newly_delivered) == (2, 2)
    delivery_rate.ack_arrived(tcp(0, 3, (2, 4)), sampler, 0, 0.11)
    assert (sampler.delivered, sampler.newly_delivered, delivery_rate.rate(sampler, 0.0)) == (2, 0, 0.0)
    delivery_rate.ack_arrived(tcp(0, 3), sampler, 3, 0.12)
    assert (sampler.delivered, sampler.newly_delivered) == (3, 1)


def test_a_segment_that_was_sent_again_gives_no_round_trip(sampler: Sampler) -> None:
    """Karn: and one that was sent once does, to the last one told of."""
    send(sampler, [0.0, 0.01])
    delivery_rate.segment_sent(tcp(0, 2), sampler, 1, 0.2)
    delivery_rate.ack_arrived(tcp(0, 2), sampler, 1, 0.3)
    assert sampler.rtt_s < 0
    delivery_rate.ack_arrived(tcp(1, 2), sampler, 2, 0.3)
    assert sampler.rtt_s == pytest.approx(0.29)


def test_a_sample_of_less_than_the_shortest_round_trip_says_nothing(sampler: Sampler) -> None:
    send(sampler, [0.0])
    delivery_rate.ack_arrived(tcp(0, 1), sampler, 1, 0.1)
    assert delivery_rate.rate(sampler, 0.09) == pytest.approx(10)
    assert delivery_rate.rate(sampler, 0.11) == 0.0
