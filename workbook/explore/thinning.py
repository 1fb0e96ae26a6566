"""No more points than a screen can show: what is left out would have been drawn over."""

import numpy as np
from numpy.typing import NDArray

from simcore.metrics.series import Array

Rows = NDArray[np.intp]


def line_rows(times: Array, values: Array, start_s: float, end_s: float, pixels: int) -> Rows:
    """The points of a line that decide how it looks between two times, on so many pixels; `times` in order.

    Of each pixel the first, the last, the lowest and the highest (Jugel, Jerzak, Hackenbroich and Markl: M4, a
    visualization-oriented time series data aggregation, 2014), and the neighbours just outside.
    """
    first, last = np.searchsorted(times, [start_s, end_s])
    rows = np.arange(max(first - 1, 0), min(last + 1, times.size))
    if rows.size <= 4 * pixels:
        return rows
    pixel = np.floor((times[rows] - start_s) / (end_s - start_s) * pixels).astype(np.int64)
    begins = np.flatnonzero(np.diff(pixel, prepend=pixel[0] - 1))
    ends = np.append(begins[1:], pixel.size) - 1
    by_value = np.lexsort((values[rows], pixel))
    kept: Rows = rows[np.unique(np.concatenate([begins, ends, by_value[begins], by_value[ends]]))]
    return kept


def dot_rows(times: Array, values: Array, start_s: float, end_s: float, pixels: int, height: int) -> Rows:
    """One of the dots that would cover each other, of those between two times."""
    inside = np.flatnonzero((times >= start_s) & (times <= end_s))
    if inside.size <= pixels:
        return inside
    column = np.floor((times[inside] - start_s) / (end_s - start_s) * pixels).astype(np.int64)
    low, high = values[inside].min(), values[inside].max()
    row = np.floor((values[inside] - low) / max(high - low, 1) * height).astype(np.int64)
    _, first = np.unique(column * (height + 1) + row, return_index=True)
    kept: Rows = inside[np.sort(first)]
    return kept
