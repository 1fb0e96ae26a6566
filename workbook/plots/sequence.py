"""Which packets were sent, lost, and sent again: sequence numbers against time."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from simcore.metrics.series import Array, offered
from workbook.plots import style
from workbook.plots.delay import RASTER_FROM
from workbook.plots.frame import note
from workbook.plots.marks import span

BEFORE_S, AFTER_S = 0.15, 1.85  # around the first drop: long enough for the timeout that follows it
QUIET_S = 0.5  # without any drop: the start


def sequence(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """All of a flow's packets, with drops and retransmissions, and what the panel beside it magnifies shaded."""
    _packets(ds, ax, flow, size=1.6)
    counts = {"sent": "sent", "dropped": "dropped", "retransmitted": "sent again"}
    parts = (f"{int(ds[name].sel(flow=flow))} {words}" for name, words in counts.items() if name in ds)
    note(ax, " · ".join(parts))
    ax.axvspan(*close_up(ds), color=style.PALE, zorder=0)
    ax.set_ylim(bottom=0)
    span(ds, ax)


def sequence_close_up(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    """The same around the first drop (or the start), with the ACKs that came back as a staircase."""
    start, end = close_up(ds)
    _packets(ds, ax, flow, size=4)
    _acks(ds, ax, flow)
    ax.set_xlim(start, end)
    ax.set_ylim(*_numbers_within(ds, flow, start, end))


def close_up(ds: xr.Dataset) -> tuple[float, float]:
    """The seconds around the first drop of any flow; without drops those after the first start."""
    drops = _times(ds)[_dropped(ds)]
    if drops.size == 0:
        start = float(ds["flow_start_s"].min())
        return start - 0.02, start + QUIET_S
    return max(float(drops[0]) - BEFORE_S, 0.0), float(drops[0]) + AFTER_S


def _times(ds: xr.Dataset) -> Array:
    """When packets were offered to the bottleneck; of what was captured behind it, when they arrived."""
    times: Array = ds["packet_enqueued_s" if "packet_enqueued_s" in ds else "packet_arrived_s"].values
    return times


def _dropped(ds: xr.Dataset) -> Array:
    """Which packets the bottleneck dropped: none, where a capture does not tell it."""
    return ds["packet_dropped"].values if "packet_dropped" in ds else np.zeros(ds.sizes["packet"], bool)


def _packets(ds: xr.Dataset, ax: Axes, flow: int, size: float) -> None:
    rows = offered(ds, flow)
    times, numbers = _times(ds)[rows], ds["packet_seq"].values[rows]
    dropped, again = _dropped(ds)[rows], ds["packet_retransmission"].values[rows]
    look, repeat, drop = style.look(ds, flow), style.MARKS["retransmission"], style.MARKS["drop"]
    ax.plot(
        times, numbers, linestyle="", marker=".", markersize=size, markeredgewidth=0, color=look.colour,
        rasterized=rows.size > RASTER_FROM, label="sent",
    )  # fmt: skip
    if again.any():
        ax.plot(
            times[again], numbers[again], linestyle="", marker=repeat.marker, markersize=4.5, markerfacecolor="none",
            markeredgewidth=0.8, color=repeat.colour, label="sent again",
        )  # fmt: skip
    if dropped.any():
        ax.plot(
            times[dropped], numbers[dropped], linestyle="", marker=drop.marker, markersize=5, color=drop.colour,
            label="dropped",
        )  # fmt: skip


def _acks(ds: xr.Dataset, ax: Axes, flow: int) -> None:
    if "ack_received_s" not in ds:
        return
    rows = (ds["ack_flow"].values == flow) & ~np.isnan(ds["ack_received_s"].values)
    if not rows.any():
        return
    look = style.MARKS["ack"]
    ax.plot(
        ds["ack_received_s"].values[rows], ds["ack_number"].values[rows], drawstyle="steps-post", linewidth=0.9,
        color=look.colour, label="acknowledged (as the sender learns it)",
    )  # fmt: skip


def _numbers_within(ds: xr.Dataset, flow: int, start: float, end: float) -> tuple[float, float]:
    rows = offered(ds, flow)
    times = _times(ds)[rows]
    numbers = ds["packet_seq"].values[rows][(times >= start) & (times <= end)]
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 1)
    margin = 0.06 * (high - low + 1)
    return low - margin, high + margin
