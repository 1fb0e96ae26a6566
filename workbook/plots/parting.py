"""The windows of two runs over each other, with the moment from which they differ."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simcore import metrics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, share_y, stack, tag

LOOKS = ({"linewidth": 2.4, "alpha": 0.45}, {"linewidth": 1.0, "linestyle": "--"})  # the second lies on the first


def parted(runs: tuple[xr.Dataset, xr.Dataset], names: tuple[str, str], at_s: float) -> Figure:
    """A panel for each TCP flow of both runs: the windows, or where one of the runs has none, the flight sizes.

    Without TCP, the queue. A vertical line marks `at_s`.
    """
    flows = [int(flow) for flow in runs[0]["flow"].values if all(_is_tcp(ds, int(flow)) for ds in runs)]
    has_windows = all("update_cwnd" in ds for ds in runs)
    ylabel = ("cwnd in packets" if has_windows else "flight size in packets") if flows else "packets waiting"
    figure = framed(f"Two runs part at {at_s:.6f} s", f"{names[0]} and {names[1]}")
    rows = [row[0] for row in stack(figure, max(len(flows), 1), 1, "time in s", ylabel)]
    shown: list[int | None] = [*flows] or [None]
    for ax, flow in zip(rows, shown, strict=True):
        for ds, name, look in zip(runs, names, LOOKS, strict=True):
            steps = _steps(ds, flow, has_windows=has_windows)
            colour = style.MARKS["total"].colour if flow is None else style.look(ds, flow).colour
            ax.plot(steps["time_s"], steps, drawstyle="steps-post", color=colour, label=name, **look)  # type: ignore[arg-type]
        _mark(ax, at_s, max(float(ds["event_s"].max()) for ds in runs))
        tag(ax, "queue" if flow is None else style.name(runs[0], flow), style.QUIET)
    share_y(rows)
    legend(figure)
    caption = f"{ylabel.capitalize()} of both runs; they are the same until the line."
    return describe(figure, caption, f"{len(rows)} panels of two lines each, with a mark at {at_s:.6f} s.")


def _is_tcp(ds: xr.Dataset, flow: int) -> bool:
    return flow in ds["flow"] and ds["flow_kind"].sel(flow=flow).item() == "tcp"


def _steps(ds: xr.Dataset, flow: int | None, *, has_windows: bool) -> xr.DataArray:
    if flow is None:
        return metrics.queue_packets(ds)
    return metrics.window(ds, flow)["cwnd"] if has_windows else metrics.flight_size_packets(ds, flow)


def _mark(ax: Axes, at_s: float, end_s: float) -> None:
    ax.axvline(at_s, color=style.MARKS["drop"].colour, linewidth=0.9, label="the first difference")
    ax.set(xlim=(0, end_s), ylim=(0, None))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
