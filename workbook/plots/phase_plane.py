"""Two windows against each other: how additive increase and multiplicative decrease approach a fair share."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from simcore.results.tree import Run, dataset_of
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed
from workbook.plots.plane import capacity_packets, has_plane, plane

TITLE = "Phase plane: the two windows against each other"
MAGNIFIED = 1.12


def phase_plane(run: Run, ax: Axes | None = None, start_s: float = 0.0) -> Axes:
    """cwnd of flow 2 against cwnd of flow 1, from `start_s` on, with the fairness line and the capacity line.

    Chiu, Jain: Analysis of the increase and decrease algorithms for congestion avoidance in computer networks (1989),
    figure 5. On the capacity line both windows together fill link and buffer; beyond it something is lost. Both axes
    in packets. Raises ValueError unless the run has two TCP flows.
    """
    ds = dataset_of(run)
    if not has_plane(ds):
        raise ValueError("a phase plane needs a run of two TCP flows")
    if ax is None:
        figure = framed(TITLE, str(ds.attrs["title"]), plt.figure())
        ax = figure.add_axes((0.075, 0.1, 0.56, 0.77))
    times, *windows = plane(ds)
    x, y = (window[times >= start_s] for window in windows)
    reach, capacity = MAGNIFIED * max(x.max(), y.max()), capacity_packets(ds)
    limit = style.MARKS["limit"]
    ax.plot([0, reach], [0, reach], color=limit.colour, linestyle="--", label="fairness: both windows are the same")
    if capacity is not None:
        ax.plot([0, capacity], [capacity, 0], color=style.MARKS["drop"].colour, linestyle=limit.linestyle,
                label=f"capacity: link and buffer hold {capacity:.1f} packets")  # fmt: skip
    ax.plot(x, y, color=style.look(ds, 1).colour, linewidth=0.9, label="the two windows, change by change")
    ax.plot(x[0], y[0], "o", color=style.look(ds, 1).colour, label=f"at {start_s:g} s")
    ax.plot(x[-1], y[-1], "D", color=style.look(ds, 2).colour, label="at the end")
    ax.set(xlim=(0, reach), ylim=(0, reach), aspect="equal")
    ax.set(xlabel=f"cwnd of {style.name(ds, 1)} in packets", ylabel=f"cwnd of {style.name(ds, 2)} in packets")
    ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0))
    caption = (
        "Growth moves along the diagonal, a cut towards the origin: after each cut the two are nearer to a fair share."
    )
    return describe(
        ax, caption, f"{TITLE}. From ({x[0]:.0f}, {y[0]:.0f}) to ({x[-1]:.0f}, {y[-1]:.0f}) packets.", TITLE
    )
