"""Rounds against packets: an equivalent path, asked the same questions."""

import numpy as np
import pytest

from simcore import ScenarioError, simulate
from tests.workbook.chapters.competing_tahoe.results import CHAPTER, SETTINGS, committed
from workbook.chapters.competing_tahoe.comparison import said
from workbook.chapters.competing_tahoe.packets import (
    measure_packets,
    phases,
    round_s,
    rounds_of,
    segment_s,
    windows,
    with_buffer,
)
from workbook.chapters.competing_tahoe.settings import Packets

PATH = SETTINGS.packets.scenario()
TRIP_S = round_s(PATH, "compiled")


def test_the_link_sends_in_a_round_trip_what_the_literal_router_lets_pass_in_a_round() -> None:
    assert segment_s(PATH) == pytest.approx(1064 * 8 / 1e6)
    assert TRIP_S / segment_s(PATH) == pytest.approx(CHAPTER.rounds_scenario("competing-literal").buffer_segments, 0.01)
    assert PATH.end_s / TRIP_S == pytest.approx(300, 0.01)
    assert PATH.flows[0].access is not None
    assert PATH.flows[0].access.rate_mbps / PATH.bottleneck.rate_mbps == 10, "the mismatch"


def test_sender_2_starts_in_as_many_fractions_of_a_round_trip() -> None:
    starts = [run.flows[1].start_s for run in phases(PATH, 4, TRIP_S)]
    assert np.diff(starts) == pytest.approx([TRIP_S / 4] * 3)
    assert starts[0] == PATH.flows[1].start_s
    assert {run.flows[0].start_s for run in phases(PATH, 4, TRIP_S)} == {0}


def test_two_senders_fill_the_link_in_packets() -> None:
    run = simulate(PATH, "compiled")
    found = measure_packets(run, PATH, TRIP_S)
    new = int((run["sent"] - run["retransmitted"]).sum()) - 2  # but for the two SYNs
    assert found["total.segments_per_round"] == pytest.approx(new / (PATH.end_s / TRIP_S), rel=0.01)
    assert found["total.utilisation_percent"] > 85
    assert 45 < found["sender1.share_percent"] < 55


def test_windows_are_those_at_the_end_of_each_round_trip() -> None:
    run = simulate(PATH, "compiled")
    first, second = (windows(run, flow, TRIP_S) for flow in (1, 2))
    assert first.size == rounds_of(run, TRIP_S)
    assert first[:3].tolist() == [1, 2, 4], "slow start, after the round trip of the SYN"
    assert second[:2].tolist() == [0, 0], "not there yet"


def test_a_larger_buffer_helps_in_packets() -> None:
    one = PATH.model_copy(update={"flows": PATH.flows[:1]})
    small, large = (
        measure_packets(simulate(path, "compiled"), path, TRIP_S)["total.utilisation_percent"]
        for path in (with_buffer(one, 6), with_buffer(one, 18))
    )
    assert large > small + 5


def test_a_property_is_kept_within_a_factor_either_way() -> None:
    found = {name: {"rounds": 10.0, "packets": packets} for name, packets in (("a", 13.9), ("b", 14.1), ("c", 7.1))}
    assert said(found, 1.4, kept=True) == "a (10, 13.9)"
    assert said(found, 1.45, kept=True) == "a (10, 13.9); b (10, 14.1); c (10, 7.1)"
    assert said(found, 1.4, kept=False) == "b (10, 14.1); c (10, 7.1)"


def test_the_shape_is_kept_and_the_throughput_lost() -> None:
    found = committed("packets")["compared"]
    kept, lost = (said(found, SETTINGS.packets.kept_within, kept) for kept in (True, False))
    assert all(name in kept for name in ("share of the two", "highest spike", "from cut to cut"))
    assert all(name in lost for name in ("two senders' utilisation", "one sender's", "largest buffer over smallest"))


def test_a_path_that_is_wrong_says_where() -> None:
    with pytest.raises(ScenarioError, match=r"^settings\.packets\.path: "):
        Packets(path={"profile": "ns-2.35"}, seeds=2, kept_within=2).scenario()
