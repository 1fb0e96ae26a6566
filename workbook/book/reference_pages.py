"""The reference pages: the scenario file, made of its JSON Schema, and the library, made of its docstrings."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaValue

import simcore
from simcore import metrics
from simcore.scenario.schema import NO_UNIT, TAGS, scenario_schema

MODULES: Final[tuple[ModuleType, ...]] = (simcore, metrics)
SCENARIO: Final = "scenario-file"
NAMES: Final = {"number": "number", "integer": "whole number", "boolean": "`true`, `false`", "string": "text"}
BOUNDS: Final = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
INTRODUCTION: Final = """\
# The scenario file

YAML or JSON. Units are in the names. An unknown key, a value out of bounds or of another type is refused, with what is
allowed. `workbook schema` prints the JSON Schema that this page is made of; editors complete and check by it.
"""


def write_references(pages: Path) -> list[str]:
    """Write the page of the scenario file and one for each public module; return their names."""
    (pages / f"{SCENARIO}.md").write_text("\n".join(_scenario_page(scenario_schema())) + "\n", "utf-8")
    for module in MODULES:
        (pages / f"{_page(module)}.md").write_text("\n".join(_module_page(module)) + "\n", "utf-8")
    return [SCENARIO, *map(_page, MODULES)]


def _page(module: ModuleType) -> str:
    return "api-" + module.__name__.replace(".", "-")


def _module_page(module: ModuleType) -> Iterator[str]:
    """Directives of sphinx.ext.autodoc: what a module says of itself, then its classes and functions by name."""
    yield from (
        f"# {module.__name__}",
        "",
        "```{eval-rst}",
        f".. automodule:: {module.__name__}",
        "   :no-members:",
        "",
    )
    for name in sorted(module.__all__):
        item = getattr(module, name)
        if inspect.isclass(item):
            yield from _class(f"{module.__name__}.{name}", item)
        elif inspect.isfunction(item):
            yield from (f".. autofunction:: {module.__name__}.{name}", "")
    yield "```"


def _class(name: str, item: type[object]) -> Iterator[str]:
    """A named tuple's fields are in its docstring, a scenario's on the page of the scenario file."""
    yield f".. autoclass:: {name}{'(**fields)' if issubclass(item, BaseModel) else ''}"
    yield from ("   :members:", f"   :exclude-members: {', '.join(getattr(item, '_fields', ()))}", "")


def _scenario_page(schema: JsonSchemaValue) -> Iterator[str]:
    titles = {name: _title(name, part) for name, part in schema["$defs"].items()}
    yield INTRODUCTION
    yield from _object("Scenario", schema, titles)
    for name, part in schema["$defs"].items():
        yield from _object(name, part, titles)


def _title(name: str, part: JsonSchemaValue) -> str:
    """What tells a kind of flow or of queue apart in a file, or the name of a part that is of one kind."""
    tags = [f"{tag}: {part['properties'][tag]['const']}" for tag in TAGS if "const" in part["properties"].get(tag, {})]
    return ", ".join(tags) or name


def _object(name: str, part: JsonSchemaValue, titles: Mapping[str, str]) -> Iterator[str]:
    """A part's heading, what it is, and a line for each field."""
    yield from (
        f"({_anchor(name)})=",
        f"## {titles.get(name, name)}",
        "",
        " ".join(part.get("description", "").split()),
        "",
    )
    yield from ("| field | meaning | unit | allowed | default | example |", "| --- | --- | --- | --- | --- | --- |")
    for field, schema in part["properties"].items():
        unit = "" if schema["unit"] == NO_UNIT else schema["unit"]
        default = "must be given" if field in part.get("required", ()) else _json(schema, "default")
        cells = (
            f"`{field}`",
            schema.get("description", ""),
            unit,
            _allowed(schema, titles),
            default,
            _json(schema, "examples"),
        )
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _anchor(name: str) -> str:
    return f"scenario-{name.lower()}"


def _allowed(schema: JsonSchemaValue, titles: Mapping[str, str]) -> str:
    """Which values a schema allows, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{titles[name]}](#{_anchor(name)})"
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return " or ".join(_allowed(choice, titles) for choice in choices if choice != {"type": "null"})
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "array":
        return f"list of {_allowed(schema['items'], titles)}"
    if schema["type"] == "object":  # a name with its settings
        settings = {name: ", ".join(choice["properties"]) for name, choice in schema["properties"].items()}
        return "with settings " + ", ".join(f"`{name}` ({fields})" for name, fields in settings.items())
    return f"{NAMES[schema['type']]}{_bounds(schema)}"


def _bounds(schema: Mapping[str, float]) -> str:
    bounds: Sequence[str] = [f"{word} {schema[key]:,.12g}" for key, word in BOUNDS.items() if key in schema]
    return f", {' and '.join(bounds)}" if bounds else ""


def _json(schema: JsonSchemaValue, key: str) -> str:
    """A default, or the first example, as a file would have it."""
    if key not in schema:
        return ""
    value = schema[key][0] if key == "examples" else schema[key]
    return f"`{json.dumps(value, ensure_ascii=False)}`" if value != [] else ""
