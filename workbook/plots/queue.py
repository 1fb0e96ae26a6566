"""How many packets wait at the bottleneck."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from simcore import metrics
from workbook.plots import style
from workbook.plots.marks import mark_drops, span

BAND_SPANS = 350  # two pixels each
AVERAGE_OVER_S = 0.25  # over the bursts of a round trip, but not over those of a loss


def queue(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """How many packets of one flow wait, with its drops."""
    _band(ds, ax, metrics.queue_packets(ds, flow), style.look(ds, flow))
    mark_drops(ds, ax, flow)


def queue_total(ds: xr.Dataset, ax: Axes) -> None:
    """How many packets wait in all, and how many find room."""
    _band(ds, ax, metrics.queue_packets(ds), style.MARKS["total"])
    limit = metrics.buffer_packets(ds)
    if limit is not None:
        mark_limit(ax, limit - 1)
    mark_drops(ds, ax, *ds["flow"].values.tolist())


def mark_limit(ax: Axes, room: int) -> None:
    """A line where drop-tail's buffer is full."""
    limit = style.MARKS["limit"]
    ax.axhline(
        room, color=limit.colour, linestyle=limit.linestyle, label=f"buffer full: {room} waiting, one being sent"
    )
    ax.set_ylim(0, 1.1 * max(room, 1))


def _band(ds: xr.Dataset, ax: Axes, steps: xr.DataArray, look: style.Look) -> None:
    end = metrics.end_s(ds)
    band = metrics.envelope(steps, 0.0, end, BAND_SPANS)
    average = metrics.moving_mean(steps, 0.0, end, AVERAGE_OVER_S, BAND_SPANS + 1)
    ax.fill_between(
        band["time_s"], band["low"], band["high"], step="post", color=look.colour, alpha=0.35, linewidth=0,
        label=f"lowest to highest in {1e3 * end / BAND_SPANS:.0f} ms",
    )  # fmt: skip
    ax.plot(
        average["time_s"], average, color=look.colour, linewidth=1.6, label=f"average over {AVERAGE_OVER_S:g} s around",
    )  # fmt: skip
    ax.set_ylim(0, max(1.08 * float(band["high"].max()), 1.5))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    span(ds, ax)
