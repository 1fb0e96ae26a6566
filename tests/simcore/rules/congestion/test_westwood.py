"""TCP Westwood+ by numbers worked out from Grieco and Mascolo 2004: the estimate, and what a loss leaves."""

from typing import Any

import pytest
import xarray as xr

from simcore import metrics, scenario_from, simulate
from simcore.rules.congestion import control, westwood
from simcore.scenario.schema import scenario_schema
from tests.simcore.rules.congestion.sender import lose
from tests.simcore.scenes import bottleneck, mapping, scene, tcp_flow
from tests.simcore.script import under_way


def sender(acked: int = 10, sent: int = 20, **fields: Any) -> Any:
    """A sender that has counted since 5.0 s, over a path of 100 ms."""
    known = {"rtt_s": 0.1, "least_rtt_s": 0.1, "sampled_at_s": 5.0}
    return under_way(acked, sent, variant="westwood", **known | fields)


def test_once_a_round_trip_what_was_acknowledged_becomes_a_sample() -> None:
    """12 segments in 0.12 s are 100 a second, and the first sample is the estimate."""
    state = sender(acked=10)
    control.ack_arrived(state, 15, now=5.06)
    assert state.control_state.bandwidth == 0.0
    state.highest_ack = 15
    control.ack_arrived(state, 22, now=5.12)
    assert state.control_state.bandwidth == pytest.approx(100.0)
    assert (state.control_state.delivered, state.control_state.sampled_at_s) == (0, 5.12)


def test_a_sample_moves_the_estimate_by_a_tenth() -> None:
    """0.9 x 100 + 0.1 x 40 = 94."""
    state = sender(acked=10, bandwidth=100.0)
    control.ack_arrived(state, 15, now=5.125)
    assert state.control_state.bandwidth == pytest.approx(94.0)


@pytest.mark.parametrize(
    ("acks", "delivered"),
    [
        ([11, 12, 13], [1, 1, 1]),
        ([12, 14], [2, 2]),  # delayed ACKs
        ([10, 10, 10, 14], [1, 1, 1, 1]),  # 12 to 14 came while 11 was missing: its repair alone is news
        ([10, 10, 10, 18], [1, 1, 1, 5]),  # and four more
        ([10, 10, 10, 11, 14], [1, 1, 1, 1, 1]),  # a partial ACK; the third duplicate is accounted for by the next
    ],
)
def test_a_segment_is_counted_once_though_duplicate_acks_do_not_name_it(acks: list[int], delivered: list[int]) -> None:
    state, highest, counted = westwood.State(history=0.9), 10, []
    for ack in acks:
        counted.append(westwood.newly_delivered(state, ack - highest))
        highest = ack
    assert counted == delivered


def test_a_loss_leaves_what_fits_into_the_shortest_round_trip() -> None:
    """160 segments a second and 50 ms are 8 segments, however large the window was."""
    state = sender(acked=0, sent=15, cwnd=15.0, bandwidth=160.0, least_rtt_s=0.05)
    lose(state)
    assert (state.cwnd, state.ssthresh) == (8.0, 8.0)


@pytest.mark.parametrize(("cwnd", "left"), [(6.0, 6.0), (8.0, 8.0), (9.0, 8.0)])
def test_a_loss_never_makes_a_window_larger(cwnd: float, left: float) -> None:
    state = sender(cwnd=cwnd, bandwidth=160.0, least_rtt_s=0.05)
    lose(state)
    assert (state.cwnd, state.ssthresh) == (left, 8.0)


def test_ssthresh_is_two_segments_at_least() -> None:
    state = sender(cwnd=10.0, bandwidth=10.0, least_rtt_s=0.1)
    lose(state)
    assert (state.cwnd, state.ssthresh) == (2.0, 2.0)


def test_before_the_first_sample_a_loss_halves() -> None:
    state = sender(cwnd=10.0, acked=10, sent=20)
    lose(state)
    assert (state.cwnd, state.ssthresh) == (5.0, 5.0)


def test_the_shortest_round_trip_is_kept_and_the_first_begins_the_count() -> None:
    state = sender(rtt_s=0.0, least_rtt_s=0.0, delivered=7)
    for now, rtt_s in ((6.0, 0.12), (6.2, 0.08), (6.4, 0.2)):
        control.round_trip_measured(state, rtt_s, now)
    estimate = state.control_state
    assert (estimate.least_rtt_s, estimate.rtt_s, estimate.sampled_at_s, estimate.delivered) == (0.08, 0.2, 6.0, 0)


def test_random_losses_cost_it_less_than_newreno() -> None:
    """What it is for: losses that no queue caused."""
    rates = {}
    for variant in ("newreno", "westwood"):
        flow = tcp_flow(variant=variant, loss_probability=0.005, window_packets=100, stop_s=60)
        run = simulate(scene(flow, profile="ns-2.35", end_s=60, bottleneck=bottleneck(delay_ms=100)))
        rates[variant] = float(metrics.utilisation_percent(run))
    assert rates["westwood"] > 1.5 * rates["newreno"]


def test_engines_agree_and_the_schema_knows_it() -> None:
    scenario = scene(tcp_flow(variant="westwood"), tcp_flow(variant="newreno", growth="westwood"), end_s=5)
    ours, theirs = (simulate(scenario, engine) for engine in ("process", "compiled"))
    xr.testing.assert_identical(ours.drop_attrs(), theirs.drop_attrs())
    assert list(ours["flow_name"].values) == ["TCP Westwood+ 1", "TCP NewReno 2"]
    flow = scenario_schema()["$defs"]["TcpFlow"]["properties"]
    assert "westwood" in flow["variant"]["anyOf"][0]["enum"]
    assert "westwood" in flow["growth"]["anyOf"][0]["enum"]
    (named,) = scenario_from(mapping(tcp_flow(variant="sack", growth="westwood"))).to_mapping()["flows"]
    assert named["growth"] == "westwood"
