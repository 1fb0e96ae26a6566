"""One window under two rules, one above the other, and the moment at which they part."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from simcore import metrics
from simcore.results.tree import Run
from workbook.plots import style
from workbook.plots.catalogue import cwnd
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, share_y, tag


def with_and_without(runs: dict[str, Run], flow: int, title: str, rule: str) -> list[Axes]:
    """cwnd of one flow in two runs, named by the keys; `rule` says in words what happens where they part."""
    figure = framed(title, rule, plt.figure())
    axes = list(figure.subplots(2, 1, sharex=True))
    figure.subplots_adjust(left=0.075, right=0.985, bottom=0.1, top=0.79, hspace=0.24)
    one, other = runs.values()
    parted = parting_s(one, other, flow)
    for ax, (name, run) in zip(axes, runs.items(), strict=True):
        cwnd(run, ax, flow)
        tag(ax, name, style.look(run, flow).colour)
        ax.axvline(parted, color=style.MARKS["retransmission"].colour, linewidth=1.0)
    axes[0].annotate(f"here they part: {parted:.3f} s", (parted, 0.9), (5, 0), textcoords="offset points",
                     xycoords=axes[0].get_xaxis_transform(), fontsize=8.5)  # fmt: skip
    share_y(axes)
    axes[-1].set_xlabel("time in s")
    legend(figure)
    caption = f"The same scenario under two rules. {rule}"
    return list(describe(axes, caption, f"{title}. The windows are the same until {parted:.3f} s. {rule}", title))


def parting_s(one: Run, other: Run, flow: int) -> float:
    """When the window of a flow first differs between two runs, in s; the end of the shorter record if never."""
    first, second = metrics.window(one, flow), metrics.window(other, flow)
    count = min(first.sizes["update"], second.sizes["update"])
    same = [first[name].values[:count] == second[name].values[:count] for name in ("time_s", "cwnd")]
    differ = np.flatnonzero(~(same[0] & same[1]))
    place = int(differ[0]) if differ.size else count - 1
    return float(min(first["time_s"].values[place], second["time_s"].values[place]))
