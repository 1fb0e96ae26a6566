"""The phase plane of two TCP flows: one window against the other, in the part of the run that is looked at."""

from typing import Final

import numpy as np
import xarray as xr

from simcore.metrics.series import Array
from workbook.explore.charts import Drawn, View, packed
from workbook.plots.plane import capacity_packets, has_plane, plane

PIXELS: Final = 300  # of a side; a move within a pixel is not seen


def plane_chart(ds: xr.Dataset, view: View) -> Drawn | None:
    """The path of both windows with the capacity line; None unless the run has two TCP flows that both began."""
    if not has_plane(ds) or not set(np.unique(ds["update_flow"].values)) >= {1, 2}:
        return None
    times, first, second = plane(ds)
    rows = slice(*np.searchsorted(times, [view.start_s, view.end_s]))
    x, y = first[rows], second[rows]
    kept = _moves(x, y)
    return {"x": packed(x[kept]), "y": packed(y[kept]), "capacity": capacity_packets(ds)}


def _moves(x: Array, y: Array) -> Array:
    """The rows at which the path is in another pixel than before, the first and the last."""
    if not x.size:
        return np.zeros(0, dtype=np.intp)
    pixel = np.stack([x, y]) // (max(x.max(), y.max()) / PIXELS)
    moved = np.any(np.diff(pixel, axis=1) != 0, axis=0)
    rows: Array = np.unique([0, *np.flatnonzero(moved) + 1, x.size - 1])
    return rows
