"""A law with one constant, fitted to measured points: the constant with its interval and the number of points."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

Points = npt.ArrayLike


class Fit(NamedTuple):
    """The constant, its 95 % interval, and how many points it rests on."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.5g} (95 %: {self.low:.5g} to {self.high:.5g}, n = {self.n})"


def fitted(law: Callable[..., Points], x: Points, y: Points) -> Fit:
    """Least squares of `law(x, constant)` by scipy's `curve_fit`; Student's interval on n - 1 degrees of freedom."""
    points, values = np.asarray(x, float), np.asarray(y, float)
    [value], [[variance]] = optimize.curve_fit(law, points, values, p0=[1.0])
    low, high = stats.t.interval(0.95, points.size - 1, value, np.sqrt(variance))
    return Fit(float(value), float(low), float(high), points.size)
