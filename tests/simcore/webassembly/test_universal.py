"""Records that are made once, and arrays that are made alone, are those of the whole world."""

from dataclasses import replace

import pytest
from hypothesis import given

from simcore import EVERYTHING, Scenario
from simcore.compiled.layout import world_of
from simcore.network import states
from simcore.network.topology import topology_of
from simcore.webassembly import PARTS, TooLargeError, kinds, part, room_of, roomy, rows, universal
from simcore.webassembly.types import typed
from tests.examples import examples
from tests.simcore.webassembly.test_module import LINK, TCP, fits, scene
from tests.strategies import scenarios

ACCESS = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 50}
UDP = {"kind": "udp", "source": "cbr", "rate_mbps": 1, "packet_bytes": 500, "start_s": 0, "stop_s": 2}
RED = {"rate_mbps": 2, "delay_ms": 10, "queue": "red"}


def assert_as_native(scenario: Scenario) -> None:
    """Compare with the records that the compiled engine makes for this network alone."""
    own, world = world_of(scenario, topology_of(scenario), EVERYTHING), universal(scenario)
    for name in ("tcp", "sinks", "sources"):
        ours = typed(getattr(own, name), kinds()[name], name)
        assert ours.tobytes() == getattr(world, name).tobytes(), name


@examples(60)
@given(scenarios().filter(fits))
def test_records_that_are_kept_are_those_that_are_made_anew(scenario: Scenario) -> None:
    assert_as_native(scenario)


def test_a_state_that_knows_when_its_flow_runs_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for flows that differ in their times and ways alone must be the same for all of them."""
    usual = states.tcp_state
    late = scene(flows=[TCP | {"start_s": 1, "access": ACCESS}])
    assert_as_native(late)
    for module in ("simcore.compiled.records", "simcore.webassembly.rows"):
        monkeypatch.setattr(f"{module}.tcp_state", lambda flow, *rest: replace(usual(flow, *rest), rto_s=flow.start_s))
    rows._sender.cache_clear()
    with pytest.raises(AssertionError, match="tcp"):
        assert_as_native(late)
    rows._sender.cache_clear()


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"flows": [UDP, TCP]},
        {"bottleneck": RED, "onward": [LINK, RED]},
        {"bottleneck": LINK, "onward": [RED]},
        {"random_streams": "independent", "profile": "linux"},
    ],
)
def test_an_array_that_is_made_alone_is_that_of_the_world(changed: dict[str, object]) -> None:
    scenario = scene(**changed)
    room = room_of(scenario)._replace(links=4)
    world = roomy(universal(scenario), scenario, room)
    for name in PARTS:
        assert part(scenario, room, name).tobytes() == getattr(world, name).tobytes(), name


def test_a_world_is_nobody_elses() -> None:
    """Engines write into it."""
    one, other = universal(scene()), universal(scene())
    one.tcp["cwnd"] = 17.0
    assert not (other.tcp["cwnd"] == 17.0).any()
    assert not (universal(scene()).tcp["cwnd"] == 17.0).any()


def test_too_wide_a_window_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(TooLargeError, match="the page has"):
            universal(scene(flows=[TCP | {"window_packets": 2000, "variant": "vegas"}]))
