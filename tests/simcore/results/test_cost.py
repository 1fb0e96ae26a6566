"""What a run is said to need beforehand: more than it needs, but not several times as much."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given

from simcore import MODELS, TOTALS, Recording, Scenario, scenario_from, simulate
from simcore.results.cost import cost_of
from simcore.scenario.reach import usable_window
from tests.examples import examples
from tests.simcore import scenes
from tests.simcore.scenes import bottleneck, mapping, scene
from tests.strategies import scenarios

ALWAYS = {"start_s": 0.0, "stop_s": 1000.0}


def tcp_flow(**changes: Any) -> dict[str, Any]:
    return scenes.tcp_flow(**(ALWAYS | changes))


def udp_flow(**changes: Any) -> dict[str, Any]:
    return scenes.udp_flow(**(ALWAYS | changes))


FAR = {name: {"rate_mbps": 50, "delay_ms": 5, "buffer_packets": 100} for name in ("access", "exit")}
RUNS: dict[str, dict[str, Any]] = {
    "a window that fills the link": scene(tcp_flow(window_packets=50), end_s=300).to_mapping(),
    "a window that doesn't": scene(
        tcp_flow(window_packets=4), bottleneck=bottleneck(delay_ms=200), end_s=60
    ).to_mapping(),
    "TCP beside UDP": scene(tcp_flow(), udp_flow(rate_mbps=1), end_s=300).to_mapping(),
    "UDP alone": scene(udp_flow(rate_mbps=1.5), end_s=300).to_mapping(),
    "many flows": scene(*[tcp_flow() for _ in range(30)], end_s=300).to_mapping(),
    "three links": scene(tcp_flow(**FAR), tcp_flow(**FAR), end_s=300).to_mapping(),
    "a transfer window of ten million": scene(tcp_flow(window_packets=10_000_000), end_s=300).to_mapping(),
}


@pytest.fixture(params=RUNS)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return scenario_from(RUNS[request.param])


def test_packets_are_estimated_within_a_factor(scenario: Scenario) -> None:
    sent = int(simulate(scenario, "compiled", TOTALS)["sent"].sum())
    assert sent <= cost_of(scenario, "compiled").packets <= 2.5 * sent


def test_states_count_where_they_are_recorded() -> None:
    flows = [tcp_flow(variant=name) for name in ("cubic", "westwood", "sack", "bbr")]
    scenario = scene(*flows, profile="linux", end_s=60, bottleneck=bottleneck(queue="pie"))
    run = simulate(scenario, "compiled", Recording(states=True))
    states = sum(run[name].nbytes for name in run if str(name).startswith(("state_", "discipline_")))
    more = (
        cost_of(scenario, "compiled", Recording(states=True)).memory_bytes - cost_of(scenario, "compiled").memory_bytes
    )
    assert states <= more <= 4 * states


@pytest.mark.parametrize("run", [name for name in RUNS if "million" not in name])  # tracemalloc counts unused memory
def test_memory_is_estimated_within_a_factor(run: str) -> None:
    scenario = scenario_from(RUNS[run])
    simulate(scenario.model_copy(update={"end_s": 1.0}), "compiled")
    tracemalloc.start()
    simulate(scenario, "compiled")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.5 * peak <= cost_of(scenario, "compiled").memory_bytes <= 4 * peak


@pytest.mark.parametrize("engine", MODELS)
def test_the_room_for_packets_of_a_byte_is_counted(engine: str) -> None:
    queue = {"queue": "droptail", "buffer_bytes": 200_000}
    link = {"rate_mbps": 2, "delay_ms": 10}
    scenario = scenario_from(mapping(udp_flow(packet_bytes=1, rate_mbps=0.001), bottleneck=link | queue, end_s=0.2))
    simulate(scenario, engine)
    tracemalloc.start()
    simulate(scenario, engine)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak > 6e6
    assert 0.5 * peak <= cost_of(scenario, engine).memory_bytes <= 8 * peak


def test_timeouts_of_microseconds_are_counted() -> None:
    timers = {"min_rto_s": 0, "initial_rto_s": 1e-5, "max_rto_s": 2e-5, "tick_s": 1e-6}
    scenario = scenario_from(mapping(tcp_flow(loss_probability=1.0), profile="rfc", end_s=1, **timers))
    sent = int(simulate(scenario, "compiled", TOTALS)["sent"].sum())
    assert sent > 49_000
    assert sent <= cost_of(scenario, "compiled").packets <= 1.5 * sent


@examples(60)
@given(scenarios())
def test_no_scenario_sends_many_more_packets_than_estimated(scenario: Scenario) -> None:
    sent = int(simulate(scenario, "process", TOTALS)["sent"].sum())
    assert sent <= 1.5 * cost_of(scenario, "process").packets + 100


def test_totals_alone_need_no_log() -> None:
    whole = cost_of(scene(tcp_flow(), end_s=1000), "compiled")
    bare = cost_of(scene(tcp_flow(), end_s=1000), "compiled", TOTALS)
    assert bare.memory_bytes < whole.memory_bytes / 100
    assert bare.seconds < whole.seconds / 5


def test_the_process_model_is_slower_and_always_has_a_log() -> None:
    process, compiled = (cost_of(scene(tcp_flow(), end_s=1000), name, TOTALS) for name in ("process", "compiled"))
    assert process.seconds > 100 * compiled.seconds
    assert process.memory_bytes > 100 * compiled.memory_bytes


# Windows that nobody can fill


def test_a_window_that_can_be_filled_is_left_as_it_is() -> None:
    assert usable_window(*_with_flow(window_packets=2000)) == 2000


def test_of_a_window_of_ten_million_only_what_the_run_can_fill_costs_memory() -> None:
    scenario, flow = _with_flow(window_packets=10_000_000)
    arriving = 2e6 * (10 - 0) / (8 * 960)
    assert usable_window(scenario, flow) == 2 * int(arriving) + 2048


@pytest.mark.parametrize("variant", ["reno", "sack", "vegas", "cubic", "highspeed", "westwood"])
def test_its_run_is_that_of_a_window_that_is_large_enough(variant: str) -> None:
    """The same as with a window that needs no limit and is never full: only ssthresh tells them apart."""
    link = bottleneck(rate_mbps=8, buffer_packets=200)
    large, enough = (
        simulate(scene(tcp_flow(variant=variant, window_packets=window), bottleneck=link, end_s=4), "process")
        for window in (10_000_000, 9_000)
    )
    assert (large["event_s"].values == enough["event_s"].values).all()
    assert (large["update_cwnd"].values == enough["update_cwnd"].values).all()


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_fifty_windows_of_ten_million_need_little_memory(engine: str) -> None:
    scenario = scene(*[tcp_flow(window_packets=10_000_000)] * 50, end_s=1)
    simulate(scenario.model_copy(update={"end_s": 0.1}), engine)
    tracemalloc.start()
    simulate(scenario, engine)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6


def _with_flow(**flow: Any) -> Any:
    scenario = scene(tcp_flow(start_s=0.0, packet_bytes=960, **flow), bottleneck=bottleneck(rate_mbps=2), end_s=10)
    return scenario, scenario.flows[0]
