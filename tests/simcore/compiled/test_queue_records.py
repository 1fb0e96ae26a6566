"""Records of queues have the fields of one discipline alone, or of all; of those with timers only if one is there."""

from dataclasses import fields

import pytest

from simcore.compiled.layout import world_of
from simcore.network.topology import topology_of
from simcore.results.log import TOTALS
from simcore.rules.queues.registry import DISCIPLINES
from tests.simcore.scenes import scene

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
        assert {field.name for field in fields(DISCIPLINES[name].state)} <= names


def test_a_network_without_timers_has_no_leaf_for_them() -> None:
    leaves = {}
    for queue in ("red", "pie"):
        scenario = scene(bottleneck={"rate_mbps": 2, "delay_ms": 10, "queue": queue}, onward=[])
        leaves[queue] = len(world_of(scenario, topology_of(scenario), TOTALS).host_leaves)
    assert leaves == {"red": 8, "pie": 16}, "two flows have four leaves each, up to the next power of two"
