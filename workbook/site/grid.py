"""A world for each position of each control, as a template and what changes in it: the page sets up no world itself.

The words of a world (8 bytes each), and the leaves of its scenario as a file has them, are taken as one long row of
numbers. A sweep builds the worlds of all combinations of a few controls, and tells on which of them each number
depends. A number belongs to the first sweep that has all controls on which it depends. The check builds random
combinations of all controls, and compares.

Families of fewer flows lie in memory as that of the most: what belongs to further flows is there, and nobody reads it.
So they share its tables, but for those of what depends on how many flows there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore import scenario_from
from simcore.rules.variants import VARIANTS
from simcore.webassembly import PARTS, Layout, Room, kinds, layout_of, part, room_of, roomy, universal
from workbook.explore.further import MOST_LINKS
from workbook.explore.setting import Setting
from workbook.site.controls import UDP, Control, Positions, Written
from workbook.site.refusals import Refusal, refusals_of
from workbook.site.rows import Leaf, Turned, Words, depends, filled, flat, longer
from workbook.site.sweeps import EACH, LEAVES, Axis, Sweep, sweeps

Key = tuple[tuple[str, int], ...]  # positions of some controls

PER_FLOW: Final = ("flows", "tcp", "sinks", "sources", "impairments")  # arrays with a row for each flow
# What depends on the setting. The other arrays are empty at first, and the page makes them.
SET: Final = (
    "run", "ports", *PER_FLOW, "streams", "queues", "paths", "link_leaves", "link_winner", "host_leaves", "host_winner"
)  # fmt: skip
ALL: Final = (*SET, LEAVES)


class GridError(RuntimeError):
    """The tables do not give the worlds that simcore builds."""


@dataclass(frozen=True)
class Table:
    """What a sweep found: the numbers that belong to it (see `Family.places`), by position of the axes."""

    axes: tuple[Turned, ...]
    places: npt.NDArray[np.int64]
    values: Words  # (place, position), the last axis fastest

    @property
    def is_each(self) -> bool:
        """Is it about each flow by itself?"""
        return any(axis.names == (EACH,) for axis in self.axes)

    @property
    def names(self) -> set[str]:
        """The controls that it knows."""
        return {name for axis in self.axes for name in axis.names}


class Family:
    """All settings of a base and its controls; `most` is the family of the most flows, if that is another."""

    def __init__(
        self, base: Setting, controls: Sequence[Control], start: Positions, most: "Family | None" = None
    ) -> None:
        self.base, self.controls, self.start = base, {control.name: control for control in controls}, start
        self.most = most or self
        self.leaves: list[str] = most.leaves if most else []  # paths in a scenario's mapping
        self.said: list[Leaf | None] = most.said if most else [None]  # what leaves hold; a number stands for each
        self._numbers: dict[tuple[type, Any], int] = most._numbers if most else {}
        self._written = Written(base, controls)
        self.template = np.zeros(self.words, np.uint64)
        self.template = self._row(start)

    @cached_property
    def room(self) -> Room:
        """The ports that its worlds have."""
        own = room_of(scenario_from(self.base))
        return Room(MOST_LINKS, 1, access=True, exits=True) if "links" in self.controls else own

    @cached_property
    def layout(self) -> Layout:
        """Where the arrays of so many flows would lie by themselves; the same for all settings."""
        scenario = scenario_from(self.setting(self.start))
        return layout_of(roomy(universal(scenario), scenario, self.room))

    @cached_property
    def spans(self) -> dict[str, tuple[int, int, int]]:
        """Of each array: its first word, its last, and how many a row of it has."""
        found, at = {}, 0
        for name in SET:
            row = kinds()[name].itemsize // 8
            size = row * int(np.prod(self.most.layout.arrays[name].shape))
            found[name] = (at, at + size, row)
            at += size
        return found

    @property
    def flows(self) -> int:
        """How many there are."""
        return len(self.base["flows"])

    def setting(self, at: Positions) -> Setting:
        """The scenario of these positions as a mapping."""
        return self._written.at(at)

    def _row(self, at: Positions) -> Words:
        """The words of the world, and behind them the leaves' numbers."""
        places, values = self._changed(self.setting(at), ALL)
        row = longer(self.template, self.words + len(self.leaves))
        row[places.astype(np.int64)] = values
        return row

    def _changed(self, setting: Setting, names: Sequence[str]) -> Words:
        """What is another than in the template, in the arrays of these names or the leaves: places, and values."""
        differ: list[tuple[int, Words, Words]] = []
        if LEAVES in names:
            numbers = self._leaves_of(setting)
            differ.append((self.words, numbers, longer(self.template[self.words :], len(numbers))))
        for name, array in self._arrays(setting, names).items():
            first, words = self.spans[name][0], array.reshape(-1).view(np.uint64)
            differ.append((first, words, self.template[first : first + len(words)]))
        found = [(first, words, np.flatnonzero(words != usual)) for first, words, usual in differ]
        pairs = [np.stack([first + here.astype(np.uint64), words[here]]) for first, words, here in found]
        return np.hstack([np.zeros((2, 0), np.uint64), *pairs])

    def _arrays(self, setting: Setting, names: Sequence[str]) -> Mapping[str, npt.NDArray[Any]]:
        """Those of a world that have these names."""
        if not (wanted := [name for name in names if name != LEAVES]):
            return {}
        scenario = scenario_from(setting)
        if set(wanted) <= {*PARTS}:
            return {name: part(scenario, self.room, name) for name in wanted}
        world = roomy(universal(scenario), scenario, self.room)._asdict()
        return {name: world[name] for name in wanted}

    def _leaves_of(self, setting: Setting) -> Words:
        """The numbers of what the leaves say."""
        told = dict(flat(self._told(setting)))
        known = {*self.leaves}
        self.leaves += [path for path in told if path not in known]
        return np.array([self._number(told.get(path)) for path in self.leaves], np.uint64)

    def _told(self, setting: Setting) -> Setting:
        """A setting without what the page adds: further links of the row, each as the bottleneck."""
        if "links" not in self.controls:
            return setting
        assert all(link == setting["bottleneck"] for link in setting.get("onward", ()))
        return {name: value for name, value in setting.items() if name != "onward"}

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
        wanted = sweeps(list(self.controls), self.base)
        if self.most is self:
            return self._owned(wanted)
        shared = zip(wanted_of(self.most), self.most.tables, strict=True)
        counted = self._owned([sweep for sweep in wanted if sweep.counted])
        return [*(table for sweep, table in shared if not sweep.counted), *counted]

    def _owned(self, wanted: Sequence[Sweep]) -> list[Table]:
        found = [self._swept(sweep) for sweep in wanted]
        needed: dict[int, set[str]] = {}
        for table, along in found:
            for place, names in zip(table.places, along, strict=True):
                needed.setdefault(int(place), set()).update(names)
        owners = {place: self._owner(place, names, [table for table, _ in found]) for place, names in needed.items()}
        return [
            Table(table.axes, table.places[mine], table.values[mine])
            for number, (table, _) in enumerate(found)
            for mine in [[i for i, place in enumerate(table.places) if owners[int(place)] == number]]
        ]

    def _owner(self, place: int, names: set[str], tables: Sequence[Table]) -> int:
        for number, table in enumerate(tables):
            if names <= table.names and place in table.places:
                return number
        raise GridError(f"{self.name(place)} depends on {', '.join(sorted(names))}, and no sweep has them all")

    def _swept(self, sweep: Sweep) -> tuple[Table, list[set[str]]]:
        """The numbers that vary in a sweep, and the controls along whose axes each does."""
        axes = tuple(self._turned(axis) for axis in sweep.axes)
        combined = [_named(axes, where) for where in product(*(axis.firsts for axis in axes))]
        keys = [tuple(self._without_idle(at, sweep).items()) for at in combined]
        build = self._built_in_company if sweep.is_each else self._built
        built = build(dict.fromkeys(keys), sweep.parts or ALL)
        places = np.unique(np.concatenate([row[0] for row in built.values()])).astype(np.int64)
        places = places[[self._is_about(int(place), sweep) for place in places]]
        usual = longer(self.template, int(places.max(initial=0)) + 1)[places]
        columns = {where: filled(usual, places, row) for where, row in built.items()}
        grid = np.stack([columns[key] for key in keys], axis=1)
        return Table(axes, places, grid), [*depends(axes, grid)]

    def _built(self, keys: Iterable[Key], names: Sequence[str]) -> dict[Key, Words]:
        """What changes with each combination. A setting that several of them give is built once."""
        settings = {key: self.setting(self._at(dict(key))) for key in keys}
        said = {key: repr(setting) for key, setting in settings.items()}
        built = {text: self._changed(settings[key], names) for text, key in {said[key]: key for key in said}.items()}
        return {key: built[text] for key, text in said.items()}

    def _built_in_company(self, keys: Iterable[Key], names: Sequence[str]) -> dict[Key, Words]:
        """The same of each flow by itself, in the first one's place: flows of several kinds are in one world."""
        leaves = self._built(keys, [name for name in names if name == LEAVES])
        alike: dict[Key, list[Key]] = {}  # combinations that differ in the kind alone
        for key in keys:
            alike.setdefault(tuple(each for each in key if each[0] != EACH), []).append(key)
        words, built = [name for name in names if name != LEAVES], {}
        for rest, together in alike.items():
            for company in (together[k : k + self.flows] for k in range(0, len(together), self.flows)):
                kinds = {f"kind_{k + 1}": dict(company[k % len(company)])[EACH] for k in range(self.flows)}
                changed = self._changed(self.setting({**self.start, **dict(rest), **kinds}), words)
                built.update({key: np.hstack([self._own(changed, k), leaves[key]]) for k, key in enumerate(company)})
        return built

    def _own(self, changed: Words, flow: int) -> Words:
        """Of what changes that of one flow, in the place of the first one's."""
        own = []
        for first, _, row in (self.spans[name] for name in PER_FLOW):
            here = (changed[0] >= first + flow * row) & (changed[0] < first + (flow + 1) * row)
            own.append(changed[:, here] - np.array([[flow * row], [0]], np.uint64))
        return np.hstack(own)

    def _turned(self, axis: Axis) -> Turned:
        """The positions of an axis' controls, in classes."""
        values = [self.controls["kind_1" if name == EACH else name].values for name in axis.names]
        combined = list(product(*values))
        alike = [axis.alike(*each) if axis.alike else place for place, each in enumerate(combined)]
        numbers = {known: number for number, known in enumerate(dict.fromkeys(alike))}
        places = [*product(*(range(len(each)) for each in values))]
        firsts = tuple(places[alike.index(known)] for known in numbers)
        return Turned(axis.names, tuple(numbers[known] for known in alike), firsts)

    def _without_idle(self, at: dict[str, int], sweep: Sweep) -> dict[str, int]:
        """A combination that gives the same: TCP has no rate, UDP no window; and not every sender knows ECN."""
        if sweep.queues and "queue" in at and not sweep.queues(self.controls["queue"].values[at["queue"]]):
            return {name: k if name == "queue" else self.start[name] for name, k in at.items()}
        if EACH not in at:
            return at
        kind = self.controls["kind_1"].values[at[EACH]]
        idle = {"window_packets", "jitter_ms", "ecn"} if kind in UDP else {"udp_rate_mbps"}
        if not knows_ecn(kind):
            idle.add("ecn")
        return {name: self.start[name] if name in idle else k for name, k in at.items()}

    def _at(self, at: Positions) -> Positions:
        """All positions, with some where they are; those of each flow for all."""
        each = {f"kind_{k + 1}": at[EACH] for k in range(self.flows)} if EACH in at else {}
        return {**self.start, **{name: k for name, k in at.items() if name != EACH}, **each}

    def name(self, place: int) -> str:
        """What stands at a place, for messages."""
        if place >= self.words:
            return self.leaves[place - self.words]
        array, offset = self._array_of(place)
        row = self.spans[array][2]
        return f"{array}.{_field_at(array, 8 * (offset % row))}"

    def _array_of(self, place: int) -> tuple[str, int]:
        """The array in which a word lies, and how far from its beginning."""
        return next((name, place - first) for name, (first, last, _) in self.spans.items() if first <= place < last)

    @cached_property
    def words(self) -> int:
        """How many words the arrays have: leaves stand behind them."""
        return max(last for _, last, _ in self.spans.values())

    def flow_of(self, place: int) -> int | None:
        """Whose row it is in, counted from 0; None if it is no flow's."""
        if place >= self.words:
            head, _, rest = self.leaves[place - self.words].partition(".")
            return int(rest.partition(".")[0]) if head == "flows" else None
        array, offset = self._array_of(place)
        return offset // self.spans[array][2] if array in PER_FLOW else None

    def moved(self, place: int, flow: int) -> int:
        """The same place in the row of another flow than the first."""
        if place >= self.words:
            return self.words + self.leaves.index(self.leaves[place - self.words].replace("flows.0.", f"flows.{flow}."))
        return place + flow * self.spans[self._array_of(place)[0]][2]

    def is_there(self, place: int) -> bool:
        """Does it belong to the flows that there are, and not to the further ones of the family of the most?"""
        if place >= self.words:
            return (self.flow_of(place) or 0) < self.flows
        array, offset = self._array_of(place)
        if array == "queues":
            behind = 8 * (offset % self.spans[array][2]) - _fields(array)["line_of"][1]
            return not 8 * self.flows <= behind < 8 * self.most.flows
        return offset < self.spans[array][2] * int(np.prod(self.layout.arrays[array].shape))

    def _is_about(self, place: int, sweep: Sweep) -> bool:
        """Of rows that are alike the first stands for all."""
        if sweep.is_each and self.flow_of(place) not in (None, 0):
            return False
        name = self.name(place)
        return name.startswith(sweep.about) if sweep.about else not name.startswith(self._special)

    @cached_property
    def _special(self) -> tuple[str, ...]:
        """What some sweeps are about."""
        return tuple(name for sweep in sweeps(list(self.controls), self.base) for name in sweep.about)

    def composed(self, at: Positions) -> Words:
        """The row that the tables give, as the page composes it."""
        moved = self._moved  # finds all leaves
        row = longer(self.template, self.words + len(self.leaves))
        for table, flow, places in moved:
            row[places] = table.values[:, self.index(table.axes, at, flow)]
        return row

    @cached_property
    def _moved(self) -> list[tuple[Table, int, npt.NDArray[np.int64]]]:
        """All tables, those about each flow for every flow, with the places of their numbers."""
        pairs = [(table, flow) for table in self.tables for flow in range(self.flows if table.is_each else 1)]
        moved = [[self.moved(int(place), flow) for place in table.places] for table, flow in pairs]
        return [(*pair, np.array(places, np.int64)) for pair, places in zip(pairs, moved, strict=True)]

    def index(self, axes: Sequence[Turned], at: Positions, flow: int) -> int:
        """The position in a table."""
        index = 0
        for axis in axes:
            place = 0
            for name in axis.names:
                own = f"kind_{flow + 1}" if name == EACH else name
                place = place * len(self.controls[own].values) + at[own]
            index = index * len(axis.firsts) + axis.classes[place]
        return index

    def check(self, tries: int, random: Random) -> int:
        """Compare so many random settings with the worlds that simcore builds. Raises GridError with what differs."""
        for _ in range(tries):
            at = self.anything(random)
            found, built = self.composed(at), self._row(at)
            differ = np.flatnonzero(longer(built, len(found)) != longer(found, len(built)))
            if names := sorted({self.name(int(place)) for place in differ if self.is_there(int(place))}):
                raise GridError(f"{', '.join(names)}: not as simcore has it at {at}")
        return tries

    def anything(self, random: Random) -> Positions:
        """Random positions that are a scenario."""
        while True:
            at = {name: random.randrange(len(control.values)) for name, control in self.controls.items()}
            if not any(refusal.is_met(at, self.flows) for refusal in self.refusals):
                return at

    @cached_property
    def refusals(self) -> list[Refusal]:
        """What the controls can say and no scenario may."""
        return [*refusals_of(self.base, self.controls)]


def wanted_of(family: Family) -> list[Sweep]:
    """The sweeps of a family, in the order of its tables."""
    return sweeps(list(family.controls), family.base)


def knows_ecn(kind: str) -> bool:
    """Does a sender of a kind know what a mark is?"""
    return kind in VARIANTS and VARIANTS[kind].recovery.knows_ecn


def _named(axes: Sequence[Turned], where: Sequence[Sequence[int]]) -> dict[str, int]:
    """Positions by control."""
    return {name: k for axis, ks in zip(axes, where, strict=True) for name, k in zip(axis.names, ks, strict=True)}


@cache
def _field_at(array: str, offset: int) -> str:
    """The field of a record that begins at an offset in bytes, or before it."""
    begins = {name: said[1] for name, said in _fields(array).items() if said[1] <= offset}
    return max(begins, key=begins.__getitem__)


def _fields(array: str) -> Mapping[str, Any]:
    return kinds()[array].fields or {"": (None, 0)}
