"""What the streams get on average: every seed a point, the mean with its interval, and the paper's beside it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from simcore.metrics.series import Array
from workbook.chapters.background_traffic.settings import Printed
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import BOTTOM, RIGHT, TOP, framed, legend, stack

PAPER = style.MARKS["total"]
STREAMS = {"TCP Reno": "flow1", "TCP Tahoe": "flow2", "CBR": "flow3", "VBR": "flow4"}
COLOURS = {name: look.colour for name, look in zip(STREAMS, (*style.FLOWS["tcp"], *style.FLOWS["udp"]), strict=True)}


def student(values: Any) -> tuple[float, float]:
    """Student's 95 % interval of the mean: what seaborn's `errorbar` takes. Identical values are their own."""
    mean, error = float(np.mean(values)), float(stats.sem(values))
    return (mean, mean) if error == 0 else stats.t.interval(0.95, len(values) - 1, mean, error)


def paired(reno: Array, tahoe: Array) -> dict[str, float]:
    """Who wins, run by run: Reno over Tahoe with a bootstrapped 95 % interval, and Wilcoxon's signed-rank test.

    A bootstrap of a fixed seed, so that the same runs give the same numbers.
    """
    drawn = stats.bootstrap(
        (reno, tahoe), lambda one, other, axis: one.mean(axis) / other.mean(axis), paired=True,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    low, high = drawn.confidence_interval
    test = stats.wilcoxon(reno, tahoe)
    ratio = float(reno.mean() / tahoe.mean())
    return {"n": len(reno), "ratio": ratio, "low": float(low), "high": float(high), "p": float(test.pvalue)}


def averages(table: pd.DataFrame, printed: Mapping[str, Printed], subtitle: str) -> Figure:
    """Each stream's bandwidth in percent of the paper's average: one scale for streams of 4 and of 0.07 Mb/s.

    `table` has a row for each run and stream, with `stream` and `mbps`.
    """
    papers = {name: printed[flow] for name, flow in STREAMS.items() if name in set(table["stream"])}
    theirs = {name: paper.mean for name, paper in papers.items()}
    shown = table.assign(percent=100 * table["mbps"] / table["stream"].map(theirs))
    figure = framed(_verdict(table, papers), f"{subtitle}; n = {table['seed'].nunique()}; bars: 95 % intervals")
    [[ax]] = stack(figure, 1, 1, "bandwidth over the whole run, in % of the paper's average", "")
    colours: dict[str, Any] = {"hue": "stream", "palette": COLOURS, "legend": False}
    sns.stripplot(shown, x="percent", y="stream", alpha=0.5, size=4, jitter=False, ax=ax, **colours)
    sns.pointplot(
        shown, x="percent", y="stream", errorbar=student, linestyle="none", capsize=0.14, marker="|",
        markersize=15, ax=ax, err_kws={"linewidth": 1.6}, **colours,
    )  # fmt: skip
    for place, paper in enumerate(papers.values()):
        _paper(ax, paper, place + 0.32)
    means = table.groupby("stream")["mbps"].mean()
    rows = [f"{name}\n{means[name]:.3g} Mb/s\n(paper {paper.mean:g})" for name, paper in papers.items()]
    ax.set_yticks(range(len(papers)), rows)
    ax.set_position((0.13, BOTTOM, RIGHT - 0.13, TOP - BOTTOM))
    ax.axvline(100, color=PAPER.colour, linewidth=0.8)
    ax.set(xlabel="", ylabel="")
    ax.plot([], [], color="#333333", marker="o", alpha=0.5, linestyle="", label="a run")
    ax.plot([], [], color="#333333", marker="|", markersize=12, label="our mean, Student's interval")
    legend(figure)
    words = "; ".join(f"{name} {percent:.0f} %" for name, percent in shown.groupby("stream")["percent"].mean().items())
    caption = "Every run's bandwidth of each stream, our mean with Student's interval, and the paper's with its own."
    return describe(figure, caption, f"{subtitle}. Means in percent of the paper's: {words}.", _verdict(table, papers))


def _verdict(table: pd.DataFrame, papers: Mapping[str, Printed]) -> str:
    """The title: which of the four averages come out, within a tenth."""
    mean = table.groupby("stream")["mbps"].mean()
    off = [name for name, paper in papers.items() if abs(mean[name] / paper.mean - 1) > 0.1]
    return "All four averages come out within a tenth" if not off else f"All averages come out but {' and '.join(off)}"


def _paper(ax: Axes, paper: Printed, place: float) -> None:
    low, high, scale = paper.low, paper.high, 100 / paper.mean
    ax.errorbar(
        [100], [place], xerr=[[scale * (paper.mean - low)], [scale * (high - paper.mean)]], color=PAPER.colour,
        marker=PAPER.marker, markerfacecolor="white", markersize=5, capsize=4, linestyle="",
        label="printed in the paper",
    )  # fmt: skip


def cases(table: pd.DataFrame, titles: Mapping[str, str], printed: Mapping[str, Printed]) -> Figure:
    """Reno's and Tahoe's averages in every configuration, and the paper's as bands across all of them."""
    shown = table[table["stream"].isin(["TCP Reno", "TCP Tahoe"])].assign(
        title=table["case"].map(titles).str.replace(", ", ",\n")
    )
    n = shown["seed"].nunique()
    title = "Which network was it? The delays, which the paper leaves out, decide"
    figure = framed(
        title, f"Every one of n = {n} runs, and means with 95 % intervals (Student); bands: the paper's intervals"
    )
    [[ax]] = stack(figure, 1, 1, "", "Mb/s over the whole run")
    for name in ("TCP Reno", "TCP Tahoe"):
        paper = printed[STREAMS[name]]
        ax.axhspan(paper.low, paper.high, color=COLOURS[name], alpha=0.22, label=f"{name} in the paper", zorder=0)
    both: dict[str, Any] = {"x": "title", "y": "mbps", "hue": "stream", "palette": COLOURS, "ax": ax}
    sns.stripplot(shown, **both, dodge=True, alpha=0.35, size=3, jitter=False, legend=False)
    sns.pointplot(shown, **both, dodge=0.4, errorbar=student, linestyle="none", capsize=0.12, markers=["o", "s"])
    ax.legend_ = None  # one for the figure stands above it
    ax.set(xlabel="", ylabel="", ylim=(0, None))
    ax.tick_params(labelbottom=True, labelsize=8.5)
    legend(figure)
    means = shown.groupby(["title", "stream"], as_index=False)["mbps"].mean().round(2)
    words = "; ".join(", ".join(map(str, row)) for row in means.itertuples(index=False))
    return describe(figure, "Reno's and Tahoe's bandwidth in every configuration.", f"Means in Mb/s. {words}.", title)
