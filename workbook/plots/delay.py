"""How long packets take, and how much that changes."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from workbook.plots import style
from workbook.plots.frame import note
from workbook.plots.marks import span

WITHIN = 0.99  # of the packets; the others don't set the scale
RASTER_FROM = 400  # more dots than this are a picture inside the SVG, or the file would grow to megabytes


def dots(ax: Axes, series: xr.DataArray, look: style.Look) -> None:
    """One small dot per packet: dense enough to show bands, small enough to show single packets."""
    ax.plot(
        series["time_s"], series, linestyle="", marker=".", markersize=3, markeredgewidth=0,
        color=look.colour, rasterized=series.size > RASTER_FROM, label="one packet",
    )  # fmt: skip


def latency(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """Every packet's time from sending to arrival; data that had to be sent again is marked at the top."""
    series = metrics.latency_ms(ds, flow)
    dots(ax, series, style.look(ds, flow))
    ax.set_ylim(0, max(1.15 * float(series.max()), 20.0) if series.size else 20.0)
    span(ds, ax)
    mark_recovered(ds, ax, flow)


def rtt(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """The round-trip time of every segment that was sent once."""
    series = metrics.rtt_ms(ds, flow)
    dots(ax, series, style.look(ds, flow))
    ax.set_ylim(0, max(1.15 * float(np.quantile(series, WITHIN)), 1.0) if series.size else 1.0)
    outside = int((series > ax.get_ylim()[1]).sum())
    if outside:
        note(ax, f"{outside} above the panel, up to {float(series.max()):.0f} ms")
    span(ds, ax)


def mark_recovered(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """Mark on the ceiling when retransmitted data arrived, and say how long it had been under way by then.

    Drawn to scale these points would press all others into a line on the floor.
    """
    late = metrics.delivery_ms(ds, flow)
    late = late[late.values > metrics.latency_ms(ds, flow).values]
    if late.size == 0:
        return
    look = style.MARKS["retransmission"]
    longest = f"{float(late.max()) / 1e3:.2f} s" if late.max() >= 1e3 else f"{float(late.max()):.0f} ms"
    ax.plot(
        late["time_s"], np.full(late.size, 0.96), transform=ax.get_xaxis_transform(), linestyle="",
        marker="|", markersize=7, color=look.colour,
        label="arrival of data sent again",
    )  # fmt: skip
    note(ax, f"{late.size} sent again, arriving up to {longest} after their first sending")


def jitter(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """The change of latency from each packet to the next."""
    series = metrics.jitter_ms(ds, flow)
    ax.axhline(0, color=style.MARKS["limit"].colour, linewidth=0.6)
    dots(ax, series, style.look(ds, flow))
    reach = max(1.3 * float(np.quantile(np.abs(series.values), WITHIN)) if series.size else 0.0, 2.0)
    ax.set_ylim(-reach, reach)
    _mark_outside(series, ax, reach)
    span(ds, ax)


def _mark_outside(series: xr.DataArray, ax: Axes, reach: float) -> None:
    """The few packets that would press all others into a line: a tick at the edge, their number and the farthest."""
    far = series[np.abs(series.values) > reach]
    if far.size == 0:
        return
    ax.plot(
        far["time_s"], np.sign(far.values) * 0.96 * reach, linestyle="", marker="|", markersize=7,
        color=style.MARKS["retransmission"].colour, label="farther than the panel",
    )  # fmt: skip
    note(ax, f"{far.size} farther, up to {float(np.abs(far).max()):.0f} ms")
