"""From a file to a scenario, or to lines that say what is wrong, where, and what is allowed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from simcore.scenario.change import ChangeError, changed
from simcore.scenario.problems import InputError, problems_of
from simcore.scenario.scenario import Scenario
from simcore.scenario.text import FileTooLargeError, file_text, json_value, yaml_value
from simcore.scenario.times_file import times_in


class ScenarioError(InputError):
    """A scenario that cannot be simulated: `args` has a line for a person for each problem."""


def load_mapping(path: Path) -> dict[str, Any]:
    """Read a YAML or JSON file whose top level is a mapping.

    Parameters
    ----------
    path : pathlib.Path
        The file; JSON if its name ends so.

    Returns
    -------
    dict
        What the file says.

    Raises
    ------
    ScenarioError
        If it can't be read, is empty, broken, or anything but a mapping, or has a key twice.
    """
    try:
        return mapping_of(path, file_text(path))
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: not text in UTF-8; must be a YAML or JSON file") from None
    except FileTooLargeError as error:
        raise ScenarioError(f"{path}: {error}") from None


def mapping_of(path: Path, text: str) -> dict[str, object]:
    """Read a text as if it were a file's.

    Parameters
    ----------
    path : pathlib.Path
        The file that messages name; its ending tells YAML from JSON.
    text : str
        What it holds.

    Returns
    -------
    dict
        What the text says.

    Raises
    ------
    ScenarioError
        If it is empty, broken, or anything but a mapping, or has a key twice.
    """
    content = _parsed(path, text)
    if not isinstance(content, dict):
        given = "nothing" if content is None else f"a {type(content).__name__}"
        raise ScenarioError(f"{path}: the file holds {given}; must be a mapping of keys to values")
    return content


def _parsed(path: Path, text: str) -> object:
    is_json = path.suffix == ".json"
    try:
        return json_value(text) if is_json else yaml_value(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        language = "JSON" if is_json else "YAML"
        raise ScenarioError(f"{path}: not readable as {language}: {' '.join(str(error).split())}") from None


def load_scenario(path: Path | str) -> Scenario:
    """Read and validate a scenario file.

    Parameters
    ----------
    path : pathlib.Path or str
        The file, YAML, or JSON if its name ends so.

    Returns
    -------
    Scenario
        With the times of replay sources in it: their `times_file`, whose name counts from the scenario's folder, is
        read.

    Raises
    ------
    ScenarioError
        A line for each problem: the file, the dotted path, what was given and what is allowed.
    """
    path = Path(path)
    mapping = {"name": path.stem} | load_mapping(path)
    if isinstance(mapping.get("flows"), list):
        mapping["flows"] = [_with_its_times(flow, i, path) for i, flow in enumerate(mapping["flows"])]
    return scenario_from(mapping, where=f"{path}: ")


def _with_its_times(flow: object, i: int, scenario: Path) -> object:
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


def scenario_from(mapping: Mapping[str, object], where: str = "") -> Scenario:
    """Validate a mapping as a scenario.

    Parameters
    ----------
    mapping : mapping
        As a scenario file would hold it.
    where : str
        What stands in front of each problem.

    Returns
    -------
    Scenario
        The scenario.

    Raises
    ------
    ScenarioError
        A line for each problem: the dotted path, what was given and what is allowed.
    """
    try:
        return Scenario.model_validate(dict(mapping))
    except ValidationError as error:
        raise ScenarioError(*problems_of(error, where)) from None


def changed_scenario(scenario: Scenario, changes: Mapping[str, Any]) -> Scenario:
    """What `Scenario.changed` returns."""
    try:
        return scenario_from(changed(scenario.to_mapping(), changes))
    except ChangeError as error:
        raise ScenarioError(str(error)) from None
