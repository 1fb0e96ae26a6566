"""The named numbers of a case: each a distribution over the seeds."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from workbook.chapters.competing_tahoe.runs import Runs, story_of
from workbook.chapters.competing_tahoe.settings import Settings
from workbook.chapters.competing_tahoe.track import Array
from workbook.chapters.statistics import plain, summary

Numbers = dict[str, Any]
KEPT = ("mean", "sd", "min", "p5", "median", "p95", "max")
RATED = {"delayed": "while_connected_percent"}  # else over all rounds, as the original prints it


def case_numbers(case: str, runs: Runs, settings: Settings) -> Numbers:
    """`sender1.utilisation_percent.mean`, ...; `rated_percent` is counted as the report must have counted."""
    rated = rated_percent(case, runs)
    named = runs.measured | {f"{sender}.rated_percent": values for sender, values in rated.items()}
    numbers = nested({name: spread(values) for name, values in named.items()})
    for sender, values in rated.items():  # each run's, as the report's two numbers are of one run
        numbers[sender]["rated_percent"]["runs"] = [round(value, 6) for value in values.tolist()]
    if story_of(case) in settings.printed:
        printed = settings.printed[story_of(case)]
        for name, pair in (("near_the_report", printed), ("near_it_with_senders_exchanged", printed[::-1])):
            numbers["total"][name] = spread(_near(list(rated.values()), pair, settings.near_percent))
    return plain(numbers | {"setup": _setup(runs)})


def rated_percent(case: str, runs: Runs) -> dict[str, Array]:
    """Utilisations by sender, a value a seed, counted as the report must have counted them."""
    name = RATED.get(story_of(case), "utilisation_percent")
    senders = [f"sender{number}" for number in range(1, len(runs.scenario.senders) + 1)]
    return {sender: runs.measured[f"{sender}.{name}"] for sender in senders}


def spread(values: Array) -> Numbers:
    """A distribution over n runs; `percent`, of all runs, in how many it is true or happens at all."""
    if values.dtype == np.bool_:
        return {"n": values.size, "percent": 100 * float(values.mean())}
    there = values[np.isfinite(values)]
    numbers = summary(there)
    return {"n": values.size, "percent": 100 * there.size / values.size} | {name: numbers[name] for name in KEPT}


def _near(rated: list[Array], printed: list[float], points: float) -> Array:
    """Whether all senders of a run are within so many points of what is printed."""
    off = [abs(values - number) for values, number in zip(rated, printed, strict=True)]
    near: Array = np.max(off, axis=0) <= points
    return near


def _setup(runs: Runs) -> Numbers:
    """What the scenario says, as names: `setup.sender2.start_round`, ..."""
    mapping = runs.scenario.to_mapping()
    return mapping | {f"sender{i}": sender for i, sender in enumerate(mapping.pop("senders"), start=1)}


def nested(named: Mapping[str, object]) -> Numbers:
    """Values by dotted name as groups within groups."""
    tree: Numbers = {}
    for name, value in named.items():
        *groups, last = name.split(".")
        reduce(lambda node, group: node.setdefault(group, {}), groups, tree)[last] = value
    return tree
