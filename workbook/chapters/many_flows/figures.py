"""The chapter's own figures: utilisation over flows and buffers with both rules, and windows of few and of more."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import seaborn as sns
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics
from simcore.metrics import theory
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag

RULE: Final = style.MARKS["drop"].colour
LEAST_SHOWN: Final = 70  # %: below it all is one colour
DRAWN: Final = 4  # flows of many
BINS: Final = 400


def used(utilisation: xr.DataArray, pipe_packets: float) -> Figure:
    """A heat map of the mean utilisation over buffers and numbers of flows, the rules of thumb as lines across it."""
    figure = framed("How much of the link is used", "Means over ten runs, in %; of a pipe of 500 packets")
    ax = figure.add_axes((0.07, 0.11, 0.91, 0.72))
    table = utilisation.transpose("n", "buffer").to_pandas()
    # Cut and not rounded: 100 stands for nothing but a full link.
    sns.heatmap(np.floor(table), annot=True, fmt=".0f", cmap="Blues", vmin=LEAST_SHOWN, vmax=110, cbar=False, ax=ax)
    sizes, rows = np.log(table.columns.to_numpy()), np.arange(len(table) + 1)
    rules = {"rate x RTT": [pipe_packets] * len(table),
             "rate x RTT / sqrt(n)": [theory.buffer_packets(pipe_packets, int(n)) for n in table.index]}  # fmt: skip
    for (name, packets), line in zip(rules.items(), ("-", "--"), strict=True):
        at = np.interp(np.log(packets), sizes, np.arange(sizes.size)) + 0.5
        ax.step([at[0], *at], rows, where="pre", color=RULE, linestyle=line, linewidth=2, label=name)
    ax.set(xlabel="buffer in packets", ylabel="flows")
    legend(figure)
    caption = "Utilisation in %, cut to whole numbers, for each buffer and number of flows. Lines: the two rules."
    alt = (
        "A table of colours: dark at the right and below, pale where few flows have a small buffer. One line goes "
        "straight down, the other to the left with more flows."
    )
    return describe(figure, caption, alt, "How much of the link is used")


def moving(runs: Mapping[str, xr.Dataset], from_s: float, until_s: float) -> Figure:
    """Of some runs the windows of a few flows, and beside them the sum of all windows."""
    figure = framed("Windows, and their sum", "Left: up to four of the flows. Right: all of them together")
    figure.set_size_inches(9, 1.4 + 1.7 * len(runs))
    panels = stack(figure, len(runs), 2, "time in s", "packets")
    for (name, run), (left, right) in zip(runs.items(), panels, strict=True):
        steps = [metrics.window(run, int(flow))["cwnd"] for flow in run["flow"].values]
        means = [metrics.envelope(each, from_s, until_s, BINS)["mean"] for each in steps]
        times = means[0]["time_s"].values
        for mean, colour in zip(means[:DRAWN], style.COLOURS, strict=False):
            left.plot(times, mean.values, color=colour)
        right.plot(times, np.sum([mean.values for mean in means], axis=0), color=style.MARKS["total"].colour)
        for ax in (left, right):
            ax.set(xlim=(from_s, until_s), ylim=(0, None))
        tag(left, name, style.QUIET)
    caption = "The congestion windows of up to four flows, and the sum of the windows of all."
    alt = (
        "Two flows: some saw teeth fall together, and the sum falls by half. Many flows: each falls at a time of its "
        "own, and the sum hardly moves."
    )
    return describe(figure, caption, alt, "Windows, and their sum")
