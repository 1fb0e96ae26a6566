"""What rules recorded of their states, over time."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from workbook.plots import style
from workbook.plots.marks import span


def of_senders(ds: xr.Dataset, ax: Axes, name: str) -> None:
    """A line for each flow whose control or recovery has such a field."""
    for flow in ds["flow"].values.tolist():
        _steps(ax, metrics.sender_state(ds, flow, name), style.name(ds, flow), style.look(ds, flow).colour)
    span(ds, ax)


def of_queues(ds: xr.Dataset, ax: Axes, name: str) -> None:
    """A line for each link whose queue has such a field."""
    for number, link in enumerate(np.unique(ds["discipline_link"].values).tolist()):
        _steps(ax, metrics.queue_state(ds, name, link), f"link {link // 2}", f"C{number}")
    span(ds, ax)


def _steps(ax: Axes, values: xr.DataArray, label: str, colour: str) -> None:
    if values.size:
        ax.step(values["time_s"], values, where="post", color=colour, linewidth=1.2, label=label)
