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
from simcore.network.topology import topology_of
from simcore.results.log import Route
from simcore.webassembly import ENTRY, STACK_END, engine_module, kinds
from workbook.explore.widget import script, style
from workbook.site.controls import Control, Positions
from workbook.site.grid import DRAWERS, EACH, PER_FLOW, SET, Family, Table, drawer
from workbook.site.marks import Mark
from workbook.site.words import reasons_of, words

JS: Final = Path(__file__).with_name("js")
SCRIPTS: Final = ("engine", "run", "picture", "yaml", "panel", "marks", "page")
Fates = Mapping[int, Mapping[str, Sequence[int]]]  # by flow, from 0: packets `lost` and `spared`
TYPES: Final = ("run", "flows", "impairments", "packets", "events", "updates")  # whose fields the page reads or writes


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
) -> str:
    """The HTML of a page with these families, which begins with `start` and offers the cases.

    With `marks` to hit, or none of them, it is a figure of a larger text: the controls stand above the charts, and
    the note above these.
    """
    numbers = Numbers()
    said = {
        "families": [_family(family, numbers) for family in families],
        "start": _setting(start, families),
        "cases": [{"title": case.title, "setting": _setting(case, families)} for case in cases],
        "marks": [mark._asdict() for mark in marks or ()],
    }
    text = (JS / "page.html").read_text("utf-8")
    parts = {
        "__TITLE__": title,
        "__NOTE__": note,
        "__STYLE__": style() + (JS / "page.css").read_text("utf-8"),
        "__KIND__": "bn-page" if marks is None else "bn-page bn-figure",
        "__SHARED__": shared(),
        "__DATA__": packed(said, numbers),
    }
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def shared() -> str:
    """The script that is the same in all pages: the engine, what it is called by, and words."""
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
    own = "\n".join((JS / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    return f'{script()}\n{own}\nconst SHARED = "{packed(said, numbers)}";'


class Numbers:
    """All tables, one behind the other."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray[Any, np.dtype[np.uint64]]] = []
        self._length = 0

    def add(self, values: "np.ndarray[Any, np.dtype[np.uint64]]") -> int:
        """Put some at the end; return where they begin."""
        at = self._length
        self._parts.append(values.reshape(-1))
        self._length += values.size
        return at

    def tobytes(self) -> bytes:
        """All of them."""
        return b"".join(part.astype("<u8").tobytes() for part in self._parts)


def packed(said: object, numbers: Numbers) -> str:
    """What the script unpacks again: a length, JSON, numbers; packed with gzip, written as base64."""
    text = json.dumps(said, separators=(",", ":")).encode()
    head = len(text).to_bytes(8, "little")
    return b64encode(gzip.compress(head + text.ljust(-(-len(text) // 8) * 8) + numbers.tobytes(), 9, mtime=0)).decode()


def _type(name: str) -> dict[str, Any]:
    fields: Mapping[str, Any] = kinds()[name].fields or {}
    return {"size": kinds()[name].itemsize, "fields": {field: _field(*said[:2]) for field, said in fields.items()}}


def _field(dtype: np.dtype[Any], offset: int) -> tuple[str, int]:
    base = dtype.base
    return f"{base.kind}{base.itemsize}", offset


def _family(family: Family, numbers: Numbers) -> dict[str, Any]:
    """A family as the script takes it: addresses in memory instead of places."""
    tables = [_table(family, table, numbers) for table in family.tables]
    layout = family.layout
    usual = [int(number) for number in family.template[family.words :]]
    return {
        "name": str(family.flows),
        "flows": family.flows,
        "controls": [_control(family, control) for control in family.controls.values()],
        "start": dict(family.start),
        "places": layout.places,
        "end": layout.end,
        "arrays": [{"name": name, "address": at.address, "shape": at.shape} for name, at in layout.arrays.items()],
        "spans": [(first, last, layout.arrays[name].address) for name, (first, last, _) in family.spans.items()],
        "template": numbers.add(family.template[: family.words]),
        "leaves": family.leaves,
        "usual": usual + [0] * (len(family.leaves) - len(usual)),
        "said": family.said,
        "tables": tables,
        "drawers": {"size": len(DRAWERS), "of": [drawer(kind) for kind in _kinds(family)]},
        "route": _routes(family),
        "why": reasons_of(scenario_from(family.setting(family.start))),
    }  # fmt: skip


def _control(family: Family, control: Control) -> dict[str, Any]:
    return {
        "name": control.name,
        "label": control.label,
        "unit": control.unit,
        "values": list(control.values),
        "texts": list(control.texts),
        "reads": _reads(family, control.name),
    }


def _table(family: Family, table: Table, numbers: Numbers) -> dict[str, Any]:
    is_each = EACH in table.axes
    words = [int(place) for place in table.places if place < family.words]
    return {
        "axes": table.axes,
        "about": any(axis.startswith("kind_") and axis != EACH for axis in table.axes),
        "each": is_each,
        "size": table.values.shape[1],
        "words": [_address(family, place, is_each) for place in words],
        "leaves": [family.leaves[place - family.words] for place in map(int, table.places) if place >= family.words],
        "at": numbers.add(table.values),
    }


def _address(family: Family, place: int, is_each: bool) -> tuple[int, int]:
    """Where a word is in memory, and how much further that of the next flow is."""
    name = next(name for name in SET if family.spans[name][0] <= place < family.spans[name][1])
    first, _, row = family.spans[name]
    return family.layout.arrays[name].address + 8 * (place - first), 8 * row if is_each and name in PER_FLOW else 0


def _reads(family: Family, name: str) -> list[str]:
    """The leaves of a scenario that say where a control stands; the first that is there does."""
    if name.startswith("kind_"):
        return [f"flows.{int(name.removeprefix('kind_')) - 1}.{leaf}" for leaf in ("variant", "source")]
    leaf = {"udp_rate_mbps": "rate_mbps"}.get(name, name)
    if name in ("queue", "buffer_packets", "rate_mbps", "delay_ms"):
        return [f"bottleneck.{leaf}"]
    return [leaf] if name in ("profile", "end_s") else [f"flows.{k}.{leaf}" for k in range(family.flows)]


def _kinds(family: Family) -> list[str]:
    control = family.controls.get("kind_1")
    return list(control.values) if control else []


def _routes(family: Family) -> list[dict[str, list[int]]]:
    """By flow: the first link, where it enters the row, where it leaves it, the last; of data and of ACKs."""
    routes = topology_of(scenario_from(family.setting(family.start))).routes
    return [{"out": _way(route.out, route), "back": _way(route.back, route, 1)} for route in routes]


def _way(way: Sequence[int], route: Route, back: int = 0) -> list[int]:
    ends = (route.leaving, route.entry) if back else (route.entry, route.leaving)
    return [way[0], *(link + back for link in ends), way[-1]]


def _setting(start: Start, families: Sequence[Family]) -> dict[str, Any]:
    return {"family": str(families[start.family].flows), "at": dict(start.at), "fates": dict(start.fates)}
