"""From a file to a scenario, or to one line that says what is wrong, where, and what is allowed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from simcore.problems import first_problem
from simcore.scenario import Scenario
from simcore.times_file import times_in


class ScenarioError(ValueError):
    """A scenario that cannot be simulated; its text is one line for a person."""


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML as `safe_load` reads it, except that a key given twice is an error instead of a silent last-wins."""


def _mapping_with_unique_keys(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen = set()
    for key, _ in node.value:  # as written, before a `<<` brings keys in, which may be given again
        name = (key.tag, str(key.value))
        if name in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} is given twice", key.start_mark)
        seen.add(name)
    return loader.construct_mapping(node, deep=True)


_UniqueKeyLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_with_unique_keys)


def load_mapping(path: Path) -> dict[str, Any]:
    """Read a YAML or JSON file whose top level is a mapping.

    Raises ScenarioError when it can't be read, is empty, broken, or anything but a mapping.
    """
    try:
        return mapping_of(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: not text in UTF-8; must be a YAML or JSON file") from None


def mapping_of(path: Path, text: str) -> dict[str, Any]:
    """What a file of that name says, if `text` is what it holds. Raises ScenarioError."""
    content = _parsed(path, text)
    if not isinstance(content, dict):
        given = "nothing" if content is None else f"a {type(content).__name__}"
        raise ScenarioError(f"{path}: the file holds {given}; must be a mapping of keys to values")
    return content


def _parsed(path: Path, text: str) -> Any:
    try:
        if path.suffix == ".json":
            return json.loads(text, object_pairs_hook=_object_with_unique_keys)
        return yaml.load(text, _UniqueKeyLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        language = "JSON" if path.suffix == ".json" else "YAML"
        raise ScenarioError(f"{path}: not readable as {language}: {' '.join(str(error).split())}") from None


def _object_with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key {name!r} is given twice")
    return dict(pairs)


def load_scenario(path: Path | str) -> Scenario:
    """Read and validate a scenario file (YAML, or JSON by its ending). Raises ScenarioError.

    The times of a replay source may stand in a file of their own, `times_file`, whose name counts from the scenario's
    folder. The scenario holds the times themselves.
    """
    path = Path(path)
    mapping = {"name": path.stem} | load_mapping(path)
    if isinstance(mapping.get("flows"), list):
        mapping["flows"] = [_with_its_times(flow, i, path) for i, flow in enumerate(mapping["flows"])]
    return scenario_from(mapping, where=f"{path}: ")


def _with_its_times(flow: Any, i: int, scenario: Path) -> Any:
    """A flow as it is given, `times_file` replaced by `times_s`."""
    if not isinstance(flow, dict) or flow.get("source") != "replay" or "times_file" not in flow:
        return flow
    where, name = f"{scenario}: flows.{i}.times_file: ", flow["times_file"]
    if "times_s" in flow:
        raise ScenarioError(f"{where}{name!r} is not allowed beside times_s; must be one of them")
    if not isinstance(name, str):
        raise ScenarioError(f"{where}{name!r} is not allowed; must be text")
    try:
        times_s = times_in(scenario.parent / name)
    except ValueError as error:
        raise ScenarioError(f"{where}{error}") from None
    return {key: value for key, value in flow.items() if key != "times_file"} | {"times_s": times_s}


def scenario_from(mapping: Mapping[str, Any], where: str = "") -> Scenario:
    """Validate a mapping as a scenario; `where` stands in front of the message of the ScenarioError."""
    try:
        return Scenario.model_validate(dict(mapping))
    except ValidationError as error:
        raise ScenarioError(where + first_problem(error)) from None
