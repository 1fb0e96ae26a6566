"""What only some networks have: the types of their records say so, and the code is made for it."""

import re

import numpy as np
import pytest

from simcore import TOTALS, Recording, Scenario
from simcore.compiled import features, loop, machine_code, object_code
from simcore.compiled.dispatch import ONLY_WITH
from simcore.compiled.features import FEATURES, Feature
from simcore.compiled.layout import World, world_of
from simcore.network.topology import topology_of
from simcore.webassembly.types import kinds
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

HOST = {"rate_mbps": 10, "delay_ms": 0.1, "queue_packets": 20, "when_full": "congestion"}
PLAIN = scene(tcp_flow())
# A network that has it, as little else as there can be.
HAVING: dict[Feature, Scenario] = {
    features.DISCIPLINES: scene(tcp_flow(), bottleneck=bottleneck(queue="red")),
    features.TIMERS: scene(tcp_flow(), bottleneck=bottleneck(queue="pie")),
    features.INTERFACES: scene(tcp_flow(host=1), hosts=[HOST]),
    features.LOSSES: scene(tcp_flow(lost_packets=[3])),
    features.MARKS: scene(tcp_flow(ecn=True), bottleneck=bottleneck(queue="red", marks=True)),
    features.OPTIONS: scene(tcp_flow(variant="sack")),
    features.DELAYS: scene(tcp_flow(send_jitter_ms=1)),
    features.SOURCES: scene(tcp_flow(), udp_flow()),
    features.RECORDING: scene(tcp_flow(variant="cubic"), bottleneck=bottleneck(queue="red")),
}


def world(scenario: Scenario, feature: Feature | None = None) -> World:
    recording = Recording(states=True) if feature == features.RECORDING else TOTALS
    return world_of(scenario, topology_of(scenario), recording)


def has(made: World, feature: Feature) -> bool:
    return feature.is_in_world({name: array.dtype for name, array in made._asdict().items()})


def compiled(made: World) -> set[str]:
    """The names of the functions that the loop is translated with."""
    text = object_code.translated(made, machine_code.this_machine(), loop.run_events)
    return set(re.findall(r'^define .*@"?(\w+?)(?:\.\d+)?"?\(', text, re.MULTILINE))


def names_of(feature: Feature) -> set[str]:
    return {function.__name__ for function in ONLY_WITH[feature]}


def test_each_feature_is_declared_once_and_decides_something() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)
    assert set(FEATURES) == ONLY_WITH.keys() == HAVING.keys()


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_a_network_with_a_feature_says_so_and_is_compiled_with_all_that_belongs_to_it(feature: Feature) -> None:
    made = world(HAVING[feature], feature)
    assert has(made, feature)
    assert names_of(feature) <= compiled(made)


def test_a_network_without_any_feature_says_so_and_is_compiled_without_what_belongs_to_them() -> None:
    made = world(PLAIN)
    assert [feature.name for feature in FEATURES if has(made, feature)] == []
    assert set().union(*map(names_of, FEATURES)) & compiled(made) == set()


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_only_the_declared_field_says_it(feature: Feature) -> None:
    """Whoever takes that alone away has switched the feature off; it takes no room."""
    made = world(HAVING[feature], feature)
    types = {name: array.dtype for name, array in made._asdict().items()}
    of = types[feature.array]
    inner = of[feature.within] if feature.within else of
    left = [(name, inner[name]) for name in inner.names or () if name != feature.field[0]]
    assert len(left) == len(inner.names or ()) - 1
    assert np.dtype(left, align=inner.isalignedstruct).itemsize == inner.itemsize
    types[feature.array] = np.dtype([(feature.within, np.dtype(left))] if feature.within else left)
    assert not feature.is_in_world(types)


def test_the_page_has_all_features_but_two() -> None:
    missing = [feature for feature in FEATURES if not feature.is_in_world(kinds())]
    assert missing == [features.INTERFACES, features.RECORDING]
