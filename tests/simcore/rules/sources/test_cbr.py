"""A constant bit rate: the interval, and how many packets leave before the stop."""

from fractions import Fraction

import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from simcore import simulate
from simcore.rules.sources.source import interval_s
from tests.simcore.scenes import bottleneck, scene, sent_at, udp_flow

WIDE = bottleneck(rate_mbps=100, buffer_packets=10_000)


def packets(end_s: float = 3, **flow: float) -> xr.Dataset:
    return simulate(scene(udp_flow(**flow), bottleneck=WIDE, end_s=end_s))


@pytest.mark.parametrize(
    ("packet_bytes", "rate_bps", "seconds"), [(1000, 1e6, 0.008), (512, 168e3, 0.024380952380952382), (1, 8.0, 1.0)]
)
def test_the_interval_counts_the_packets_bytes_and_no_header(
    packet_bytes: int, rate_bps: float, seconds: float
) -> None:
    assert interval_s(packet_bytes, rate_bps) == seconds


def test_the_first_packet_leaves_at_the_start_and_the_others_follow_at_the_interval() -> None:
    assert sent_at(packets(rate_mbps=1, start_s=0.1, stop_s=0.12)) == [(0.1, 0), (0.108, 1), (0.116, 2)]


def test_a_packet_due_at_the_stop_is_not_sent() -> None:
    eighths = {"packet_bytes": 1000, "rate_mbps": 0.064, "start_s": 0.0}  # every 0.125 s, which doubles hold exactly
    assert int(packets(**eighths, stop_s=1.0)["sent"][0]) == 8
    assert int(packets(**eighths, stop_s=1.0000000000000002)["sent"][0]) == 9


def test_a_source_that_stops_before_its_second_packet_has_sent_one() -> None:
    assert int(packets(rate_mbps=1, start_s=0.1, stop_s=0.1001)["sent"][0]) == 1


def test_repeated_addition_lets_one_more_packet_leave_than_exact_arithmetic_would() -> None:
    """From 0 to 1 every 0.1 s: ten packets. But ten times 0.1 added up is less than 1, and an eleventh leaves."""
    dataset = packets(rate_mbps=0.08, start_s=0.0, stop_s=1.0)
    assert int(dataset["sent"][0]) == 11
    assert float(dataset["packet_enqueued_s"][-1]) == 0.9999999999999999


@given(
    packet_bytes=st.integers(100, 1500),
    rate_mbps=st.floats(0.01, 1),
    start_s=st.floats(0, 1),
    lasts_s=st.floats(0.001, 1),
)
def test_packets_leave_where_repeated_addition_falls_before_the_stop(
    packet_bytes: int, rate_mbps: float, start_s: float, lasts_s: float
) -> None:
    stop_s = start_s + lasts_s
    times, now = [], start_s
    while now < stop_s:
        times.append(now)
        now += packet_bytes * 8 / (rate_mbps * 1e6)
    dataset = packets(packet_bytes=packet_bytes, rate_mbps=rate_mbps, start_s=start_s, stop_s=stop_s)
    assert dataset["packet_enqueued_s"].values.tolist() == times
    assert dataset["packet_seq"].values.tolist() == list(range(len(times)))
    exactly = -(-Fraction(lasts_s) * Fraction(rate_mbps * 1e6) // (8 * packet_bytes))
    assert abs(len(times) - exactly) <= 1
