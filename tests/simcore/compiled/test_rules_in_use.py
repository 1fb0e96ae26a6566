"""A network compiles the one variant, source and discipline that it has; all, if it has several."""

from dataclasses import fields

import pytest

from simcore.compiled.layout import world_of
from simcore.network.topology import topology_of
from simcore.results.log import TOTALS
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.recovery.registry import RECOVERIES
from simcore.rules.sources.registry import SOURCES
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

TIMED = {name for name, discipline in DISCIPLINES.items() if discipline.timer_expired}


@pytest.mark.parametrize(
    ("queues", "compiled"),
    [
        (["red"], {"red"}),
        (["pie", "pie"], {"pie"}),
        (["red", "codel"], DISCIPLINES.keys() - TIMED),
        (["red", "pie"], DISCIPLINES.keys()),
    ],
)
def test_every_discipline_that_is_compiled_finds_its_fields(queues: list[str], compiled: set[str]) -> None:
    bottleneck, *onward = ({"rate_mbps": 2, "delay_ms": 10, "queue": queue} for queue in queues)
    scenario = scene(bottleneck=bottleneck, onward=onward)
    names = set(world_of(scenario, topology_of(scenario), TOTALS).queues.dtype.names or ())
    assert {name for name in DISCIPLINES if f"follows_{name}" in names} == compiled
    for name in compiled:
        assert {field.name for field in fields(DISCIPLINES[name].state)} - {"rules"} <= names


@pytest.mark.parametrize(
    ("names", "compiled"), [([], set()), (["cbr", "cbr"], {"cbr"}), (["cbr", "exponential"], set(SOURCES))]
)
def test_a_network_of_tcp_alone_compiles_no_source(names: list[str], compiled: set[str]) -> None:
    settings: dict[str, dict[str, float]] = {"cbr": {}, "exponential": {"burst_s": 0.5, "idle_s": 0.5}}
    scenario = scene(tcp_flow(), *(udp_flow(source=name, **settings[name]) for name in names))
    fields_of_sources = world_of(scenario, topology_of(scenario), TOTALS).sources.dtype.names or ()
    assert {name for name in SOURCES if f"follows_{name}" in fields_of_sources} == compiled


@pytest.mark.parametrize("link", [{}, {"queue": "red"}])
@pytest.mark.parametrize(("variants", "alone"), [(["sack", "sack"], True), (["sack", "vegas"], False)])
def test_one_variant_is_compiled_alone_whatever_the_queue(
    link: dict[str, str], variants: list[str], alone: bool
) -> None:
    scenario = scene(*(tcp_flow(variant=name) for name in variants), bottleneck=bottleneck(**link))
    names = world_of(scenario, topology_of(scenario), TOTALS).tcp.dtype.names or ()
    recoveries = [name for name in RECOVERIES if f"follows_recovery_{name}" in names]
    controls = [name for name in CONTROLS if f"follows_control_{name}" in names]
    assert (recoveries, controls) == ((["sack"], ["standard"]) if alone else ([*RECOVERIES], [*CONTROLS]))


def test_a_network_without_timers_has_no_leaf_for_them() -> None:
    leaves = {}
    for queue in ("red", "pie"):
        scenario = scene(bottleneck={"rate_mbps": 2, "delay_ms": 10, "queue": queue}, onward=[])
        leaves[queue] = len(world_of(scenario, topology_of(scenario), TOTALS).host_leaves)
    assert leaves == {"red": 8, "pie": 16}, "two flows have four leaves each, up to the next power of two"
