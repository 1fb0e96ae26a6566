"""The bandwidth of single runs over time: of each stream, of ten runs superposed, and how the link is shared."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import Scenario, metrics
from workbook import style
from workbook.background.looks import looks, names
from workbook.plots.frame import framed, legend, note, stack, tag

MBPS = 1e-3  # of kb/s


def stream_figure(run: xr.Dataset, scenario: Scenario, flow: int, bin_s: float, subtitle: str) -> Figure:
    """One stream's bandwidth in bins, with the moments at which the others come and go."""
    kind, name, look = scenario.flows[flow - 1].kind, names(scenario)[flow - 1], looks(scenario)[flow - 1]
    unit, scale = ("Mb/s", MBPS) if kind == "tcp" or flow == 4 else ("kb/s", 1.0)
    figure = framed(f"{name}: the bandwidth it gets beside the others", f"{subtitle}; bins of {bin_s:g} s")
    [[ax]] = stack(figure, 1, 1, "time in s", f"bandwidth in {unit}")
    series = metrics.bandwidth_kbps(run, flow, bin_s)
    ax.plot(series["time_s"], scale * series, color=look.colour, linewidth=0.7, drawstyle="steps-post")
    _mark_changes(ax, scenario)
    mine = scenario.flows[flow - 1]
    running = series.values[round(mine.start_s / bin_s) + 1 : round(mine.stop_s / bin_s) - 1]
    note(ax, f"while it runs {scale * running.min():.3g} to {scale * running.max():.3g} {unit}")
    ax.set_ylim(0, 1.3 * scale * float(series.max()))  # room for the words
    ax.set_xlim(0, scenario.end_s)
    return figure


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


def sharing_figure(run: xr.Dataset, scenario: Scenario, flows: Sequence[int], bin_s: float, subtitle: str) -> Figure:
    """How some of the streams share the link from second to second, stacked, and each one's part of what they carry."""
    title = "Who has how much of the link" if len(flows) > 2 else "How Reno and Tahoe divide between them what they get"
    figure = framed(title, f"{subtitle}; bins of {bin_s:g} s")
    [[ax]] = stack(figure, 1, 1, "time in s", "bandwidth in Mb/s")
    bands = [metrics.bandwidth_kbps(run, flow, bin_s) for flow in flows]
    times, floor = bands[0]["time_s"].values, np.zeros(bands[0].size)
    total = sum(float(band.sum()) for band in bands)
    for flow, band in zip(flows, bands, strict=True):
        part = f"{names(scenario)[flow - 1]} {100 * float(band.sum()) / total:.1f} %"
        top = floor + MBPS * band.values
        colour = looks(scenario)[flow - 1].colour
        ax.fill_between(times, floor, top, step="post", color=colour, linewidth=0, label=part)
        floor = top
    limit = style.MARKS["limit"]
    rate = scenario.bottleneck.rate_mbps
    ax.axhline(rate, color=limit.colour, linestyle=limit.linestyle, label=f"the link's {rate:g} Mb/s")
    ax.set_xlim(0, scenario.end_s)
    ax.set_ylim(0, 1.08 * rate)
    legend(figure)
    return figure


def superposed_figure(runs: Sequence[xr.Dataset], scenario: Scenario, bin_s: float, subtitle: str) -> Figure:
    """The two TCP streams of all runs, one over the other, and their mean."""
    figure = framed(
        f"{len(runs)} runs superposed: do they leave the same footprint?", f"{subtitle}; bins of {bin_s:g} s"
    )
    rows = stack(figure, 2, 1, "time in s", "bandwidth in Mb/s")
    for flow, [ax] in enumerate(rows, start=1):
        look = looks(scenario)[flow - 1]
        tag(ax, names(scenario)[flow - 1], look.colour)
        series = [metrics.bandwidth_kbps(run, flow, bin_s) for run in runs]
        values = MBPS * np.stack([each.values for each in series])
        times = series[0]["time_s"].values + bin_s / 2
        for row in values:
            ax.plot(times, row, color=look.colour, linewidth=0.6, alpha=0.35, label="one run")
        ax.plot(times, values.mean(axis=0), color="black", linewidth=1.3, label="mean of the runs")
        ax.set_ylim(0, 1.05 * scenario.bottleneck.rate_mbps)
        ax.set_xlim(0, scenario.end_s)
    legend(figure)
    return figure
