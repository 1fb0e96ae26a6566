"""The module gives the native engine's bytes: a log of 17 columns, the totals, and what is left in queues and links."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from simcore import EVERYTHING, Scenario, load_scenario, process, scenario_from
from simcore.compiled import engine, loop, machine_code
from simcore.compiled.engine import log_of, remaining_of, totals_of
from simcore.compiled.memory import roomier
from simcore.network.topology import topology_of
from simcore.results.log import Outcome
from simcore.webassembly import module
from simcore.webassembly.types import TooLargeError
from simcore.webassembly.universal import Room, universal
from tests.examples import examples
from tests.goldens import GOLDEN
from tests.simcore.webassembly.wasm import outcome, outcome_in
from tests.strategies import scenarios

TCP = {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0, "stop_s": 3}
LINK = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}


def scene(**changed: object) -> Scenario:
    return scenario_from({"profile": "ns-2.27", "end_s": 3, "bottleneck": LINK, "flows": [TCP, TCP]} | changed)


def native(scenario: Scenario) -> Outcome:
    """What machine code for the same types gives, which has to be compiled once only."""
    world, run = universal(scenario), machine_code.compiled_loop()
    while (state := run(world, engine.EVENTS_A_CALL)) != loop.FINISHED:
        world = roomier(world) if state == loop.CROWDED else world
    return Outcome(log_of(world, topology_of(scenario).routes), totals_of(world), remaining_of(world), scenario.end_s)


def assert_same_bytes(ours: Outcome, theirs: Outcome) -> None:
    columns = [field.name for field in fields(ours.log) if field.name.startswith(("packet_", "event_", "update_"))]
    for name in columns:
        one, other = (getattr(each.log, name) for each in (ours, theirs))
        if one is not None:
            assert np.asarray(one).astype(other.dtype).tobytes() == other.tobytes(), name
    assert {name: list(values) for name, values in ours.totals.items()} == {
        name: list(values) for name, values in theirs.totals.items()
    }
    assert {k: sorted(v) for k, v in ours.remaining.items()} == {k: sorted(v) for k, v in theirs.remaining.items()}


def fits(scenario: Scenario) -> bool:
    try:
        return bool(universal(scenario))
    except TooLargeError:  # an interface with a gap, a window or a queue of thousands of packets
        return False


@examples(200)
@given(scenarios().filter(fits))
def test_the_module_gives_the_bytes_of_machine_code_whatever_hypothesis_makes_up(scenario: Scenario) -> None:
    assert_same_bytes(native(scenario), outcome(scenario))


@examples(40)
@given(scenarios().filter(fits))
def test_a_world_with_ports_for_more_than_there_is_gives_the_same(scenario: Scenario) -> None:
    room = Room(len(scenario.row()) + 1, len(scenario.hosts) + 1, access=True, exits=True)
    assert_same_bytes(native(scenario), outcome_in(room, scenario))


@examples(50)
@given(scenarios().filter(fits))
def test_the_module_gives_the_bytes_of_the_process_model(scenario: Scenario) -> None:
    assert_same_bytes(process.run(scenario, EVERYTHING, None), outcome(scenario))


@pytest.mark.parametrize("path", sorted((GOLDEN / "generated").glob("*.yaml"))[:12], ids=lambda path: path.stem)
def test_the_module_gives_the_bytes_of_the_compiled_engine_in_goldens(path: Path) -> None:
    scenario = load_scenario(path)
    assert_same_bytes(engine.run(scenario, EVERYTHING, None), outcome(scenario))


def test_another_setting_gives_another_run() -> None:
    """The comparison sees a difference of one place in a queue."""
    with pytest.raises(AssertionError):
        assert_same_bytes(native(scene(bottleneck=LINK | {"buffer_packets": 19})), outcome(scene()))


def test_the_module_is_kept_between_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (module, machine_code):
        monkeypatch.setattr(place, "CACHE", tmp_path)
    compiled = iter([b"the module", b"made anew"])
    monkeypatch.setattr(module, "_compiled", lambda text: next(compiled))
    monkeypatch.setattr(module, "_translated", lambda: "a text")
    assert [module.made("the sources") for _ in range(2)] == [b"the module"] * 2
    [file] = tmp_path.glob("code/*")
    file.write_bytes(file.read_bytes()[:-1])
    assert module.made("the sources") == b"made anew"


@pytest.mark.parametrize("window", [200, 2000])
def test_a_scenario_that_is_too_large_is_refused(window: int) -> None:
    scenario = scene(flows=[TCP | {"window_packets": window, "variant": "vegas"}])
    if window == 200:
        assert len(universal(scenario).tcp) == 1
    else:
        with pytest.raises(TooLargeError, match="the page has"):
            universal(scenario)


@pytest.mark.parametrize(("buffer_bytes", "fits"), [(400_000, True), (1_200_000, False)])
def test_a_queue_in_bytes_fits_by_the_data_that_it_can_hold_and_not_by_syns(buffer_bytes: int, fits: bool) -> None:
    """Of SYNs, 40 bytes long, 10,000 would fit into the first; but few are sent, and data has 1040 bytes."""
    scenario = scene(bottleneck={"rate_mbps": 2, "delay_ms": 10, "queue": "drr", "buffer_bytes": buffer_bytes})
    if fits:
        assert_same_bytes(engine.run(scenario, EVERYTHING, None), outcome(scenario))
    else:
        with pytest.raises(TooLargeError, match="packets may wait, and the page has room for 1024"):
            universal(scenario)


@pytest.mark.parametrize("profile", ["linux", "linux-nearest"])
@pytest.mark.parametrize("variant", ["reno", "sack", "cubic"])
def test_the_module_has_the_senders_of_linux(variant: str, profile: str) -> None:
    scenario = scene(profile=profile, flows=[TCP | {"variant": variant}, TCP])
    assert_same_bytes(engine.run(scenario, EVERYTHING, None), outcome(scenario))
    with pytest.raises(AssertionError):
        assert_same_bytes(engine.run(scene(profile="rfc"), EVERYTHING, None), outcome(scenario))


@pytest.mark.parametrize("variant", ["reno", "sack"])
def test_the_module_has_options_of_the_header(variant: str) -> None:
    scenario = scene(profile="rfc", flows=[TCP | {"variant": variant, "options": ["timestamps"]}, TCP])
    assert_same_bytes(engine.run(scenario, EVERYTHING, None), outcome(scenario))


@pytest.mark.parametrize("variant", ["reno", "sack", "cubic"])
def test_the_module_has_another_slow_start(variant: str) -> None:
    link = LINK | {"rate_mbps": 20, "delay_ms": 20, "buffer_packets": 150}
    flow = TCP | {"variant": variant, "window_packets": 200}
    scenario = scene(profile="rfc", bottleneck=link, flows=[flow | {"slow_start": "hystart_pp"}, flow])
    assert_same_bytes(engine.run(scenario, EVERYTHING, None), outcome(scenario))
    with pytest.raises(AssertionError):
        assert_same_bytes(
            engine.run(scenario.changed({"flows.0.slow_start": "standard"}), EVERYTHING, None), outcome(scenario)
        )
