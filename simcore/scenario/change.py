"""Changes of a scenario by dotted paths: `flows.*.packet_bytes: 100`."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any


class ChangeError(ValueError):
    """A path that leads nowhere; the message names it and says what is there instead."""


def changed(scenario: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `scenario` (plain dicts and lists) with each path set to its value, in order.

    A path names keys and positions (from 0) down to a value; `*` stands for every element of a list. All but the
    last part must exist; whether a new last part is allowed is for the scenario's validation to say. A choice by name
    may be followed by a setting of what it names: `flows.0.variant.cubic.beta`.
    """
    result: dict[str, Any] = _copy(scenario)
    for path, value in changes.items():
        _set(result, path, value)
    return result


def places(scenario: Mapping[str, Any], path: str) -> dict[str, Any]:
    """What stands at a path in `scenario`, by the paths without `*` that it stands for. Raises ChangeError."""
    parts: dict[str, Any] = {"": scenario}
    for part in path.split("."):
        parts = {
            f"{place}.{key}".removeprefix("."): node[key]
            for place, node in parts.items()
            for key in _keys(node, part, path, must_exist=True)
        }
    return parts


def _set(tree: dict[str, Any], path: str, value: Any) -> None:
    parts = path.split(".")
    nodes: list[Any] = [tree]
    for part, following in pairwise(parts):
        nodes = [_below(node, key, following) for node in nodes for key in _keys(node, part, path, must_exist=True)]
    for node in nodes:
        for key in _keys(node, parts[-1], path, must_exist=False):
            node[key] = _copy(value)


def _below(node: Any, key: Any, following: str) -> Any:
    """What stands at a key. A name that the path goes on with is that name without settings: it gets room for them."""
    if node[key] == following:
        node[key] = {following: {}}
    return node[key]


def _keys(node: Any, part: str, path: str, *, must_exist: bool) -> list[Any]:
    """What one part of a path selects in a mapping or a list."""
    if isinstance(node, list):
        if part == "*" and node:
            return list(range(len(node)))
        if part.isdecimal() and int(part) < len(node):
            return [int(part)]
        raise ChangeError(f"{path}: no element {part!r}; there are {len(node)}, numbered from 0")
    if not isinstance(node, dict):
        raise ChangeError(f"{path}: nothing can be below {node!r}, where {part!r} is asked for")
    if part == "*" or (must_exist and part not in node):
        raise ChangeError(f"{path}: no key {part!r}; there is {', '.join(map(str, node))}")
    return [part]


def _copy(value: Any) -> Any:
    """A copy with nothing shared: two flows that are one and the same by a YAML alias can be changed apart."""
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value
