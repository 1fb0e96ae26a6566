"""Scenarios at the bounds that the schema states: each number at its least or greatest, or next to it."""

import copy
import math
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import strategies as st

from simcore import Scenario, ScenarioError, scenario_from
from simcore.results.cost import cost_of
from simcore.scenario.schema import scenario_schema
from tests.strategies import Fields, bottlenecks, in_larger_networks, mappings, possible

MOST_CHANGES: Final = 4
LARGEST_S: Final = 2.0  # in the process model
LARGEST_BYTES: Final = 2e8
TINY: Final = (5e-324, 1e-300, 1e-15, 1e-9)  # above an exclusive bound of zero

Place = tuple[Any, Any]  # a mapping or a list, and where in it


def ends(said: Fields) -> list[float]:
    """The values at the bounds of a property, and the neighbours within them."""
    options = said.get("anyOf", [said])
    return [value for option in options for value in _ends(option)]


def _ends(said: Fields) -> Iterator[float]:
    whole = said.get("type") == "integer"
    if "minimum" in said:
        least = said["minimum"]
        yield from (least, least + 1) if whole else (float(least), math.nextafter(least, math.inf))
        if least == 0 and not whole:
            yield -0.0
    if "exclusiveMinimum" in said:
        least = said["exclusiveMinimum"]
        yield from TINY if least == 0 else (math.nextafter(least, math.inf),)
    if "maximum" in said:
        most = said["maximum"]
        yield from (most, most - 1) if whole else (float(most), math.nextafter(most, -math.inf))


def _ends_of_fields() -> dict[str, list[float]]:
    """Field -> the values at its bounds; a field of several parts has those of all."""
    schema = scenario_schema()
    found: dict[str, list[float]] = {}
    for part in (schema, *schema["$defs"].values()):
        for name, said in part["properties"].items():
            found.setdefault(name, []).extend(ends(said))
    return {name: values for name, values in found.items() if values}


ENDS: Final = _ends_of_fields()
FACTS: Final = ("min_rto_s", "max_rto_s", "initial_rto_s", "tick_s", "ack_delay_s", "header_bytes")


def places(node: Any) -> Iterator[Place]:
    """Every number of a scenario that has a bound."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ENDS and isinstance(value, int | float) and not isinstance(value, bool):
                yield node, key
            yield from places(value)
    elif isinstance(node, list):
        for value in node:
            yield from places(value)


@st.composite
def _moved_to_bounds(draw: st.DrawFn, mapping: Fields) -> Fields:
    moved = copy.deepcopy(mapping)
    for fact in draw(st.lists(st.sampled_from(FACTS), max_size=2)):
        moved[fact] = draw(st.sampled_from(ENDS[fact]))
    numbers = list(places(moved))
    for node, key in draw(st.lists(st.sampled_from(numbers), min_size=1, max_size=MOST_CHANGES)):
        node[key] = draw(st.sampled_from(ENDS[key]))
    return moved


def _accepted(mapping: Fields) -> Scenario | None:
    """The scenario, if it is one and small."""
    try:
        scenario = scenario_from(mapping)
    except ScenarioError:
        return None
    cost = cost_of(scenario, "process")
    return scenario if cost.seconds < LARGEST_S and cost.memory_bytes < LARGEST_BYTES else None


def any_network() -> st.SearchStrategy[Fields]:
    """Scenarios of every kind, as their files would have them."""
    whole = mappings(bottlenecks())
    return whole | whole.flatmap(in_larger_networks).map(possible)


def at_bounds(networks: st.SearchStrategy[Fields]) -> st.SearchStrategy[Scenario]:
    """Scenarios with some numbers at their bounds, that are accepted and cost little."""
    scenarios = networks.flatmap(_moved_to_bounds).map(_accepted)
    return scenarios.filter(lambda scenario: scenario is not None)  # type: ignore[return-value]
