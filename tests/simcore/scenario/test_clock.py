"""A scenario that the clock can't resolve is refused, and one just above the bound ends in both engines alike."""

from math import ulp

import pytest

from simcore import MODELS, ScenarioError, scenario_from, simulate_totals
from simcore.scenario.clock import STEPS
from tests.simcore.scenes import bottleneck, mapping, tcp_flow, udp_flow

LATE_S = 900_000.0


def late_cbr(rate_mbps: float) -> dict[str, object]:
    flow = udp_flow(packet_bytes=1, rate_mbps=rate_mbps, start_s=LATE_S, stop_s=LATE_S + 1e-6)
    return mapping(flow, end_s=LATE_S + 1e-6)


def test_a_source_whose_packets_add_nothing_to_the_time_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"flows\.0\.rate_mbps: its packets would follow each other in 8e-12 s"):
        scenario_from(late_cbr(1e6))


def test_so_is_one_just_below_the_bound_but_not_one_above() -> None:
    at_the_bound = 8.0 / (STEPS * ulp(LATE_S)) / 1e6
    scenario_from(late_cbr(at_the_bound * 0.99))
    with pytest.raises(ScenarioError, match=r"which the clock can resolve"):
        scenario_from(late_cbr(at_the_bound * 1.01))


def test_a_burst_of_more_packets_than_an_integer_counts_is_refused() -> None:
    pareto = udp_flow(source="pareto", packet_bytes=1, rate_mbps=1e6, burst_s=1e6, idle_s=1, shape=1.5, stop_s=9e5)
    with pytest.raises(ScenarioError, match=r"flows\.0\.rate_mbps"):
        scenario_from(mapping(pareto, end_s=9e5))


def test_a_tcp_loop_that_takes_no_time_is_refused() -> None:
    instant = bottleneck(rate_mbps=1e6, delay_ms=0)
    flow = tcp_flow(packet_bytes=1, start_s=LATE_S, stop_s=LATE_S + 1)
    with pytest.raises(ScenarioError, match=r"flows\.0\.packet_bytes: its packets would follow"):
        scenario_from(mapping(flow, bottleneck=instant, end_s=LATE_S + 1))
    scenario_from(mapping(flow, bottleneck=instant | {"delay_ms": 1e-3}, end_s=LATE_S + 1))


def test_a_timeout_that_adds_nothing_to_the_time_is_refused_where_there_is_tcp() -> None:
    timers = {"tick_s": 5.1e-11, "max_rto_s": 1e-10, "min_rto_s": 0}
    late = {"start_s": LATE_S, "stop_s": LATE_S + 1}
    with pytest.raises(ScenarioError, match=r"^max_rto_s: timeouts would follow each other in 1e-10 s"):
        scenario_from(mapping(tcp_flow(**late), end_s=LATE_S + 1, **timers))
    scenario_from(mapping(udp_flow(**late), end_s=LATE_S + 1, **timers))
    scenario_from(mapping(tcp_flow(**late), end_s=LATE_S + 1, **timers | {"max_rto_s": 1e-9}))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tick_s": 1e-19, "min_rto_s": 0}, "tick_s"),
        ({"initial_rto_s": 1e-30, "tick_s": 1e-5, "min_rto_s": 0}, "initial_rto_s"),
    ],
)
def test_a_timer_that_64_bits_cannot_count_is_refused(changes: dict[str, object], field: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^{field}: .* must be at least"):
        scenario_from(mapping(tcp_flow(), end_s=10.5, **changes))


@pytest.mark.parametrize(
    "changes", [{"tick_s": 1e-13, "min_rto_s": 0}, {"initial_rto_s": 1e-13, "tick_s": 1e-5, "min_rto_s": 0}]
)
def test_just_above_the_bounds_the_engines_agree(changes: dict[str, object]) -> None:
    # A single packet is lost again and again: the back-off doubles as often as it can.
    link = bottleneck(buffer_packets=5)
    flow = tcp_flow(stop_s=4, lost_packets=list(range(2, 60)))
    scenario = scenario_from(mapping(flow, bottleneck=link, end_s=4, **changes))
    process, compiled = (simulate_totals(scenario, engine) for engine in MODELS)
    assert {name: list(values) for name, values in process.items()} == {
        name: list(values) for name, values in compiled.items()
    }
