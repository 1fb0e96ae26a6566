"""What several figures have in common: the span of time, drops on the floor."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from workbook import style
from workbook.plots.frame import note


def span(ds: xr.Dataset, ax: Axes) -> None:
    """Show the whole run."""
    ax.set_xlim(0, metrics.end_s(ds))


def mark_drops(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """A cross on the floor of the panel for every packet of the flow that was dropped, and their number."""
    times = metrics.drop_times_s(ds, flow)
    if times.size == 0:
        return
    look = style.MARKS["drop"]
    ax.plot(
        times, np.full(times.size, 0.035), transform=ax.get_xaxis_transform(), linestyle="", marker=look.marker,
        markersize=5, color=look.colour, label="dropped",
    )  # fmt: skip
    note(ax, f"{times.size} dropped")
