"""Which scenario each cell of a sweep is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Final

import xarray as xr
import yaml

from simcore import Scenario, ScenarioError, check, scenario_from
from simcore.scenario.change import ChangeError, changed, places
from workbook.sweep.axes import MOST
from workbook.sweep.distributions import stream
from workbook.sweep.parameters import Random, Sweep, SweepError

Cell = tuple[int, ...]  # a position along each dimension, from 0

LARGEST_SEED: Final = 4294944442  # of MRG32k3a
SAMPLES: Final = 0  # the first number in the key of every stream: no two purposes share one
REPLICATIONS: Final = 1


@dataclass(frozen=True)
class Column:
    """What is varied under one name: at each position a value, which goes to all targets.

    Where it `copies`, the value says how often the target's list is there.
    """

    name: str
    targets: Sequence[str]
    at: Callable[[int], Any]
    copies: bool = False


@dataclass(frozen=True)
class Dimension:
    """One dimension of the cells: a grid's has one column of its own name, `sample` several, `replication` none."""

    name: str
    size: int
    columns: Sequence[Column] = ()

    def at(self, position: int) -> object:
        """The value by which a position is selected: the varied one, or its number, from 1."""
        return next((column.at(position) for column in self.columns if column.name == self.name), position + 1)

    def position(self, value: object) -> int:
        """Where a value of `at` stands. Raises SweepError if it is none."""
        place = next((i for i in range(self.size) if self.at(i) == value), None)
        if place is None:
            raise SweepError(f"{self.name}: there is no {value!r}, but {self.at(0)!r} ... {self.at(self.size - 1)!r}")
        return place


class Design:
    """A sweep's cells. Each is made from its position alone: adding others changes none."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.dimensions = _dimensions(sweep)

    @property
    def shape(self) -> tuple[int, ...]:
        """So many positions along each dimension."""
        return tuple(dimension.size for dimension in self.dimensions)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @property
    def copies(self) -> list[int]:
        """How often the base's flows may be in a cell; nothing, if always once."""
        return [number for axis in self.sweep.vary.values() for number in axis.copies or ()]

    @property
    def flows(self) -> int:
        """The most flows that a cell has."""
        return len(self.sweep.base["flows"]) * max(self.copies, default=1)

    @cached_property
    def seed(self) -> int:
        """What the replications' random numbers come from: the base scenario's seed."""
        return Scenario.model_validate(self.sweep.base).seed

    def scenario(self, cell: Cell, where: str = "") -> Scenario:
        """The scenario at a position. Raises SweepError, its message `where`, the cell, and what is wrong."""
        label = ", ".join(f"{dimension.name}={dimension.at(i)}" for dimension, i in self._along(cell))
        try:
            mapping = self._redrawn(changed(self.sweep.base, self._changes(cell)), cell)
            scenario = scenario_from(mapping | {"name": f"{self.sweep.name}: {label}"})
            check(scenario, "process")  # every model refuses the same
            _check_warm_up(scenario, self.sweep.warm_up_s)
            return scenario
        except (ChangeError, ScenarioError) as error:
            raise SweepError(f"{where}cell {label}: {error.args[0]}") from None

    def _along(self, cell: Cell) -> Iterable[tuple[Dimension, int]]:
        return zip(self.dimensions, cell, strict=True)

    def _changes(self, cell: Cell) -> dict[str, object]:
        columns = [(column, column.at(i)) for dimension, i in self._along(cell) for column in dimension.columns]
        copied = {path: self.sweep.base[path] * times for column, times in columns if column.copies
                  for path in column.targets}  # fmt: skip
        # Copies first, so that what is set in all flows is set in all of them.
        return copied | {path: value for column, value in columns if not column.copies for path in column.targets}

    def _redrawn(self, mapping: dict[str, object], cell: Cell) -> dict[str, object]:
        """The scenario of a replication: with a seed of its own, and what is jittered moved."""
        if not self.sweep.replications:
            return mapping
        seed = stream(self.seed, REPLICATIONS, *cell, "seed").integers(1, LARGEST_SEED, endpoint=True)
        drawn: dict[str, object] = {"seed": int(seed)}
        for pattern, distribution in self.sweep.jitter.items():
            for path, value in places(mapping, pattern).items():
                drawn[path] = value + distribution.draw(stream(self.seed, REPLICATIONS, *cell, path))
        return changed(mapping, drawn)

    def check(self, where: str = "", advance: Callable[[int], None] = lambda _: None) -> None:
        """See that every cell is a scenario; `advance` is told of each one, with a 1.

        Raises SweepError, its message `where` and what is wrong first.
        """
        if self.cells > MOST:
            raise SweepError(f"{where}{self.cells:,} cells are not allowed; must be at most {MOST:,}")
        self._check_base(where)
        for cell in product(*map(range, self.shape)):
            self.scenario(cell, where)
            advance(1)

    def _check_base(self, where: str) -> None:
        """See that the base is a scenario that has the paths: simpler to tell than what is wrong with a cell."""
        try:
            place = f"{where}base: "
            scenario_from(self.sweep.base, place)
            for name, target in self.sweep.varied.items():
                place = f"{where}{self.sweep.place_of(name)}: "
                changed(self.sweep.base, dict.fromkeys(target.targets))
            for path in self.sweep.jitter:
                place = f"{where}jitter: "
                _check_numbers(path, places(self.sweep.base, path))
        except ScenarioError as error:
            raise SweepError(*error.args) from None
        except ChangeError as error:
            raise SweepError(f"{place}{error}") from None


def _check_numbers(path: str, numbers: dict[str, object]) -> None:
    for place, value in numbers.items():
        if type(value) not in (int, float):
            raise ChangeError(f"{path}: {place} is {value!r}; must be a number, to which can be added")


def _check_warm_up(scenario: Scenario, warm_up_s: float) -> None:
    """See that every flow is at work when the warm-up is over."""
    for i, flow in enumerate(scenario.flows if warm_up_s else ()):
        if not flow.start_s < warm_up_s < min(flow.stop_s, scenario.end_s):
            raise ScenarioError(
                f"flows.{i}: from {flow.start_s} s to {min(flow.stop_s, scenario.end_s)} s is not allowed; "
                f"must be at work at warm_up_s, {warm_up_s}"
            )


def _dimensions(sweep: Sweep) -> list[Dimension]:
    dimensions = [
        Dimension(name, len(values), [Column(name, axis.targets, values.__getitem__, axis.copies is not None)])
        for name, axis in sweep.vary.items()
        for values in [axis.all_values()]
    ]
    if sweep.random:
        dimensions.append(Dimension("sample", sweep.random.samples, _drawn_columns(sweep.random)))
    if sweep.replications:
        dimensions.append(Dimension("replication", sweep.replications))
    return dimensions


def _drawn_columns(random: Random) -> list[Column]:
    def column(name: str) -> Column:
        drawn = random.vary[name]
        return Column(name, drawn.targets, lambda i: drawn.draw(stream(random.seed, SAMPLES, i, name)))

    return [column(name) for name in random.vary]


def cell_scenario(ds: xr.Dataset, **selected: object) -> Scenario:
    """The scenario of one cell of a sweep's Dataset, by the value (or number) of every dimension but `flow`.

    `simulate(cell_scenario(ds, buffer=5, replication=1))` shows all of what the sweep kept the totals of. Raises
    SweepError if there is no such cell.
    """
    design = Design(Sweep.model_validate(yaml.safe_load(ds.attrs["params"])))
    names = [dimension.name for dimension in design.dimensions]
    if set(selected) != set(names):
        raise SweepError(f"{', '.join(selected) or 'nothing'} given; a cell has {', '.join(names)}")
    return design.scenario(tuple(dimension.position(selected[dimension.name]) for dimension in design.dimensions))
