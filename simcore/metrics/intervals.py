"""Replications of a measurement: mean, variance and confidence intervals, never without their number and seeds."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean

CONFIDENCE = 0.95


class IdenticalReplicationsWarning(UserWarning):
    """All replications gave the same: either nothing in the scenario is random, or no seed reached it."""


@dataclass(frozen=True)
class Interval:
    """An interval around a mean.

    Attributes
    ----------
    low : float
        Its lower end, in the measure's unit.
    high : float
        Its upper end.
    """

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """From the mean to either end."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Replications:
    """One measurement, repeated with several seeds.

    Attributes
    ----------
    values : sequence of float
        The measurements, in the measure's unit.
    seeds : sequence of int
        The seed of each, in the same order.

    Raises
    ------
    ValueError
        If there are no values, not as many as seeds, or a seed twice: a repeated run is no further replication.
    """

    values: Sequence[float]
    seeds: Sequence[int]

    def __post_init__(self) -> None:
        if not self.values or len(self.values) != len(self.seeds):
            raise ValueError(f"{len(self.values)} values of {len(self.seeds)} seeds; must be as many, at least one")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("a seed is given twice; a repeated run is no further replication")

    @property
    def n(self) -> int:
        """The number of replications."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Their mean."""
        return fmean(self.values)

    @property
    def variance(self) -> float:
        """The unbiased estimate, divided by n - 1; not a number for a single replication."""
        return sum((value - self.mean) ** 2 for value in self.values) / (self.n - 1) if self.n > 1 else float("nan")

    @property
    def sd(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def identical(self) -> bool:
        """Whether several replications all gave the same, so that an interval would say nothing."""
        return self.n > 1 and len(set(self.values)) == 1

    def student(self, confidence: float = CONFIDENCE) -> Interval:
        """Interval of the mean for few replications, whose variance is itself an estimate (Student's t).

        Unbounded for a single replication.
        """
        from scipy import stats  # here: it takes longer to import than a short run to simulate

        return self._around(float(stats.t.interval(confidence, max(self.n - 1, 1))[1]))

    def normal(self, confidence: float = CONFIDENCE) -> Interval:
        """Interval of the mean as if the variance were known: 1.96 standard errors for 95 %.

        Too narrow below about 30 replications; unbounded for a single one.
        """
        from scipy import stats

        return self._around(float(stats.norm.interval(confidence)[1]))

    def _around(self, errors: float) -> Interval:
        if self.identical:
            warnings.warn(
                f"all {self.n} replications gave {self.mean:g}: the interval is empty because nothing was random, "
                "not because the mean is known",
                IdenticalReplicationsWarning,
                stacklevel=3,
            )
        half_width = errors * self.sd / sqrt(self.n) if self.n > 1 else inf
        return Interval(self.mean - half_width, self.mean + half_width)

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.seeds))
        if self.n > 2 and list(self.seeds) == list(range(self.seeds[0], self.seeds[0] + self.n)):
            listed = f"{self.seeds[0]} to {self.seeds[-1]}"
        if self.n == 1 or self.identical:
            return f"{self.mean:.4g} (n = {self.n}, seeds {listed}{', all identical' * self.identical})"
        return f"{self.mean:.4g} ± {self.student().half_width:.2g} (95 %, Student; n = {self.n}, seeds {listed})"


def replicate(measure: Callable[[int], float], seeds: Iterable[int]) -> Replications:
    """Measure once with each seed, in their order.

    Raises
    ------
    ValueError
        If there is no seed, or one twice.
    """
    listed = list(seeds)
    return Replications([measure(seed) for seed in listed], listed)


def until_precise(
    measure: Callable[[int], float], half_width: float, seeds: Sequence[int], least: int = 5
) -> Replications:
    """Replicate until Student's interval is narrow enough, or seeds run out.

    Identical replications never end it, as their interval says nothing.

    Parameters
    ----------
    half_width : float
        The widest half of an interval that is narrow enough, in the measure's unit.
    least : int
        So many replications are always made: two or three that happen to agree would end it too early.

    Raises
    ------
    ValueError
        If `half_width` is not above 0, or `least` not from 2 to the number of seeds.
    """
    if half_width <= 0 or not 2 <= least <= len(seeds):
        raise ValueError(f"half_width {half_width:g}, least {least}; must be above 0 and 2 to {len(seeds)}, the seeds")
    replications = replicate(measure, seeds[:least])
    for seed in seeds[least:]:
        if not replications.identical and replications.student().half_width <= half_width:
            break
        replications = Replications([*replications.values, measure(seed)], [*replications.seeds, seed])
    return replications
