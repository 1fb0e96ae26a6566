"""What several figures have in common: the span of time, drops on the floor."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from simcore.metrics.series import Array
from workbook.plots import style
from workbook.plots.frame import note

FLOOR, STOREY, PILE = 0.035, 0.045, 4  # parts of the panel's height; a fifth cross in a row stands on the floor again
CLOSE = 0.006  # of the run: nearer than a cross is wide


def span(ds: xr.Dataset, ax: Axes) -> None:
    """Show the whole run."""
    ax.set_xlim(0, metrics.end_s(ds))


def mark_drops(ds: xr.Dataset, ax: Axes, *flows: int) -> None:
    """A cross on the floor for every packet of the flows that was dropped, and their numbers; pairs stand in a pile."""
    of_flows = [metrics.drop_times_s(ds, flow) for flow in flows]
    times = np.sort(np.concatenate(of_flows))
    if times.size == 0:
        return
    look = style.MARKS["drop"]
    ax.plot(
        times, FLOOR + STOREY * _storeys(times, metrics.end_s(ds)), transform=ax.get_xaxis_transform(), linestyle="",
        marker=look.marker, markersize=4.5, color=look.colour, label="dropped",
    )  # fmt: skip
    for drops in of_flows:
        if drops.size:
            note(ax, f"{drops.size} dropped")


def _storeys(times: Array, end_s: float) -> Array:
    """How many drops each drop stands on: those before it that would be drawn in its place."""
    storeys = np.zeros(times.size)
    for i in range(1, times.size):
        if times[i] - times[i - 1] < CLOSE * end_s:
            storeys[i] = (storeys[i - 1] + 1) % PILE
    return storeys
