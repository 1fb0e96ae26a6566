"""A world for each position of each control, as a template and what changes in it: the page sets up no world itself.

The words of a world (8 bytes each), and the leaves of its scenario as a file has them, are taken as one long row of
numbers. A sweep builds the worlds of all combinations of a few controls, and tells on which of them each number
depends. A number belongs to the first sweep that has all controls on which it depends. The check builds random
combinations of all controls, and compares.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore import scenario_from
from simcore.webassembly import Layout, kinds, layout_of, roomy, universal
from workbook.explore.setting import Setting, queue_of
from workbook.site.controls import UDP, Control, Positions, setting_at

Words = npt.NDArray[np.uint64]
Leaf = str | float | int | bool

PER_FLOW: Final = ("flows", "tcp", "sinks", "sources", "impairments")  # arrays with a row for each flow
# What depends on the setting. The other arrays are empty at first, and the page makes them.
SET: Final = (
    "run", "ports", *PER_FLOW, "streams", "queues", "paths", "link_leaves", "link_winner", "host_leaves", "host_winner"
)  # fmt: skip
EACH: Final = "kind_*"  # an axis on which all flows are of the same kind, and each is looked at by itself
DRAWN: Final = ("streams", "tcp.boot_s")  # random numbers drawn before the start
RED: Final = ("queues.weight",)  # what RED alone makes of the rate and the delay
DRAWERS: Final = ("reno", "vegas", "cbr")  # one kind for all that draw as many random numbers before the start


class GridError(RuntimeError):
    """The tables do not give the worlds that simcore builds."""


@dataclass(frozen=True)
class Sweep:
    """Controls whose combinations are all built, and what it is about: some names, or all that no other sweep has."""

    axes: tuple[str, ...]
    about: tuple[str, ...] = ()


def sweeps(names: Sequence[str]) -> list[Sweep]:
    """Those that a family with controls of these names needs."""
    each = EACH if "kind_1" in names else ""
    groups = [
        ("delay_ms",), ("queue", "rate_mbps"), ("queue", "buffer_packets"), (each, "window_packets"),
        (each, "profile", "packet_bytes"), (each, "udp_rate_mbps", "packet_bytes"), ("end_s", "gap_s"),
    ]  # fmt: skip
    groups += [(name,) for name in names if not name.startswith("kind_") and not any(name in group for group in groups)]
    found = [tuple(axis for axis in group if axis in (*names, each) and axis) for group in groups]
    usual = [Sweep(axes) for axes in dict.fromkeys(found) if axes]
    everyone = tuple(name for name in names if name.startswith("kind_") or name == "profile")
    red = tuple(name for name in ("queue", "rate_mbps", "delay_ms") if name in names)
    return usual + [sweep for sweep in (Sweep(everyone, DRAWN), Sweep(red, RED)) if sweep.axes]


@dataclass(frozen=True)
class Table:
    """What a sweep found: the numbers that belong to it (see `Family.places`), by position of the axes."""

    axes: tuple[str, ...]
    places: npt.NDArray[np.int64]
    values: Words  # (place, position), the last axis fastest


class Family:
    """All settings of a base and its controls."""

    def __init__(self, base: Setting, controls: Sequence[Control], start: Positions) -> None:
        self.base, self.controls, self.start = base, {control.name: control for control in controls}, start
        self.leaves: list[str] = []  # paths in a scenario's mapping
        self.said: list[Leaf | None] = [None]  # what leaves hold; a number stands for each
        self._numbers: dict[tuple[type, Any], int] = {}
        self.template = self._row(start)

    @cached_property
    def layout(self) -> Layout:
        """Where the arrays lie; it is the same for all settings."""
        return layout_of(roomy(universal(scenario_from(self.setting(self.start)))))

    @cached_property
    def spans(self) -> dict[str, tuple[int, int, int]]:
        """Of each array: its first word, its last, and how many a row of it has."""
        found, at = {}, 0
        for name in SET:
            row = kinds()[name].itemsize // 8
            size = row * int(np.prod(self.layout.arrays[name].shape))
            found[name] = (at, at + size, row)
            at += size
        return found

    @property
    def flows(self) -> int:
        """How many there are."""
        return len(self.base["flows"])

    def setting(self, at: Positions) -> Setting:
        """The scenario of these positions as a mapping."""
        return setting_at(self.base, list(self.controls.values()), at)

    def _row(self, at: Positions) -> Words:
        """The words of the world, and behind them the leaves' numbers."""
        setting = self.setting(at)
        world = roomy(universal(scenario_from(setting)))._asdict()
        told = dict(_flat(setting))
        self.leaves += [path for path in told if path not in self.leaves]
        numbers = [self._number(told.get(path)) for path in self.leaves]
        return np.concatenate(
            [*(world[name].reshape(-1).view(np.uint64) for name in SET), np.array(numbers, np.uint64)]
        )

    def _number(self, value: Leaf | None) -> int:
        if value is None:
            return 0
        if (type(value), value) not in self._numbers:
            self._numbers[type(value), value] = len(self.said)
            self.said.append(value)
        return self._numbers[type(value), value]

    @cached_property
    def tables(self) -> list[Table]:
        """All tables: what each sweep found, of that what belongs to it."""
        found = [self._swept(sweep) for sweep in sweeps(list(self.controls))]
        needed: dict[int, set[str]] = {}
        for table, depends in found:
            for place, axes in zip(table.places, depends, strict=True):
                needed.setdefault(int(place), set()).update(axes)
        owners = {place: self._owner(place, axes, [table for table, _ in found]) for place, axes in needed.items()}
        return [
            Table(table.axes, table.places[mine], table.values[mine])
            for number, (table, _) in enumerate(found)
            for mine in [[i for i, place in enumerate(table.places) if owners[int(place)] == number]]
        ]

    def _owner(self, place: int, axes: set[str], tables: Sequence[Table]) -> int:
        for number, table in enumerate(tables):
            if axes <= set(table.axes) and place in table.places:
                return number
        raise GridError(f"{self.name(place)} depends on {', '.join(sorted(axes))}, and no sweep has them all")

    def _swept(self, sweep: Sweep) -> tuple[Table, list[set[str]]]:
        """The numbers that vary in a sweep, and the axes along which each does."""
        choices = [self._positions(axis, sweep) for axis in sweep.axes]
        built: dict[tuple[int, ...], Words] = {}
        for where in product(*choices):
            same = self._same(sweep.axes, where)
            if same not in built:
                row = self._row(self._at(sweep.axes, same))
                changed = np.flatnonzero(row != _longer(self.template, len(row)))
                built[same] = np.stack([changed.astype(np.uint64), row[changed]])
        places = np.unique(np.concatenate([row[0] for row in built.values()])).astype(np.int64)
        places = places[[self._is_about(int(place), sweep) and self._is_first(place, sweep) for place in places]]
        usual = _longer(self.template, int(places.max(initial=0)) + 1)[places]
        columns = {where: _filled(usual, places, row) for where, row in built.items()}
        grid = np.stack([columns[self._same(sweep.axes, where)] for where in product(*choices)], axis=1)
        shaped = grid.reshape(len(places), *map(len, choices))
        behind = tuple(range(1, shaped.ndim))
        varies = [np.any(shaped != shaped.take([0], k + 1), axis=behind) for k in range(len(choices))]
        depends = [
            {axis for axis, along in zip(sweep.axes, varies, strict=True) if along[i]} for i in range(len(places))
        ]
        return Table(sweep.axes, places, grid), depends

    def _positions(self, axis: str, sweep: Sweep) -> list[int]:
        values = self.controls["kind_1" if axis == EACH else axis].values
        if sweep.about and axis.startswith("kind_"):
            return [list(values).index(kind) for kind in DRAWERS]
        return list(range(len(values)))

    def _same(self, axes: Sequence[str], where: tuple[int, ...]) -> tuple[int, ...]:
        """A combination that gives the same: TCP has no rate, UDP no window, and RED alone asks for the delay."""
        idle = set[str]()
        if EACH in axes:
            is_udp = self.controls["kind_1"].values[where[axes.index(EACH)]] in UDP
            idle = {"window_packets"} if is_udp else {"udp_rate_mbps"}
        elif "delay_ms" in axes and len(axes) > 1 and self._queue(axes, where) != "red":
            idle = {"delay_ms"}
        return tuple(self.start[axis] if axis in idle else k for axis, k in zip(axes, where, strict=True))

    def _queue(self, axes: Sequence[str], where: tuple[int, ...]) -> str:
        if "queue" not in axes:
            return queue_of(self.base)
        return str(self.controls["queue"].values[where[axes.index("queue")]])

    def _at(self, axes: Sequence[str], where: tuple[int, ...]) -> Positions:
        at = dict(self.start)
        for axis, k in zip(axes, where, strict=True):
            at |= {f"kind_{n + 1}": k for n in range(self.flows)} if axis == EACH else {axis: k}
        return at

    def name(self, place: int) -> str:
        """What stands at a place, for messages."""
        if place >= self.words:
            return self.leaves[place - self.words]
        array = next(name for name, (first, last, _) in self.spans.items() if first <= place < last)
        first, _, row = self.spans[array]
        offset = 8 * ((place - first) % row)
        fields: Mapping[str, Any] = kinds()[array].fields or {"": (None, 0)}
        begins = {name: said[1] for name, said in fields.items() if said[1] <= offset}
        return f"{array}.{max(begins, key=begins.__getitem__)}"

    @property
    def words(self) -> int:
        """How many words the arrays have: leaves stand behind them."""
        return max(last for _, last, _ in self.spans.values())

    def flow_of(self, place: int) -> int | None:
        """Whose row it is in, counted from 0; None if it is no flow's."""
        if place >= self.words:
            head, _, rest = self.leaves[place - self.words].partition(".")
            return int(rest.partition(".")[0]) if head == "flows" else None
        for array in PER_FLOW:
            first, last, row = self.spans[array]
            if first <= place < last:
                return (place - first) // row
        return None

    def moved(self, place: int, flow: int) -> int:
        """The same place in the row of another flow than the first."""
        if place >= self.words:
            return self.words + self.leaves.index(self.leaves[place - self.words].replace("flows.0.", f"flows.{flow}."))
        array = next(name for name in PER_FLOW if self.spans[name][0] <= place < self.spans[name][1])
        return place + flow * self.spans[array][2]

    def _is_about(self, place: int, sweep: Sweep) -> bool:
        name = self.name(place)
        return name.startswith(sweep.about) if sweep.about else not name.startswith(DRAWN + RED)

    def _is_first(self, place: int, sweep: Sweep) -> bool:
        """Of rows that are alike the first stands for all."""
        return EACH not in sweep.axes or self.flow_of(int(place)) in (None, 0)

    def composed(self, at: Positions) -> Words:
        """The row that the tables give, as the page composes it."""
        tables = self.tables  # finds all leaves
        row = _longer(self.template, self.words + len(self.leaves))
        for table in tables:
            for flow in range(self.flows if EACH in table.axes else 1):
                column = self.index(table.axes, at, flow)
                places = [self.moved(int(place), flow) for place in table.places] if flow else table.places
                row[places] = table.values[:, column]
        return row

    def index(self, axes: Sequence[str], at: Positions, flow: int) -> int:
        """The position in a table."""
        index = 0
        for axis in axes:
            name = f"kind_{flow + 1}" if axis == EACH else axis
            values = self.controls[name].values
            if axis.startswith("kind_") and axis != EACH:  # the sweep of random numbers
                index = index * len(DRAWERS) + drawer(str(values[at[name]]))
            else:
                index = index * len(values) + at[name]
        return index

    def check(self, tries: int, random: Random) -> int:
        """Compare so many random settings with the worlds that simcore builds. Raises GridError with what differs."""
        for _ in range(tries):
            at = {name: random.randrange(len(control.values)) for name, control in self.controls.items()}
            found, built = self.composed(at), self._row(at)
            if (differ := np.flatnonzero(built != _longer(found, len(built)))).size:
                names = sorted({self.name(int(place)) for place in differ})
                raise GridError(f"{', '.join(names)}: not as simcore has it at {at}")
        return tries


def drawer(kind: str) -> int:
    """The position among DRAWERS of the kind that stands for this one."""
    return 2 if kind in UDP else 1 if kind == "vegas" else 0


def _flat(node: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """The leaves of a mapping, by dotted path."""
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from _flat(value, f"{path}{name}.")
    elif isinstance(node, list | tuple):
        for k, value in enumerate(node):
            yield from _flat(value, f"{path}{k}.")
    else:
        yield path[:-1], node


def _longer(row: Words, length: int) -> Words:
    return np.concatenate([row, np.zeros(max(0, length - len(row)), np.uint64)])


def _filled(usual: Words, places: npt.NDArray[np.int64], row: Words) -> Words:
    """The values at places, of a row that says only what is not usual."""
    column = usual.copy()
    here = np.isin(row[0].astype(np.int64), places)
    column[np.searchsorted(places, row[0][here].astype(np.int64))] = row[1][here]
    return column
