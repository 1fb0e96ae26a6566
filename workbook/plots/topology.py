"""Who sends to whom over what: the network of a run, drawn from its scenario."""

import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.axes import Axes

from simcore import metrics
from simcore.results.tree import Run, dataset_of
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed

TITLE = "The network: senders, the buffer that they share, one link, receivers"
BOX = {"boxstyle": "round,pad=0.5", "facecolor": "white", "linewidth": 1.4}


def topology(run: Run, ax: Axes | None = None) -> Axes:
    """Each flow from its sender through the buffer and over the link to its receiver, with what the scenario says."""
    ds, link = dataset_of(run), metrics.setup(run)
    if ax is None:
        figure = framed(TITLE, str(ds.attrs["title"]), plt.figure())
        figure.set_size_inches(style.WIDTH_PX / style.DPI, 3.8)
        ax = figure.add_axes((0.01, 0.02, 0.98, 0.82))
    flows = [int(flow) for flow in ds["flow"].values]
    for place, flow in enumerate(flows):
        _flow(ds, ax, flow, 0.5 + 0.56 * ((len(flows) - 1) / 2 - place) / max(len(flows) - 1, 1))
    size = f", {link['buffer_packets']} packets" if "buffer_packets" in link else ""
    ax.text(0.4, 0.5, f"buffer\n{link['queue']}{size}", ha="center", va="center", bbox=BOX | {"facecolor": style.PALE})
    ax.annotate("", (0.67, 0.5), (0.48, 0.5), arrowprops={"arrowstyle": "-|>", "linewidth": 3, "color": "#333333"})
    ax.text(0.57, 0.56, f"{link['rate_mbps']:g} Mb/s", ha="center", va="bottom", fontweight="bold")
    ax.text(0.57, 0.44, f"{link['delay_ms']:g} ms", ha="center", va="top")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    names = " and ".join(style.name(ds, flow) for flow in flows)
    path = f"a link of {link['rate_mbps']:g} Mb/s and {link['delay_ms']:g} ms"
    words = f"{names}, over a {link['queue']} buffer{size} and {path}."
    return describe(ax, words, f"{TITLE}. {words}", TITLE)


def _flow(ds: xr.Dataset, ax: Axes, flow: int, y: float) -> None:
    setup, look = metrics.setup(ds, flow), style.look(ds, flow)
    window = f", window {setup['window_packets']}" if "window_packets" in setup else f", {setup['rate_mbps']:g} Mb/s"
    words = f"{style.name(ds, flow)}\n{setup['packet_bytes']} bytes{window}"
    ax.text(0.12, y, words, ha="center", va="center", bbox=BOX | {"edgecolor": look.colour})
    ax.text(0.87, y, f"receiver {flow}", ha="center", va="center", bbox=BOX | {"edgecolor": look.colour})
    arrow = {"arrowstyle": "-|>", "color": look.colour, "linewidth": 1.4}
    ax.annotate("", (0.325, 0.5 + 0.12 * (y - 0.5)), (0.225, y), arrowprops=arrow)
    ax.annotate("", (0.81, y), (0.67, 0.5), arrowprops=arrow)
