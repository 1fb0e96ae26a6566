"""Step series: values that hold until the next change, so that averages have to weigh them by time."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array


def spells(steps: xr.DataArray, start_s: float, end_s: float, before: float = 0.0) -> tuple[Array, Array]:
    """The values a step series takes between two times, and for how many seconds each.

    `before` is its value ahead of the first change.
    """
    times = steps["time_s"].values
    first, last = np.searchsorted(times, [start_s, end_s], side="right")
    at_start = steps.values[first - 1] if first else before
    values = np.concatenate([[at_start], steps.values[first:last]]).astype(float)
    return values, np.diff(np.concatenate([[start_s], times[first:last], [end_s]]))


def envelope(steps: xr.DataArray, start_s: float, end_s: float, bins: int, before: float = 0.0) -> xr.Dataset:
    """Lowest, highest and time-averaged value of a step series in each of `bins` equal spans of time.

    Values that hold for no time at all are left out. The coordinate `time_s` is the span's start.
    """
    values, seconds = spells(steps, start_s, end_s, before)
    values, seconds = values[seconds > 0], seconds[seconds > 0]
    edges = np.linspace(start_s, end_s, bins + 1)
    times = start_s + np.concatenate([[0], np.cumsum(seconds)])
    area = np.interp(edges, times, np.concatenate([[0], np.cumsum(values * seconds)]))
    cuts = np.unique(np.concatenate([times[:-1], edges[:-1]]))
    held = values[np.searchsorted(times[:-1], cuts, side="right") - 1]
    first = np.searchsorted(cuts, edges[:-1])
    bands = {
        "low": np.minimum.reduceat(held, first),
        "high": np.maximum.reduceat(held, first),
        "mean": np.diff(area) / np.diff(edges),
    }
    return xr.Dataset({name: ("span", band) for name, band in bands.items()}, {"time_s": ("span", edges[:-1])})
