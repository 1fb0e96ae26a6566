"""Replications: a mean is never told without its spread, its number and its seeds."""

from collections.abc import Callable
from math import isnan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.metrics import IdenticalReplicationsWarning, Interval, Replications, replicate, until_precise

FIVE = Replications([10.0, 12.0, 11.0, 9.0, 13.0], [1, 2, 3, 4, 5])
FINITE = st.floats(-1e6, 1e6)


def test_mean_and_variance_are_those_of_the_textbook() -> None:
    assert (FIVE.n, FIVE.mean, FIVE.variance) == (5, 11.0, 2.5)
    assert FIVE.sd == sqrt(2.5)


def test_students_interval_is_wider_than_the_normal_one_by_the_ratio_of_the_tables() -> None:
    """t(4) is 2.776 at 97.5 %, the normal quantile 1.960."""
    error = sqrt(2.5 / 5)
    assert FIVE.student().half_width == pytest.approx(2.776 * error, rel=1e-3)
    assert FIVE.normal().half_width == pytest.approx(1.960 * error, rel=1e-4)
    assert (FIVE.student().low + FIVE.student().high) / 2 == pytest.approx(11.0)
    assert FIVE.student(0.99).half_width > FIVE.student().half_width


def test_the_papers_printed_interval_follows_from_a_variance_of_a_fiftieth_not_of_two() -> None:
    """4.053 to 4.227 around 4.14 with M = 10: a spread of sigma to both sides, scaled to the variance in question."""

    def with_variance(variance: float) -> Interval:
        step = sqrt(variance * 9 / 10)
        return Replications([4.14 + step, 4.14 - step] * 5, range(10)).normal()

    assert with_variance(0.0197).low == pytest.approx(4.053, abs=5e-4)
    assert with_variance(2).low == pytest.approx(4.14 - 0.877, abs=5e-4)


def test_n_and_seeds_are_always_shown() -> None:
    assert str(FIVE) == "11 ± 2 (95 %, Student; n = 5, seeds 1 to 5)"
    assert str(Replications([1.0, 2.0], [7, 3])) == "1.5 ± 6.4 (95 %, Student; n = 2, seeds 7, 3)"
    assert str(Replications([1.5], [7])) == "1.5 (n = 1, seeds 7)"
    assert str(Replications([2.0, 2.0, 2.0], [1, 2, 3])) == "2 (n = 3, seeds 1 to 3, all identical)"


def test_identical_replications_are_warned_of() -> None:
    """An interval of width zero would claim a precision that nobody has measured."""
    same = Replications([3.0, 3.0, 3.0], [1, 2, 3])
    for interval in (same.student, same.normal):
        with pytest.warns(IdenticalReplicationsWarning, match="all 3 replications gave 3: .* nothing was random"):
            interval()


def test_a_single_run_has_no_variance_and_an_interval_without_ends() -> None:
    one = Replications([3.0], [1])
    assert isnan(one.variance)
    assert not one.identical
    assert one.student() == Interval(float("-inf"), float("inf"))


@pytest.mark.parametrize(
    ("values", "seeds", "problem"),
    [
        ([], [], "0 values of 0 seeds; must be as many, at least one"),
        ([1.0, 2.0], [1], "2 values of 1 seeds; must be as many"),
        ([1.0, 2.0], [1, 1], "a seed is given twice"),
    ],
)
def test_what_is_no_set_of_replications_is_refused(values: list[float], seeds: list[int], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Replications(values, seeds)


def test_replicate_measures_once_with_each_seed() -> None:
    found = replicate(lambda seed: seed / 2, [4, 2])
    assert (list(found.values), list(found.seeds)) == ([2.0, 1.0], [4, 2])


def noisy(seed: int) -> float:
    return 10.0 + (1 - 2 * (seed % 2)) * (1 + seed % 3)


def test_replication_ends_as_soon_as_the_mean_is_known_well_enough() -> None:
    found = until_precise(noisy, 0.8, range(1, 200))
    assert found.student().half_width <= 0.8
    one_fewer = Replications(found.values[:-1], found.seeds[:-1])
    assert one_fewer.student().half_width > 0.8
    assert list(found.seeds) == list(range(1, found.n + 1))


def test_replication_ends_with_the_seeds_if_the_target_is_never_met() -> None:
    assert until_precise(noisy, 1e-6, range(1, 21)).n == 20


def test_identical_replications_never_end_it() -> None:
    """The first five happen to agree; the sixth shows that they were no proof."""
    found = until_precise(lambda seed: 1.0 if seed <= 5 else float(seed), 0.5, range(1, 9))
    assert found.n == 8


@pytest.mark.parametrize(("half_width", "least"), [(0.0, 5), (-1.0, 5), (1.0, 1), (1.0, 10)])
def test_a_target_that_cannot_be_met_is_refused(half_width: float, least: int) -> None:
    measure: Callable[[int], float] = float
    with pytest.raises(ValueError, match="must be above 0 and 2 to 9, the seeds"):
        until_precise(measure, half_width, range(9), least)


@given(st.lists(FINITE, min_size=2, max_size=30), FINITE, st.floats(0.01, 100))
def test_shifting_and_stretching_the_values_does_the_same_to_the_interval(
    values: list[float], shift: float, stretch: float
) -> None:
    before = Replications(values, range(len(values)))
    after = Replications([stretch * value + shift for value in values], range(len(values)))
    if before.identical or after.identical:
        return
    assert after.mean == pytest.approx(stretch * before.mean + shift, rel=1e-6, abs=1e-3)
    assert after.student().half_width == pytest.approx(stretch * before.student().half_width, rel=1e-6, abs=1e-3)
