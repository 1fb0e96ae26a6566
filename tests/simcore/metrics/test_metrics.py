"""Metrics against numbers worked out by hand on runs of a few packets."""

from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from simcore import TOTALS, metrics, simulate
from simcore.metrics.series import ewma
from simcore.metrics.steps import spells
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

# At 2 Mb/s a packet of 1000 bytes takes 4 ms, the link another 10. Two sources with one beat of 8 ms start together.
TWO_SOURCES = [udp_flow(rate_mbps=1, stop_s=0.13), udp_flow(rate_mbps=1, stop_s=0.13)]


@pytest.fixture(scope="module")
def pair() -> xr.Dataset:
    return simulate(scene(*TWO_SOURCES, end_s=1))


@pytest.fixture(scope="module")
def lossy() -> xr.Dataset:
    return simulate(scene(tcp_flow(), tcp_flow(), end_s=10.5))


def test_the_first_source_waits_for_nobody_and_the_second_for_one_packet(pair: xr.Dataset) -> None:
    np.testing.assert_allclose(metrics.latency_ms(pair, 1), 14)
    np.testing.assert_allclose(metrics.latency_ms(pair, 2), 18)
    np.testing.assert_allclose(metrics.jitter_ms(pair, 2), 0, atol=1e-9)
    assert metrics.jitter_ms(pair, 1).size == metrics.latency_ms(pair, 1).size - 1 == 3


def test_instant_throughput_of_an_even_beat_is_the_beat(pair: xr.Dataset) -> None:
    """8000 bits every 8 ms; the first packet has no predecessor."""
    series = metrics.instant_throughput_kbps(pair, 1)
    np.testing.assert_allclose(series, 1000)
    np.testing.assert_allclose(series["time_s"], [0.122, 0.130, 0.138])


def test_system_throughput_counts_from_the_flows_start(pair: xr.Dataset) -> None:
    np.testing.assert_allclose(metrics.system_throughput_kbps(pair, 1)[:2], [8 / 0.014, 16 / 0.022])


def test_each_packet_of_the_second_source_waits_alone(pair: xr.Dataset) -> None:
    assert metrics.queue_packets(pair)[:4].values.tolist() == [1, 0, 1, 0]
    assert metrics.queue_packets(pair, 1).max() == 1  # for no time at all
    values, seconds = spells(metrics.queue_packets(pair, 2), 0.1, 0.132)
    assert (values * seconds).sum() == pytest.approx(4 * 0.004)


def test_a_link_of_the_flows_own_counts_in_the_latency() -> None:
    """A packet of 1000 bytes: 8 ms and 5 ms on the way in, 4 and 10 at the bottleneck, 0.8 and 1 on the way out."""
    access = {"rate_mbps": 1, "delay_ms": 5, "buffer_packets": 10}
    out = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 10}
    dataset = simulate(scene(udp_flow(rate_mbps=0.5, stop_s=0.2, access=access, exit=out), end_s=1))
    np.testing.assert_allclose(metrics.latency_ms(dataset, 1), 8 + 5 + 4 + 10 + 0.8 + 1)


@pytest.mark.parametrize(("values", "index"), [([1, 1], 1.0), ([1, 0], 0.5), ([3, 3, 3, 3], 1.0), ([1, 0, 0, 0], 0.25)])
def test_jain_is_one_for_equals_and_one_nth_for_a_monopoly(values: list[float], index: float) -> None:
    assert metrics.jain_index(xr.DataArray(values)) == index


def test_jain_of_a_run_is_that_of_the_bytes_received(lossy: xr.Dataset) -> None:
    assert metrics.jain(lossy) == metrics.jain_index(lossy["received_bytes"])


@pytest.mark.parametrize("metric", [metrics.goodput_kbps, metrics.throughput_kbps])
def test_a_metric_of_what_was_not_recorded_says_what_to_record(metric: Callable[[xr.Dataset], object]) -> None:
    run = simulate(scene(end_s=1), recording=TOTALS)
    with pytest.raises(KeyError) as refused:
        metric(run)
    said = f"{metric.__name__} needs packet_arrived_s, which was not recorded: simulate(..., recording=EVERYTHING)"
    assert str(refused.value) == said
    assert metrics.jain(run) > 0


def test_jain_of_nothing_is_undefined() -> None:
    assert np.isnan(metrics.jain_index(xr.DataArray([0.0, 0.0])))


def test_goodput_leaves_out_what_came_twice_and_throughput_does_not(lossy: xr.Dataset) -> None:
    for flow in (1, 2):
        own = (lossy["packet_flow"] == flow) & ~lossy["packet_arrived_s"].isnull()
        twice = int(own.sum()) - np.unique(lossy["packet_seq"].values[own.values]).size
        ratio = float(metrics.goodput_kbps(lossy).sel(flow=flow) / metrics.throughput_kbps(lossy).sel(flow=flow))
        assert (ratio < 1) == (twice > 0)


def test_round_trips_are_sampled_only_from_segments_sent_once(lossy: xr.Dataset) -> None:
    sent = lossy["packet_seq"].values[lossy["packet_flow"].values == 1]
    _, copies = np.unique(sent, return_counts=True)
    samples = metrics.rtt_ms(lossy, 1)
    assert samples.size == (copies == 1).sum()
    assert samples.min() >= 2 * 10 + 2 * 0.16  # two delays, and 40 bytes twice


def test_a_drop_is_a_loss_of_its_flow_at_the_time_it_was_offered(lossy: xr.Dataset) -> None:
    assert [metrics.drop_times_s(lossy, flow).size for flow in (1, 2)] == lossy["dropped"].values.tolist() == [15, 20]
    np.testing.assert_allclose(metrics.loss_percent(lossy), [100 * 15 / 1108, 100 * 20 / 1074])


@pytest.mark.parametrize(("gap_s", "bursts"), [(0.0999, 1), (0.1001, 2)])
def test_drops_further_apart_than_a_round_trip_are_two_bursts(gap_s: float, bursts: int) -> None:
    """A buffer of 1 refuses everything: every packet is a drop."""
    times = [0.2, 0.2 + gap_s]
    flow = udp_flow(source="replay", times_s=times, stop_s=1)
    del flow["rate_mbps"]
    dataset = simulate(scene(flow, bottleneck=bottleneck(buffer_packets=1), end_s=1))
    assert metrics.loss_bursts(dataset, 1, 0, 1) == bursts


def test_a_run_without_arrivals_has_empty_series_and_no_gap() -> None:
    dataset = simulate(scene(udp_flow(), bottleneck=bottleneck(buffer_packets=1), end_s=1))
    assert metrics.latency_ms(dataset, 1).size == metrics.instant_throughput_kbps(dataset, 1).size == 0
    assert metrics.longest_gap(dataset, 1) is None
    assert metrics.system_trough_kbps(dataset, 1) is None


def test_the_studies_silence_is_the_longest_gap(lossy: xr.Dataset) -> None:
    gap = metrics.longest_gap(lossy, 1)
    assert gap is not None
    assert (round(gap.from_s, 3), round(gap.until_s, 3)) == (0.446, 1.470)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=50))
def test_the_average_forgets_a_tenth_at_every_value(values: list[float]) -> None:
    expected = [values[0]]
    for value in values[1:]:
        expected.append(0.9 * expected[-1] + 0.1 * value)
    np.testing.assert_allclose(ewma(np.array(values)), expected, atol=1e-9)


def test_every_series_says_what_it_is_in_which_unit(lossy: xr.Dataset) -> None:
    for metric in (metrics.latency_ms, metrics.jitter_ms, metrics.rtt_ms, metrics.instant_throughput_kbps):
        series = metric(lossy, 1)
        assert series.attrs["long_name"]
        assert series.attrs["units"] in ("ms", "kb/s")
        assert (np.diff(series["time_s"]) >= 0).all()


def test_a_moving_mean_weighs_by_time_and_is_cut_at_the_ends() -> None:
    steps = xr.DataArray([4.0, 0.0], {"time_s": ("change", [1.0, 2.0])}, ("change",))
    mean = metrics.moving_mean(steps, 0, 4, 2.0, 5)
    np.testing.assert_allclose(mean, [0, 2, 2, 0, 0])
    np.testing.assert_allclose(mean["time_s"], [0, 1, 2, 3, 4])


def test_a_state_that_lasts_for_a_rounding_error_is_in_no_band() -> None:
    steps = xr.DataArray([1.0, 9.0, 1.0], {"time_s": ("change", [0.0, 1.0, np.nextafter(1.0, 2)])}, ("change",))
    assert metrics.envelope(steps, 0, 2, 4)["high"].values.tolist() == [1, 1, 1, 1]


def test_a_packet_that_has_not_come_to_the_queue_yet_is_none_of_its_events() -> None:
    """Four packets, 8 ms apart, behind an access link of half a second: the run ends when two have come."""
    far = {"rate_mbps": 2, "delay_ms": 500, "buffer_packets": 9}
    late = simulate(scene(udp_flow(rate_mbps=1, start_s=0, stop_s=0.03, access=far), end_s=0.514))
    assert int(late["packet_uid"].max()) > int(late["event_uid"].max())
    assert metrics.queue_smoothed_packets(late, 1).size == late.sizes["event"] > 0
