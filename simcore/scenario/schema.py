"""The JSON Schema of a scenario file: for editors, which complete and check by it, and for the book's reference."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic.json_schema import JsonSchemaValue

from simcore.rules.congestion.control import Control
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.headers.registry import OPTIONAL
from simcore.rules.slow_start.registry import CHOICES
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import UDP_FLOWS
from simcore.scenario.profiles import OVERRIDABLE, PROFILES
from simcore.scenario.scenario import Scenario

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
# A field's unit is the last word of its name; numbers without one are counts, probabilities or factors.
UNITS: Final = {"mbps": "Mb/s", "s": "s", "ms": "ms", "us": "µs", "bytes": "bytes", "packets": "packets"}
NO_UNIT: Final = "1"
# What tells the members of a union apart has one allowed value in each.
TAGS: Final = {"kind": "transport protocol of the flow", "source": "when it sends", "queue": "queue discipline"}
TIMES_FILE: Final[JsonSchemaValue] = {
    "type": "string",
    "description": "file with a time in seconds on each line, beside the scenario's file; instead of times_s",
    "examples": ["times.txt"],
}


def scenario_schema() -> JsonSchemaValue:
    """Describe what a scenario file may hold, as JSON Schema.

    Returns
    -------
    dict
        A JSON Schema (2020-12). Each property has a `description`, an `examples` list and a `unit` ("1" where there is
        none), each object a `description`. What a schema cannot say, `load_scenario` checks: that a flow stops after it
        starts, for example.
    """
    schema = Scenario.model_json_schema()
    _profile_beside_its_facts(schema)
    _times_in_a_file(schema["$defs"][UDP_FLOWS["replay"].__name__])
    _names_that_are_registered(schema["$defs"]["TcpFlow"]["properties"])
    for part in (schema, *schema["$defs"].values()):
        part["properties"] = {name: _property(name, said) for name, said in part["properties"].items()}
    return {"$schema": DIALECT, **schema}


def _profile_beside_its_facts(schema: JsonSchemaValue) -> None:
    """In a file, the profile is a name, and its facts stand beside it where the file overrides them."""
    facts: Mapping[str, JsonSchemaValue] = schema["$defs"].pop("Profile")["properties"]
    named = {key: schema["properties"]["profile"][key] for key in ("description", "examples")}
    schema["properties"]["profile"] = {"type": "string", "enum": list(PROFILES), **named}
    schema["properties"] |= {name: facts[name] for name in OVERRIDABLE}


def _names_that_are_registered(tcp: JsonSchemaValue) -> None:
    with_settings = {name: variant.control for name, variant in VARIANTS.items()}
    tcp["variant"].pop("type")
    tcp["variant"]["anyOf"] = [
        {"type": "string", "enum": [*VARIANTS]},
        _one_with_settings(with_settings),
    ]
    tcp["options"]["anyOf"][0]["items"]["enum"] = [*OPTIONAL]
    tcp["slow_start"]["anyOf"][0]["enum"] = [*CHOICES]
    tcp["growth"]["anyOf"] = [{"type": "string", "enum": list(CONTROLS)}, _one_with_settings(CONTROLS)]


def _one_with_settings(controls: Mapping[str, Control[Any]]) -> JsonSchemaValue:
    """A mapping of one name to the settings of its control."""
    settings = {name: control.settings for name, control in controls.items() if control.settings}
    properties = {name: _settings(model.model_json_schema()) for name, model in settings.items()}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }


def _settings(schema: JsonSchemaValue) -> JsonSchemaValue:
    properties = {name: _property(name, said) for name, said in schema["properties"].items()}
    return {key: value for key, value in schema.items() if key != "title"} | {"properties": properties}


def _times_in_a_file(replay: JsonSchemaValue) -> None:
    replay["properties"]["times_file"] = TIMES_FILE
    replay["required"].remove("times_s")
    replay["oneOf"] = [{"required": ["times_s"]}, {"required": ["times_file"]}]


def _property(name: str, said: JsonSchemaValue) -> JsonSchemaValue:
    """A property without pydantic's title and its null as a default, with its unit."""
    kept = {key: value for key, value in said.items() if key != "title" and (key, value) != ("default", None)}
    tag = {"description": TAGS[name], "examples": [said["const"]]} if "const" in said and name in TAGS else {}
    return {**tag, **kept, "unit": UNITS.get(name.rpartition("_")[2], NO_UNIT)}
