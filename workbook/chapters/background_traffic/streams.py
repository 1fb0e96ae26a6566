"""The bandwidth of single runs over time: of each stream, of ten runs superposed, and how the link is shared."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import seaborn as sns
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import Scenario, metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run
from workbook.chapters.background_traffic.looks import looks, names, scenario_of
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import BOTTOM, LEFT, RIGHT, TOP, framed, legend, stack, tag

MBPS = 1e-3  # of kb/s
SPAN_S = 1  # in which the bins of a stream become a band and a mean: 2000 bins side by side are black


def stream(run: Run, flow: int, bin_s: float, subtitle: str) -> Figure:
    """One stream's bandwidth in bins: the range and mean of each second, and how often each value occurs."""
    scenario = scenario_of(run)
    mine, name, look = scenario.flows[flow - 1], names(scenario)[flow - 1], looks(scenario)[flow - 1]
    kbps = metrics.bandwidth_kbps(run, flow, bin_s)
    unit, scale = ("Mb/s", MBPS) if float(kbps.max()) > 1000 else ("kb/s", 1.0)
    running = scale * kbps.values[round(mine.start_s / bin_s) + 1 : round(mine.stop_s / bin_s) - 1]
    title = f"{name} gets between {running.min():.3g} and {running.max():.3g} {unit}, in bins of {bin_s:g} s"
    figure = framed(title, subtitle)
    grid = figure.add_gridspec(1, 2, width_ratios=(4, 1), wspace=0.05, left=LEFT, right=RIGHT, bottom=BOTTOM, top=TOP)
    ax = figure.add_subplot(grid[0])
    histogram = figure.add_subplot(grid[1], sharey=ax)
    _band(ax, scale * kbps, bin_s, look.colour)
    _mark_changes(ax, scenario)
    sns.histplot(y=running, bins=60, stat="percent", color=look.colour, alpha=1, linewidth=0, ax=histogram)
    histogram.set(xlabel="% of the bins while it runs", ylabel="")
    histogram.tick_params(labelleft=False)
    ax.set(xlabel="time in s", ylabel=f"bandwidth in {unit}", xlim=(0, scenario.end_s))
    ax.set_ylim(0, 1.3 * scale * float(kbps.max()))  # room for the words
    legend(figure)
    caption = (
        f"Left: each second's range and mean of its {SPAN_S / bin_s:.0f} bins. Right: how often each value occurs."
    )
    return describe(figure, caption, f"{subtitle}. {title}; on average {running.mean():.3g} {unit}.", title)


def _band(ax: Axes, series: xr.DataArray, bin_s: float, colour: str) -> None:
    """The bins of each span as the range between their least and greatest, and their mean."""
    rows = series.values[: series.size // round(SPAN_S / bin_s) * round(SPAN_S / bin_s)].reshape(
        -1, round(SPAN_S / bin_s)
    )
    times = SPAN_S * np.arange(len(rows))
    ax.fill_between(
        times,
        rows.min(axis=1),
        rows.max(axis=1),
        step="post",
        color=colour,
        alpha=0.3,
        linewidth=0,
        label="range of the bins",
    )
    ax.plot(times, rows.mean(axis=1), color=colour, drawstyle="steps-post", label=f"mean of {SPAN_S} s")


def _mark_changes(ax: Axes, scenario: Scenario) -> None:
    """A line with a word where a stream starts or stops."""
    limit, moments = style.MARKS["limit"], dict[float, list[str]]()
    for name, flow in zip(names(scenario), scenario.flows, strict=True):
        moments.setdefault(flow.start_s, []).append(f"{name} starts")
        moments.setdefault(flow.stop_s, []).append(f"{name} stops")
    for when, words in moments.items():
        ax.axvline(when, color=limit.colour, linestyle=limit.linestyle, linewidth=0.9)
        text = "both TCP stop" if len(words) > 1 else words[0]
        ax.text(
            when + 0.4, 0.985, text, transform=ax.get_xaxis_transform(), rotation=90, va="top", fontsize=7.5,
            color=style.QUIET,
        )  # fmt: skip


def sharing(run: Run, flows: Sequence[int], bin_s: float, subtitle: str) -> Figure:
    """How some of the streams share the link from second to second, stacked, and each one's part of what they carry."""
    scenario = scenario_of(run)
    bands = {names(scenario)[flow - 1]: metrics.bandwidth_kbps(run, flow, bin_s) for flow in flows}
    total = sum(float(band.sum()) for band in bands.values())
    parts = {name: f"{name} {100 * float(band.sum()) / total:.1f} %" for name, band in bands.items()}
    title = f"{next(iter(bands))} has {100 * float(next(iter(bands.values())).sum()) / total:.0f} % of what " + (
        "the four carry" if len(flows) > 2 else "the two TCP streams get"
    )
    figure = framed(title, f"{subtitle}; bins of {bin_s:g} s")
    [[ax]] = stack(figure, 1, 1, "time in s", "bandwidth in Mb/s")
    times = next(iter(bands.values()))["time_s"].values
    floor: Array = np.zeros(times.size)
    for (name, band), flow in zip(bands.items(), flows, strict=True):
        top = floor + MBPS * band.values
        colour = looks(scenario)[flow - 1].colour
        ax.fill_between(times, floor, top, step="post", color=colour, linewidth=0, label=parts[name])
        floor = top
    limit, rate = style.MARKS["limit"], scenario.bottleneck.rate_mbps
    ax.axhline(rate, color=limit.colour, linestyle=limit.linestyle, label=f"the link's {rate:g} Mb/s")
    ax.set(xlim=(0, scenario.end_s), ylim=(0, 1.08 * rate))
    legend(figure)
    return describe(figure, "Bandwidths stacked.", f"{subtitle}. {', '.join(parts.values())}.", title)


def superposed(runs: Sequence[Run], bin_s: float, subtitle: str) -> Figure:
    """The two TCP streams of all runs: the mean over the runs, and the range between the lowest and the highest run."""
    scenario = scenario_of(runs[0])
    tables = {flow: _table(runs, flow, bin_s) for flow in (1, 2)}
    before, after = _apart(tables[1], scenario)
    title = f"{len(runs)} runs: Reno's differ by {before:.1f} Mb/s before VBR starts, by {after:.1f} while it sends"
    figure = framed(title, f"{subtitle}; bins of {bin_s:g} s")
    rows = stack(figure, 2, 1, "time in s", "bandwidth in Mb/s")
    for flow, [ax] in enumerate(rows, start=1):
        look, table = looks(scenario)[flow - 1], tables[flow]
        tag(ax, names(scenario)[flow - 1], look.colour)
        sns.lineplot(table, x="time_s", y="mbps", color=look.colour, errorbar=("pi", 100), ax=ax, legend=False,
                     err_kws={"label": "lowest to highest run"}, label="mean of the runs")  # fmt: skip
        one = table[table["run"] == 0]
        ax.plot(one["time_s"], one["mbps"], color=style.MARKS["total"].colour, linewidth=0.6, label="the first run")
        ax.set(xlabel="", ylabel="", ylim=(0, 1.05 * scenario.bottleneck.rate_mbps), xlim=(0, scenario.end_s))
    legend(figure)
    return describe(figure, "Bandwidth of the TCP streams in all runs.", f"{subtitle}. {title}.", title)


def _apart(table: pd.DataFrame, scenario: Scenario) -> tuple[float, float]:
    """How far the highest run is above the lowest, in Mb/s: mean before the last stream starts, and while it runs."""
    last = max(scenario.flows, key=lambda flow: flow.start_s)
    ends = table.groupby("time_s")["mbps"].agg(["min", "max"])
    ranges = ends["max"] - ends["min"]
    first = min(flow.start_s for flow in scenario.flows)
    return float(ranges[first : last.start_s].mean()), float(ranges[last.start_s : last.stop_s].mean())


def _table(runs: Sequence[Run], flow: int, bin_s: float) -> pd.DataFrame:
    series = [metrics.bandwidth_kbps(run, flow, bin_s) for run in runs]
    parts = [
        pd.DataFrame({"run": i, "time_s": each["time_s"].values + bin_s / 2, "mbps": MBPS * each.values})
        for i, each in enumerate(series)
    ]
    return pd.concat(parts, ignore_index=True)
