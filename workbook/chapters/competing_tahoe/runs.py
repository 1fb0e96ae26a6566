"""A case with all its seeds, in machine code: in SimPy they take minutes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import xarray as xr

from simcore.rounds import RoundsScenario, simulate_rounds
from workbook.chapters.competing_tahoe import competing, pauses
from workbook.chapters.competing_tahoe.measures import Measure, Measured, measure
from workbook.chapters.competing_tahoe.track import WINDOWS, Array

# What the report narrates, and how many rounds a run must have to be asked.
NARRATED: Final[dict[Measure, int]] = {
    competing.narrated: 61,
    **dict.fromkeys((pauses.dropped, pauses.kept_alive, pauses.delayed), 250),
}


@dataclass(frozen=True)
class Runs:
    """Runs of one scenario that differ in the seed alone."""

    scenario: RoundsScenario
    seeds: Sequence[int]
    shown: xr.Dataset  # the one that figures show
    windows: dict[str, Array]  # bytes: a row a seed, a column a sender, and the rounds
    measured: dict[str, Array]  # by name; a value a seed


def story_of(case: str) -> str:
    """`kept-alive` of the case `kept-alive-literal`."""
    return case.removesuffix("-literal").removesuffix("-fitted")


def replicated(scenario: RoundsScenario, seeds: Sequence[int]) -> Runs:
    """Simulate a case with each seed; the first one is shown."""
    runs = _simulated(scenario, seeds)
    table = [_measured(run) for run in runs]
    return Runs(
        scenario,
        seeds,
        runs[0],
        {name: np.stack([run.variables[name].values for run in runs]) for name in WINDOWS},
        {name: np.array([row[name] for row in table]) for name in table[0]},
    )


def utilisations(scenario: RoundsScenario, seeds: Sequence[int]) -> Array:
    """Simulate a scenario with each seed, for its utilisations alone: a row a seed, a column a sender."""
    return np.stack([run.variables["utilisation_percent"].values for run in _simulated(scenario, seeds)])


def _measured(run: xr.Dataset) -> Measured:
    """All that is asked of a run; what the report narrates of one story is asked of every run of two senders."""
    measured = measure(run)
    for narrated, rounds in NARRATED.items():
        if run.sizes["sender"] > 1 and run.sizes["round"] >= rounds:
            measured |= narrated(run)
    return measured


def _simulated(scenario: RoundsScenario, seeds: Sequence[int]) -> list[xr.Dataset]:
    """A run for each seed; the same one for all if chance decided nothing in it."""
    first = simulate_rounds(_seeded(scenario, seeds[0]), "compiled")
    if not first["outdrawn_segments"].values.any():
        return [first] * len(seeds)
    return [first, *(simulate_rounds(_seeded(scenario, seed), "compiled") for seed in seeds[1:])]


def _seeded(scenario: RoundsScenario, seed: int) -> RoundsScenario:
    return scenario.model_copy(update={"seed": seed})
