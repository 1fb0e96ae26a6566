"""The JSON Schema: it accepts what the model accepts, refuses what it refuses, and every field is described."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from simcore import ScenarioError, scenario_from
from simcore.scenario.schema import scenario_schema
from tests.goldens import GOLDEN

SCHEMA = scenario_schema()
FILES = sorted(path for path in GOLDEN.rglob("*.yaml") if "rounds" not in path.parts)
SCENARIO: dict[str, Any] = {
    "profile": "rfc",
    "end_s": 2,
    "bottleneck": {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20},
    "flows": [
        {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0, "stop_s": 1},
        {"kind": "udp", "source": "replay", "packet_bytes": 1000, "times_s": [0.1], "start_s": 0, "stop_s": 1},
    ],
}


def accepts(mapping: dict[str, Any]) -> bool:
    return bool(Draft202012Validator(SCHEMA).is_valid(mapping))


def fields() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, part in {"Scenario": SCHEMA, **SCHEMA["$defs"]}.items():
        for field, said in part["properties"].items():
            yield name, field, said


def test_it_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("part", "field", "said"), [pytest.param(*each, id=".".join(each[:2])) for each in fields()])
def test_every_field_has_a_description_a_unit_and_an_example_that_is_allowed(
    part: str, field: str, said: dict[str, Any]
) -> None:
    assert said["unit"]
    assert said["description"]
    assert said["examples"]
    for example in said["examples"]:
        Draft202012Validator({**said, "$defs": SCHEMA["$defs"]}).validate(example)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_accepts_the_golden_scenarios(path: Path) -> None:
    assert accepts(yaml.safe_load(path.read_text()))


def test_a_profiles_facts_stand_beside_its_name_and_times_may_be_in_a_file() -> None:
    in_a_file = copy.deepcopy(SCENARIO)
    del in_a_file["flows"][1]["times_s"]
    assert accepts(SCENARIO | {"min_rto_s": 0.2})
    assert not accepts(in_a_file)
    in_a_file["flows"][1]["times_file"] = "times.txt"
    assert accepts(in_a_file)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("profile",), "ns-3"),
        (("min_rto",), 0.2),
        (("bottleneck", "rate_mbps"), 0),
        (("bottleneck", "queue"), "blue"),
        (("flows", 0, "variant"), "bbr9"),
        (("flows", 0, "packet_bytes"), 0.5),
        (("flows", 1, "source"), "tcp"),
        (("flows",), []),
    ],
)
def test_it_refuses_what_the_model_refuses(place: tuple[str | int, ...], value: Any) -> None:
    wrong: Any = copy.deepcopy(SCENARIO)
    node = wrong
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    assert accepts(SCENARIO)
    assert not accepts(wrong)
    with pytest.raises(ScenarioError):
        scenario_from(wrong)
