"""How a file is damaged: a value that the schema refuses, another tree, other bytes."""

import copy
import json
import math
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import yaml
from jsonschema import Draft202012Validator

from simcore.scenario.schema import scenario_schema

SCHEMA: Final = scenario_schema()
VALIDATOR: Final = Draft202012Validator(SCHEMA)
STRANGE: Final[tuple[object, ...]] = (
    None, True, "", "x", "\x00", "\ud800", "é" * 300, "x" * 100_000, "../..", "/dev/zero", -1, 0, -0.0, 0.5, 5e-324,
    1e308, math.inf, -math.inf, math.nan, 10**30, -(10**400), [], {}, [[]], [None], {"a": 1}, {"": ""},
    {"flows": {"*": 1}},
)  # fmt: skip
TOKENS: Final = (
    b"\x00", b"\xff\xfe", b"\t", b"{", b"]", b": ", b"- ", b"&a ", b"*a", b"!!python/name:os.system ", b"<<: ", b"%",
    b"'", b"e999", b".nan", b"0x", b"\n---\n", b"\r", b"\\ud800", b"\xe2\x80\xa8", b"9" * 400, b"[" * 3000, b"? ",
)  # fmt: skip

Place = tuple[Any, Any]  # a mapping or a list, and where in it


def places(node: Any) -> Iterator[Place]:
    """Every place of a tree that holds a value."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in pairs:
        yield node, key
        yield from places(value)


def refused_by_the_schema(random: Random, scenario: dict[str, Any]) -> dict[str, Any]:
    """The scenario with one value, key or name that its schema refuses."""
    while True:
        damaged: dict[str, Any] = other_tree(random, scenario, _outside)
        if not VALIDATOR.is_valid(json.loads(json.dumps(damaged))):
            return damaged


def _outside(random: Random, key: object) -> object:
    """A value beyond a bound of the field, or a strange one."""
    said = [part["properties"][key] for part in (SCHEMA, *SCHEMA["$defs"].values()) if key in part["properties"]]
    options = [option for each in said for option in each.get("anyOf", [each])]
    beyond = [option["minimum"] - 1 for option in options if "minimum" in option]
    beyond += [option["exclusiveMinimum"] for option in options if "exclusiveMinimum" in option]
    beyond += [option["maximum"] * 2 for option in options if "maximum" in option]
    return random.choice([*beyond, random.choice(STRANGE)])


def other_tree(random: Random, tree: Any, other_value: Any = lambda random, key: random.choice(STRANGE)) -> Any:
    """The tree with one place changed: another value, no value, another key, a key more, or the value twice."""
    damaged = copy.deepcopy(tree)
    node, key = random.choice(list(places(damaged)))
    match random.choice(["value", "value", "value", "gone", "renamed", "added", "nested"]):
        case "value":
            node[key] = other_value(random, key)
        case "gone":
            del node[key]
        case "renamed" if isinstance(node, dict):
            node[f"{key}x"] = node.pop(key)
        case "added" if isinstance(node, dict):
            node["colour"] = random.choice(STRANGE)
        case _:
            node[key] = [node[key]]
    return damaged


def other_bytes(random: Random, content: bytes) -> bytes:
    """The content cut off, with a bit turned, a token put in, or a part written twice."""
    at = random.randrange(len(content))
    match random.choice(["cut", "bit", "token", "token", "twice"]):
        case "cut":
            return content[:at]
        case "bit":
            return content[:at] + bytes([content[at] ^ (1 << random.randrange(8))]) + content[at + 1 :]
        case "token":
            return content[:at] + random.choice(TOKENS) + content[at:]
        case _:
            return content[: at + random.randrange(1, 200)] + content[at:]


def written(tree: Any, name: str) -> bytes:
    """The tree as a file of this name holds it."""
    text = json.dumps(tree) if name.endswith((".json", ".ipynb")) else yaml.safe_dump(tree, sort_keys=False)
    return text.encode("utf-8", "surrogatepass")
