"""One HTML file with the engine, the worlds of its settings and the charts: it asks for nothing else."""

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from simcore import scenario_from
from simcore.webassembly import ENTRY, STACK_END, engine_module, kinds
from workbook.explore.titles import note
from workbook.explore.widget import script, style
from workbook.site.controls import Control, Positions
from workbook.site.grid import PER_FLOW, SET, Family, Table
from workbook.site.marks import Mark
from workbook.site.rows import Turned
from workbook.site.tales import Tale
from workbook.site.words import reasons_of, words

JS: Final = Path(__file__).with_name("js")
SCRIPTS: Final = (
    *("engine", "run", "picture", "yaml", "panel", "marks", "tasks", "futures", "reading"),
    *("journeys", "network", "stage", "clock", "cursor", "card", "place", "measures", "telling", "staging", "page"),
)
LOOKS: Final = ("page", "stage", "telling")
Fates = Mapping[int, Mapping[str, Sequence[int]]]  # by flow, from 0: packets `lost` and `spared`
TYPES: Final = ("run", "flows", "tcp", "impairments", "packets", "events", "updates")  # whose fields the page uses
OF_SENDERS: Final = ("fast_retransmits", "timeouts")  # of many, these alone


class Start(NamedTuple):
    """A setting that a page begins with or offers: its title, its family, its positions, packets lost or spared."""

    title: str
    family: int
    at: Positions
    fates: Fates = MappingProxyType({})


def page(
    title: str,
    families: Sequence[Family],
    start: Start,
    cases: Sequence[Start] = (),
    marks: Sequence[Mark] | None = None,
    note: str = "",
    tales: Sequence[Tale] = (),
    further: Sequence[Mapping[str, str]] = (),
    doors: str = "",
) -> str:
    """The HTML of a page with these families, which begins with `start`, offers the cases and tells the tales.

    With `doors` it is a front page, which begins with the first tale; `further` ones are the explorer's.

    With `marks` to hit, or none of them, it is a figure of a larger text: the controls stand above the charts, and
    the note above these.
    """
    numbers = Numbers()
    said = _worlds(families, numbers) | {
        "start": _setting(start, families),
        "cases": [{"title": case.title, "setting": _setting(case, families)} for case in cases],
        "marks": [mark._asdict() for mark in marks or ()],
        "tales": [
            tale.told() | {"runs": {run: _setting(start, families) for run, start in tale.runs.items()}}
            for tale in tales
        ],
        "further": list(further),
    }
    text = (JS / "page.html").read_text("utf-8")
    parts = {
        "__TITLE__": title,
        "__NOTE__": note,
        "__STYLE__": style() + "".join((JS / f"{name}.css").read_text("utf-8") for name in LOOKS),
        "__KIND__": "bn-page bn-door" if doors else "bn-page" if marks is None else "bn-page bn-figure",
        "__DOORS__": doors,
        "__SHARED__": shared(),
        "__DATA__": packed(said, numbers),
    }
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def shared() -> str:
    """The script that is the same in all pages: packed, the engine, the scripts that call it, and words."""
    return _shared(engine_module())


@cache
def _shared(module: bytes) -> str:
    numbers = Numbers()
    said = words() | {
        "stack": STACK_END,
        "entry": ENTRY,
        "types": {name: _type(name) for name in TYPES},
        "module": {
            "length": len(module),
            "at": numbers.add(np.frombuffer(module.ljust(-(-len(module) // 8) * 8, b"\0"), np.uint64)),
        },
    }
    own = [(JS / f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    told = said | {"script": "\n".join([script(), *own])}
    return f'{(JS / "load.js").read_text("utf-8")}\nconst SHARED = "{packed(told, numbers)}";'


class Numbers:
    """All tables, one behind the other; what is the same stands there once."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self._length = 0

    def add(self, values: "np.ndarray[Any, np.dtype[np.uint64]]") -> int:
        """Put some at the end, unless they are there; return where they begin."""
        data = values.astype("<u8").tobytes()
        if data not in self._places:
            self._places[data] = self._length
            self._length += values.size
        return self._places[data]

    def tobytes(self) -> bytes:
        """All of them."""
        return b"".join(self._places)


def packed(said: object, numbers: Numbers) -> str:
    """What the script unpacks again: a length, JSON, numbers; packed with gzip, written as base64."""
    text = json.dumps(said, separators=(",", ":")).encode()
    head = len(text).to_bytes(8, "little")
    return b64encode(gzip.compress(head + text.ljust(-(-len(text) // 8) * 8) + numbers.tobytes(), 9, mtime=0)).decode()


def _type(name: str) -> dict[str, Any]:
    fields: Mapping[str, Any] = kinds()[name].fields or {}
    used = OF_SENDERS if name == "tcp" else fields
    return {"size": kinds()[name].itemsize, "fields": {field: _field(*fields[field][:2]) for field in used}}


def _field(dtype: np.dtype[Any], offset: int) -> tuple[str, int]:
    base = dtype.base
    return f"{base.kind}{base.itemsize}", offset


def _worlds(families: Sequence[Family], numbers: Numbers) -> dict[str, Any]:
    """The families as the script takes them, and what those share that lie in memory alike."""
    shared = {id(family.most): family.most for family in families}
    places = {key: place for place, key in enumerate(shared)}
    alike = [[family for family in families if family.most is most] for most in shared.values()]
    worlds = [_world(most, own, numbers) for most, own in zip(shared.values(), alike, strict=True)]
    return {
        "worlds": worlds,
        "families": [_family(family, numbers) | {"world": places[id(family.most)]} for family in families],
    }


def _world(most: Family, families: Sequence[Family], numbers: Numbers) -> dict[str, Any]:
    """Templates, tables and layout of families; `of` says which tables a family has."""
    tables = {id(table): table for family in families for table in family.tables}
    places = {key: place for place, key in enumerate(tables)}
    return {
        "tables": [_table(most, table, numbers) for table in tables.values()],
        "of": {str(family.flows): [places[id(table)] for table in family.tables] for family in families},
        "places": most.layout.places,
        "end": most.layout.end,
        "spans": [(first, last, most.layout.arrays[name].address) for name, (first, last, _) in most.spans.items()],
        "template": numbers.add(most.template[: most.words]),
        "paths": most.leaves,
        "values": most.said,
    }


def _family(family: Family, numbers: Numbers) -> dict[str, Any]:
    """A family as the script takes it: addresses in memory instead of places."""
    usual = [int(number) for number in family.template[family.words :]]
    arrays = family.most.layout.arrays
    return {
        "name": str(family.flows),
        "flows": family.flows,
        "controls": [_control(control) for control in family.controls.values()],
        "start": dict(family.start),
        "arrays": [
            {"name": name, "address": arrays[name].address, "shape": at.shape}
            for name, at in family.layout.arrays.items()
        ],
        "patch": _patch(family, numbers),
        "usual": usual + [0] * (len(family.leaves) - len(usual)),
        "refusals": [
            {"at": dict(refusal.positions), "fate": refusal.fate, "text": refusal.text} for refusal in family.refusals
        ],
        "why": reasons_of(scenario_from(family.setting(family.start))),
    }  # fmt: skip


def _patch(family: Family, numbers: Numbers) -> list[tuple[int, int]]:
    """The words in which a family's template is another than that of the most flows: addresses and numbers."""
    words = family.words
    differ = np.flatnonzero(family.template[:words] != family.most.template[:words])
    mine = [int(place) for place in differ if family.is_there(int(place))]
    return [(_address(family, place, False)[0], numbers.add(family.template[place : place + 1])) for place in mine]


def _control(control: Control) -> dict[str, Any]:
    return {
        "name": control.name,
        "label": control.label,
        "unit": control.unit,
        "values": list(control.values),
        "texts": list(control.texts),
        "further": control.is_further,
        "notes": [note(control.name, value) for value in control.values] if control.is_further else [],
        "needs": list(control.needs),
    }


def _table(family: Family, table: Table, numbers: Numbers) -> dict[str, Any]:
    rows = [(int(place), numbers.add(values)) for place, values in zip(table.places, table.values, strict=True)]
    is_each = table.is_each
    return {
        "axes": [_axis(axis) for axis in table.axes],
        "each": is_each,
        "words": [(*_address(family, place, is_each), at) for place, at in rows if place < family.words],
        "leaves": [(family.leaves[place - family.words], at) for place, at in rows if place >= family.words],
    }


def _axis(axis: Turned) -> dict[str, Any]:
    """An axis; without classes where each position is one of its own."""
    plain = axis.classes == (*range(len(axis.classes)),)
    return {"names": axis.names, "size": len(axis.firsts)} | ({} if plain else {"classes": axis.classes})


def _address(family: Family, place: int, is_each: bool) -> tuple[int, int]:
    """Where a word is in memory, and how much further that of the next flow is."""
    name = next(name for name in SET if family.spans[name][0] <= place < family.spans[name][1])
    first, _, row = family.spans[name]
    address = family.most.layout.arrays[name].address + 8 * (place - first)
    return address, 8 * row if is_each and name in PER_FLOW else 0


def _setting(start: Start, families: Sequence[Family]) -> dict[str, Any]:
    return {"family": str(families[start.family].flows), "at": dict(start.at), "fates": dict(start.fates)}
