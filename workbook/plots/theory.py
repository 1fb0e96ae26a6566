"""Closed forms beside what was measured, with what is left between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Final

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore.metrics import theory
from simcore.metrics.series import Array
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend

POINTS: Final = 200  # of a curve
BEYOND: Final = 1.25  # so far a curve goes on beyond what was measured
LOOKS: Final = ((style.COLOURS[0], "-"), (style.COLOURS[2], "--"), (style.COLOURS[8], "-."), (style.COLOURS[6], ":"))


@dataclass(frozen=True)
class Law:
    """A closed form of one quantity: a name for the legend, the function, and between which values it holds."""

    name: str
    of: Callable[[float], float]
    low: float = 0.0
    high: float = inf

    def values(self, x: Array) -> Array:
        """What it says at each of some values."""
        return np.array([self.of(float(each)) for each in x])

    def holds(self, x: Array) -> Array:
        """At which of some values it holds."""
        return np.asarray((x >= self.low) & (x <= self.high))


def throughput_laws(rtt_s: float, rto_s: float, window_packets: float = inf) -> list[Law]:
    """Packets a second of a sender against its loss rate: Mathis, PFTK, and the responses of RFC 3649 and RFC 9438.

    Their ranges are those of `simcore.metrics.theory`.
    """
    return [
        Law("Mathis et al. 1997", lambda loss: theory.mathis_packets_a_s(loss, rtt_s), high=0.01),
        Law("PFTK 1998", lambda p: theory.pftk_packets_a_s(p, rtt_s, rto_s, window_packets=window_packets), high=0.1),
        Law("HighSpeed TCP, RFC 3649", lambda loss: theory.highspeed_window(loss) / rtt_s, low=1e-7, high=0.01),
        Law("CUBIC, RFC 9438", lambda loss: theory.cubic_window(loss, rtt_s) / rtt_s, high=0.01),
    ]


def queue_laws(places: int) -> list[Law]:
    """Packets in the system against the load: M/D/1, and M/M/1/K with so many places."""
    return [
        Law("M/D/1", theory.md1_packets, high=0.99),
        Law(f"M/M/1/{places}", lambda load: theory.mm1k_packets(load, places)),
    ]


def buffer_laws(pipe_packets: float) -> list[Law]:
    """Packets of buffer that keep a link busy against the number of flows: a pipe's worth, and by the square root."""
    one_pipe = Law("rate x RTT", lambda flows: pipe_packets, high=10)
    by_root = partial(theory.buffer_packets, pipe_packets)
    return [one_pipe, Law("rate x RTT / sqrt(n), Appenzeller et al. 2004", by_root, low=100)]


def beside(measured: xr.DataArray, laws: Sequence[Law], ax: Axes, below: Axes) -> None:
    """What was measured as points and each law as a curve; below, by how much the points are above each, in %.

    `measured` has one dimension, whose coordinate is what the laws are functions of. A curve is pale, and has no
    residuals, where its law does not claim to hold.
    """
    x, y = measured[measured.dims[0]].values.astype(float), measured.values
    grid = np.geomspace(x.min() / BEYOND, x.max() * BEYOND, POINTS)
    for law, (colour, line) in zip(laws, LOOKS, strict=False):
        inside, values = law.holds(grid), law.values(grid)
        ax.plot(grid, values, color=colour, linestyle=line, alpha=0.25)
        ax.plot(grid, np.where(inside, values, np.nan), color=colour, linestyle=line, label=law.name)
        held = law.holds(x)
        residual = 100 * (y[held] / law.values(x[held]) - 1)
        below.plot(x[held], residual, color=colour, linestyle=line, marker="o", markersize=4, label=law.name)
    ax.plot(x, y, linestyle="", marker="o", markersize=5, color="#333333", label="measured")
    below.axhline(0, color=style.MARKS["limit"].colour, linewidth=0.8)
    ax.set(xscale="log", yscale="log")
    below.set(xscale="log")


def against_theory(measured: xr.DataArray, laws: Sequence[Law], title: str, subtitle: str) -> Figure:
    """The figure of `beside`. Names of the axes are those of the array and its coordinate, with their units."""
    figure = framed(title, subtitle)
    grid = figure.add_gridspec(2, 1, height_ratios=[2, 1], left=0.1, right=0.985, bottom=0.11, top=0.83)
    upper = figure.add_subplot(grid[0])
    lower = figure.add_subplot(grid[1], sharex=upper)
    upper.tick_params(labelbottom=False)
    beside(measured, laws, upper, lower)
    upper.set_ylabel(_axis(measured))
    lower.set(xlabel=_axis(measured[measured.dims[0]]), ylabel="above the law, %")
    legend(figure)
    caption = (
        "Dots: measured. Curves: laws, pale where they do not claim to hold. Below: by how much the dots are above."
    )
    names = ", ".join(law.name for law in laws)
    return describe(figure, caption, f"{subtitle}. {title}. {_axis(measured)}, beside {names}.", title)


def _axis(array: xr.DataArray) -> str:
    units = array.attrs["units"]
    return str(array.attrs["long_name"]) + (f" in {units}" if units != "1" else "")
