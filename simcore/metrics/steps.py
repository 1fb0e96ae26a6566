"""Step series: values that hold until the next change, so that averages have to weigh them by time."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array

SHORTEST_S = 1e-9
"""What holds for less is a rounding error: two events of one instant whose sums of seconds differ in the last digit."""


def spells(steps: xr.DataArray, start_s: float, end_s: float, before: float = 0.0) -> tuple[Array, Array]:
    """The values that a step series takes between two times, and how long it keeps each: averages weigh them by it.

    Returns
    -------
    tuple of numpy.ndarray
        The values, in the series' unit, and for each the time that it held, in s.
    """
    times = steps["time_s"].values
    first, last = np.searchsorted(times, [start_s, end_s], side="right")
    at_start = steps.values[first - 1] if first else before
    values = np.concatenate([[at_start], steps.values[first:last]]).astype(float)
    return values, np.diff(np.concatenate([[start_s], times[first:last], [end_s]]))


def envelope(steps: xr.DataArray, start_s: float, end_s: float, bins: int, before: float = 0.0) -> xr.Dataset:
    """Lowest, highest and time-averaged value of a step series in each of equal spans of time.

    Values that hold for no time at all are left out.

    Parameters
    ----------
    bins : int
        How many spans.

    Returns
    -------
    xarray.Dataset
        Dimension `span`, at its start. Variables `low`, `high` and `mean`, in the series' unit.
    """
    values, times, sums = _held(steps, start_s, end_s, before)
    edges = np.linspace(start_s, end_s, bins + 1)
    area = np.interp(edges, times, sums)
    cuts = np.unique(np.concatenate([times[:-1], edges[:-1]]))
    held = values[np.searchsorted(times[:-1], cuts, side="right") - 1]
    first = np.searchsorted(cuts, edges[:-1])
    bands = {
        "low": np.minimum.reduceat(held, first),
        "high": np.maximum.reduceat(held, first),
        "mean": np.diff(area) / np.diff(edges),
    }
    return xr.Dataset({name: ("span", band) for name, band in bands.items()}, {"time_s": ("span", edges[:-1])})


def moving_mean(
    steps: xr.DataArray, start_s: float, end_s: float, window_s: float, points: int, before: float = 0.0
) -> xr.DataArray:
    """The average of a step series over the `window_s` around each of `points` moments, by time.

    Unlike averages over spans side by side it hides no swing that happens to be as long as a span. At the ends
    the window is cut.

    Parameters
    ----------
    window_s : float
        Length of the window, in s.
    points : int
        How many moments, evenly from the span's start to its end.

    Returns
    -------
    xarray.DataArray
        Dimension `point`: the moments. In the series' unit.
    """
    _, times, sums = _held(steps, start_s, end_s, before)
    moments = np.linspace(start_s, end_s, points)
    first, last = np.maximum(moments - window_s / 2, start_s), np.minimum(moments + window_s / 2, end_s)
    means = (np.interp(last, times, sums) - np.interp(first, times, sums)) / (last - first)
    return xr.DataArray(means, {"time_s": ("point", moments)}, ("point",), "mean", steps.attrs)


def _held(steps: xr.DataArray, start_s: float, end_s: float, before: float) -> tuple[Array, Array, Array]:
    """The values that hold for some time, the times at their ends, and the sum of value times seconds until then."""
    values, seconds = spells(steps, start_s, end_s, before)
    values, seconds = values[seconds > SHORTEST_S], seconds[seconds > SHORTEST_S]
    times = start_s + np.concatenate([[0], np.cumsum(seconds)])
    return values, times, np.concatenate([[0], np.cumsum(values * seconds)])
