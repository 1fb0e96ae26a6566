"""Throughput in bins: what they add up to, how long they are, and where a packet on an edge counts."""

import numpy as np
import pytest
import xarray as xr

from simcore import metrics, scenario_from, simulate
from simcore.scenario.change import changed
from tests.simcore.scenes import bottleneck, scene, udp_flow
from workbook.chapters.chapter import Chapter
from workbook.explore.bins import bins, width_s
from workbook.explore.charts import View, throughput_chart
from workbook.paths import REPO

TWO_TCP = Chapter.load(REPO.params / "two-tcp.yaml")


@pytest.fixture(scope="module")
def baseline() -> xr.Dataset:
    return simulate(TWO_TCP.scenario("baseline"))


@pytest.mark.parametrize("case", TWO_TCP.cases)
@pytest.mark.parametrize("width", [0.05, 0.2, 3.0])
def test_bins_add_up_to_what_was_delivered(case: str, width: float) -> None:
    run = simulate(TWO_TCP.scenario(case), "compiled")
    for flow in (1, 2):
        begin_s, kbps = bins(run, flow, width)
        kbit = float(np.sum(kbps[:-1] * np.diff(begin_s)))
        assert kbit == pytest.approx(8e-3 * int(run["received_bytes"].sel(flow=flow)), rel=1e-12)


def test_the_chart_shows_all_of_them_and_says_their_width(baseline: xr.Dataset) -> None:
    chart = throughput_chart(baseline, View(0, 10.5, 1000))
    assert chart["title"] == "Throughput in kb/s, bins of 0.2 s"
    drawn = {each["flow"]: [np.frombuffer(each[name], "<f4") for name in ("x", "y")] for each in chart["series"]}
    for flow, (x, y) in drawn.items():
        kbit = float(np.sum(y[:-1] * np.diff(x)))
        assert kbit == pytest.approx(8e-3 * int(baseline["received_bytes"].sel(flow=flow)), rel=1e-5)


def test_two_flows_have_together_no_more_than_the_link_but_a_packet(baseline: xr.Dataset) -> None:
    """Which side of a bin's edge a packet was counts for as much as that packet."""
    together = bins(baseline, 1, 0.2).kbps + bins(baseline, 2, 0.2).kbps
    assert 1900 < together.max() < 2000 + 8e-3 * 1040 / 0.2
    assert metrics.instant_throughput_kbps(baseline, 1).max() > 1900, "which the instant one says"


def test_the_part_that_is_looked_at_has_bins_of_its_own(baseline: xr.Dataset) -> None:
    assert [width_s(baseline, span) for span in (10.5, 6.1, 6.0, 0.5)] == [0.2, 0.2, 0.1, 0.1]
    chart = throughput_chart(baseline, View(3.05, 4.0, 1000))
    x = np.frombuffer(chart["series"][0]["x"], "<f4")
    assert x[0] == pytest.approx(-0.05)
    assert x[-1] >= 0.95


def test_a_packet_on_an_edge_is_of_the_bin_that_begins() -> None:
    """1000 bytes each 8 ms from 100 ms on, over 2 Mb/s and 6 ms: the first arrives at 110 ms."""
    run = simulate(scene(udp_flow(rate_mbps=1.0, stop_s=0.4), bottleneck=bottleneck(delay_ms=6), end_s=0.5))
    assert bins(run, 1, 0.11).kbps[0] == 0
    assert bins(run, 1, 0.1101).kbps[0] == pytest.approx(8 / 0.1101)


def test_a_run_without_packets_has_empty_bins() -> None:
    late = {"flows.*.start_s": 1.00005, "flows.*.stop_s": 1.5, "end_s": 1.0001}
    run = simulate(scenario_from(changed(TWO_TCP.scenario("baseline").to_mapping(), late)))
    begin_s, kbps = bins(run, 1, 0.2)
    assert len(begin_s) == 7
    assert not kbps.any()
    assert begin_s[-1] - begin_s[-2] == pytest.approx(0.0001), "the run's end cuts the last one short"
