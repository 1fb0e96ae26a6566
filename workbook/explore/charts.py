"""From a Dataset to lines and marks, in the part of the run that is looked at.

Numbers travel as bytes: little-endian floats of 32 bits. Times are in seconds since the view's start, so that they
stay exact however far one zooms in.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.series import Array, offered
from simcore.rules.causes import USUAL
from workbook.explore.bins import Bins, bins, width_s
from workbook.explore.thinning import Rows, dot_rows, line_rows
from workbook.plots.style import MARKS

Drawn = dict[str, Any]  # what the script draws, with `bytes` where numbers are
Named = Mapping[int, Collection[int]]  # by flow: packets, which count from 1 as they reach the bottleneck

ACCEPTED: Final = 0
DROPPED: Final = 1
SENT_AGAIN: Final = 2
HEIGHT_PX: Final = 200  # of the highest chart

TOLD: Final[Mapping[str, Drawn]] = {
    "throughput": {
        "name": "throughput",
        "title": "Throughput in kb/s",
        "note": "what reached the receiver in each bin; together no more than the link can",
    },
    "window": {
        "name": "window",
        "title": "cwnd in packets",
        "note": "dashed: ssthresh; \u25bc fast retransmit, \u2715 timeout; point at a change to learn why",
    },
    "queue": {
        "name": "queue",
        "title": "Queue in packets",
        "note": "waiting, without the one being sent; crosses: drops",
    },
    "sequence": {
        "name": "sequence",
        "title": "Sequence numbers",
        "note": "dots: sent, circles: sent again, crosses: dropped; click a packet to drop or spare it",
    },
}


class View(NamedTuple):
    """The part of a run that is looked at, and how many pixels wide it is shown."""

    start_s: float
    end_s: float
    pixels: int


@dataclass(frozen=True)
class Window:
    """The changes of one sender's window that are shown, each with what was before."""

    flow: int
    time_s: Array
    cwnd: Array
    before: Array
    ssthresh: Array
    inflation: Array
    cause: Array


def packed(values: object) -> bytes:
    """Numbers as the script reads them."""
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def charts(ds: xr.Dataset, view: View, named: Named) -> list[Drawn]:
    """All charts of a run, top to bottom; `named` packets are pointed out."""
    return [throughput_chart(ds, view), window_chart(ds, view), queue_chart(ds, view), sequence_chart(ds, view, named)]


def throughput_chart(ds: xr.Dataset, view: View) -> Drawn:
    """What each flow delivers, in bins whose length follows the view."""
    width, rate = width_s(ds, view.end_s - view.start_s), 1e3 * metrics.rate_mbps(ds)
    return {
        **TOLD["throughput"],
        "title": f"{TOLD['throughput']['title']}, bins of {width:g} s",
        "series": [_bins(bins(ds, flow, width), flow, view) for flow in _flows(ds)],
        "limit": {"y": rate, "text": "the link's rate"},
        "top": 1.15 * rate,
    }


def window_chart(ds: xr.Dataset, view: View) -> Drawn:
    """cwnd and ssthresh of the TCP flows, with every reaction to a loss."""
    windows = [window(ds, flow, view) for flow in _flows(ds, "tcp")]
    return {
        **TOLD["window"],
        "series": [_steps(w, w.cwnd, "steps", view) for w in windows]
        + [_steps(w, w.ssthresh, "dashed", view) for w in windows],
        "changes": [_changes(w, view) for w in windows],
    }


def window(ds: xr.Dataset, flow: int, view: View) -> Window:
    """The changes that decide how a sender's window looks in a view, and all that are more than growth."""
    own = np.flatnonzero(ds["update_flow"].values == flow)
    columns = {name: ds[f"update_{name}"].values[own] for name in ("s", "cwnd", "ssthresh", "inflation", "cause")}
    shapes = [line_rows(columns["s"], columns[name], *view) for name in ("cwnd", "ssthresh")]
    eventful = np.flatnonzero(~np.isin(columns["cause"], USUAL) & _within(columns["s"], view))
    rows: Rows = np.unique(np.concatenate([*shapes, eventful]))
    before = np.concatenate([columns["cwnd"][:1], columns["cwnd"]])[rows]
    kept = {name: column[rows] for name, column in columns.items()}
    return Window(flow, kept["s"], kept["cwnd"], before, kept["ssthresh"], kept["inflation"], kept["cause"])


def queue_chart(ds: xr.Dataset, view: View) -> Drawn:
    """How many packets wait in all, and what was dropped."""
    queue = metrics.queue_packets(ds)
    drawn = {
        **TOLD["queue"],
        "series": [_line(queue, 0, view, "area")],
        "drops": [_drops(ds, flow, view) for flow in _flows(ds)],
    }
    limit = metrics.buffer_packets(ds)
    return drawn if limit is None else drawn | {"limit": {"y": limit - 1, "text": "full"}}


def sequence_chart(ds: xr.Dataset, view: View, named: Named) -> Drawn:
    """Every packet that reached the bottleneck: when, and its sequence number."""
    return {
        **TOLD["sequence"],
        "series": [],
        "packets": [_packets(ds, flow, view, named.get(flow, ())) for flow in _flows(ds)],
    }


def _flows(ds: xr.Dataset, kind: str | None = None) -> list[int]:
    kinds = ds["flow_kind"].values
    return [int(flow) for flow, own in zip(ds["flow"].values, kinds, strict=True) if kind in (None, own)]


def _within(times: Array, view: View) -> Array:
    inside: Array = (times >= view.start_s) & (times <= view.end_s)
    return inside


def _line(series: xr.DataArray, flow: int, view: View, form: str) -> Drawn:
    times, values = series["time_s"].values, series.values
    rows = line_rows(times, values, *view)
    return {"form": form, "flow": flow, "x": packed(times[rows] - view.start_s), "y": packed(values[rows])}


def _bins(own: Bins, flow: int, view: View) -> Drawn:
    """Those of the view, from the one in which it begins on."""
    first, last = np.searchsorted(own.begin_s, [view.start_s, view.end_s], "right")
    rows = slice(max(first - 1, 0), last + 1)
    return {"form": "bins", "flow": flow, "x": packed(own.begin_s[rows] - view.start_s), "y": packed(own.kbps[rows])}


def _steps(w: Window, values: Array, form: str, view: View) -> Drawn:
    return {"form": form, "flow": w.flow, "x": packed(w.time_s - view.start_s), "y": packed(values)}


def _changes(w: Window, view: View) -> Drawn:
    columns = {"before": w.before, "cwnd": w.cwnd, "ssthresh": w.ssthresh, "inflation": w.inflation, "cause": w.cause}
    return {"flow": w.flow, "x": packed(w.time_s - view.start_s)} | {name: packed(v) for name, v in columns.items()}


def _drops(ds: xr.Dataset, flow: int, view: View) -> Drawn:
    times = metrics.drop_times_s(ds, flow)
    return {"flow": flow, "x": packed(times[_within(times, view)] - view.start_s)}


def _packets(ds: xr.Dataset, flow: int, view: View, named: Collection[int]) -> Drawn:
    """The packets to be shown; `number` counts, from 1, all of the flow's that reached the bottleneck."""
    rows = offered(ds, flow)
    times = ds["packet_enqueued_s"].values[rows]
    order = np.argsort(times, kind="stable")[: np.count_nonzero(~np.isnan(times))]  # NaN: lost before, or on its way
    rows, times = rows[order], times[order]
    numbers, fate = ds["packet_seq"].values[rows], _fate(ds, rows)
    usual = np.flatnonzero(fate == ACCEPTED)
    shown = usual[dot_rows(times[usual], numbers[usual], *view, HEIGHT_PX)]
    pointed_out = np.isin(np.arange(1, times.size + 1), list(named))
    special = np.flatnonzero((pointed_out | (fate != ACCEPTED)) & _within(times, view))
    kept = np.union1d(shown, special)
    columns = {
        "x": times[kept] - view.start_s,
        "seq": numbers[kept],
        "number": kept + 1,
        "fate": fate[kept],
        "named": pointed_out[kept],
    }
    return {"flow": flow} | {name: packed(values) for name, values in columns.items()}


def _fate(ds: xr.Dataset, rows: Rows) -> Array:
    again = np.where(ds["packet_retransmission"].values[rows], SENT_AGAIN, ACCEPTED)
    fate: Array = np.where(ds["packet_dropped"].values[rows], DROPPED, again)
    return fate


MARK_COLOURS = {name: MARKS[name].colour for name in ("drop", "retransmission", "fast_retransmit", "timeout", "total")}
