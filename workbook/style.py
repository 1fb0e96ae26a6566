"""How everything looks: the one place that sets colours, markers, line styles and sizes."""

from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import xarray as xr


@dataclass(frozen=True)
class Look:
    """How a flow, or something that happens to it, appears in every figure."""

    colour: str
    marker: str
    linestyle: str | tuple[int, tuple[int, ...]] = "-"


# One hue per kind of flow; within a kind, the flows differ in lightness, line and marker, so that
# they stay apart when printed in grey. A third flow of a kind starts over.
FLOWS = {
    "tcp": (Look("#0b4a8f", "o"), Look("#2f93d6", "s", "--")),
    "udp": (Look("#b3480a", "^", "-."), Look("#e8954a", "v", ":")),
}
MARKS = {
    "drop": Look("#d0021b", "x"),
    "retransmission": Look("#111111", "o"),
    "fast_retransmit": Look("#7a1fa2", "v"),
    "timeout": Look("#d0021b", "X"),
    "congestion_echo": Look("#1b7f3b", "^"),
    "ssthresh": Look("#6b6b6b", "", (0, (4, 2))),
    "ack": Look("#3f9142", ""),
    "total": Look("#333333", "D"),
    "limit": Look("#8a8a8a", "", ":"),
}
PALE = "#e9eef5"  # a background that explains: slow start, a zoomed region
QUIET = "#5c5c5c"  # text beside the point

WIDTH_PX, HEIGHT_PX, DPI = 900, 500, 100
RC: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#b0b0b0",
    "axes.grid": True,
    "axes.labelcolor": "#333333",
    "axes.titlesize": 9.5,
    "axes.titley": 1.02,  # measured from the labels otherwise, at every drawing
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": DPI,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 9.5,
    "grid.color": "#ececec",
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "path.simplify_threshold": 0.3,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bottleneck workbook",  # otherwise every file has new random ids
    "xtick.color": QUIET,
    "ytick.color": QUIET,
}


def use() -> None:
    """Make all figures drawn from now on look like this file says."""
    mpl.rcParams.update(RC)  # type: ignore[arg-type]  # the stubs want literal keys


def look(ds: xr.Dataset, flow: int) -> Look:
    """The look of one flow: that of its kind, and of its place among the flows of that kind."""
    kinds = [str(kind) for kind in ds["flow_kind"].values]
    place = list(ds["flow"].values).index(flow)
    looks = FLOWS[kinds[place]]
    return looks[kinds[:place].count(kinds[place]) % len(looks)]


def name(ds: xr.Dataset, flow: int) -> str:
    """What readers call the flow: "TCP Reno 1"."""
    return str(ds["flow_name"].sel(flow=flow).item())
