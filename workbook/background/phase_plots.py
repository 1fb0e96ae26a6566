"""The phase effect, drawn: who wins along a line, over a map, and when the phase is averaged or broken."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from workbook import style
from workbook.background.phase import EQUAL_MS, PACKET_MS, over_replications
from workbook.background.settings import Printed
from workbook.plots.frame import framed, legend, stack, tag

RENO, TAHOE = "#0b4a8f", "#c2570c"  # here the two must be told apart from a distance: blue wins, or orange does
WINNER = LinearSegmentedColormap.from_list("winner", [TAHOE, "#f3b98a", "#f7f7f7", "#8fb8de", RENO])
REST_MS = 5  # of every path: the bottleneck's 4 ms and the exit link's 1 ms
FITTED_MS = (1, 3)  # the base of params/background-traffic.yaml
LINES = {
    "equal": ("exactly equal delays", "#9a9a9a", "."),
    "phases": ("random phases", "#7a1fa2", "o"),
    "noise": ("broken by random small packets", "#1b7f3b", "s"),
    "jittered": ("broken by send jitter", "#b3446c", "D"),
}


JITTER_LINES = (  # delay of Tahoe's access link in ms, name, colour, marker
    (FITTED_MS[1], "the delay fitted to the paper", "#0b7a75", "D"),
    (EQUAL_MS, "equal delays", "#7a1fa2", "o"),
)


def line_figure(ds: xr.Dataset, printed: Mapping[str, Printed]) -> Figure:
    """Reno's share against the delay of Tahoe's access link, in steps of 20 microseconds."""
    figure = framed(
        "Twenty microseconds decide who wins",
        f"Reno's access link 1 ms, Tahoe's varied; mean and range of {ds.sizes['replication']} runs at each delay",
    )
    [[ax]] = stack(figure, 1, 1, "delay of Tahoe's access link in ms", "Reno's share of what both TCP flows get, in %")
    mean, _ = over_replications(ds)
    delays, share = ds["tahoe_ms"].values, ds["share"].transpose("tahoe_ms", "replication").values
    ax.fill_between(delays, 50, mean, where=mean >= 50, color=RENO, alpha=0.25, linewidth=0, interpolate=True)
    ax.fill_between(delays, 50, mean, where=mean <= 50, color=TAHOE, alpha=0.25, linewidth=0, interpolate=True)
    ax.vlines(delays, share.min(axis=1), share.max(axis=1), color="#777777", linewidth=1, label="lowest to highest run")
    ax.plot(delays, mean, color="black", marker=".", markersize=4, linewidth=0.8, label="mean")
    reno, tahoe = printed["flow1"].mean, printed["flow2"].mean
    look = style.MARKS["limit"]
    ax.axhline(
        100 * reno / (reno + tahoe), color="#111111", linestyle="--", linewidth=0.9, label="the paper's averages"
    )
    ax.axvline(FITTED_MS[1], color=look.colour, linestyle=look.linestyle, label="the fitted delay")
    _halves(ax)
    ax.set_xlim(delays[0], delays[-1])
    legend(figure)
    return figure


def jitter_figure(ds: xr.Dataset) -> Figure:
    """Reno's share against the senders' jitter: the winners that the phase makes, and what is left without it."""
    jitters, delays = ds["send_jitter_ms"].values, ds["tahoe_ms"].values
    figure = framed(
        "Senders that wait at random break the phase, and Tahoe is ahead",
        f"Reno's access link 1 ms, Tahoe's {delays[0]:g} to {delays[-1]:g} ms; {ds.sizes['replication']} runs at each "
        "delay with each jitter; bars: 95 % intervals (Student)",
    )
    [[ax]] = stack(figure, 1, 1, "longest wait in packet times", "Reno's share of what both TCP flows get, in %")
    found = [over_replications(ds.sel(send_jitter_ms=jitter)) for jitter in jitters]
    means = np.array([mean for mean, _ in found])
    ax.plot(means, color="#9a9a9a", marker=".", markersize=5, linestyle="", zorder=1)
    ax.plot([], color="#9a9a9a", marker=".", linestyle="", label="mean at one of the delays")
    for delay_ms, label, colour, marker in JITTER_LINES:
        place = int(np.abs(delays - delay_ms).argmin())
        half_width = [half_widths[place] for _, half_widths in found]
        ax.errorbar(
            range(len(jitters)), means[:, place], half_width, color=colour, marker=marker, capsize=3, label=label
        )
    _halves(ax)
    ax.set_ylim(0, 80)
    ax.set_xlim(-0.5, len(jitters) - 0.5)
    ax.set_xticks(range(len(jitters)), [_times(jitter / PACKET_MS) for jitter in jitters])
    ax.text(-0.2, 12.5, "runs in which Reno is ahead:", fontsize=8.5)
    for place, percent in enumerate(100 * (ds["share"] > 50).mean(["tahoe_ms", "replication"]).values):
        ax.text(place, 8, f"{percent:.0f} %", ha="center")
    legend(figure)
    return figure


def _times(packets: float) -> str:
    return f"1/{1 / packets:.0f}" if 0 < packets < 1 else f"{packets:.0f}"


def _halves(ax: Axes) -> None:
    ax.axhline(50, color="#333333", linewidth=0.9)
    ax.set_ylim(0, 100)
    ax.text(0.995, 0.96, "Reno ahead", transform=ax.transAxes, ha="right", va="top", color=RENO, fontweight="bold")
    ax.text(0.995, 0.04, "Tahoe ahead", transform=ax.transAxes, ha="right", va="bottom", color=TAHOE, fontweight="bold")


def map_figure(fine: xr.Dataset, averaged: xr.Dataset) -> Figure:
    """Who wins over the delays of both access links: run by run, and on average over the phases."""
    figure = framed(
        "“Reno dominates” is a matter of where one looks",
        "Reno's share of what both TCP flows get, over the delays of their access links",
    )
    left, right = figure.add_axes((0.065, 0.11, 0.38, 0.7)), figure.add_axes((0.525, 0.11, 0.38, 0.7))
    picture = _map(left, fine["share"])
    tag(left, f"{fine['share'].size} runs, 0.05 ms apart: a phase effect", style.QUIET)
    left.plot(
        *FITTED_MS, marker="o", markersize=11, markerfacecolor="none", markeredgecolor="black", markeredgewidth=1.8
    )
    left.annotate(
        "fitted to the paper", FITTED_MS, (FITTED_MS[0] + 0.3, FITTED_MS[1] + 0.45), fontsize=8.5,
        arrowprops={"arrowstyle": "-"}, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip
    _map(right, averaged["share"].mean("replication"))
    tag(right, f"averaged over phases, {averaged.sizes['replication']} runs a cell", style.QUIET)
    for ax in (left, right):
        ax.set_xlabel("Reno's access link in ms")
        ax.set_ylabel("Tahoe's access link in ms")
        ax.grid(False)
    bar = figure.colorbar(picture, cax=figure.add_axes((0.925, 0.11, 0.016, 0.7)))
    bar.set_ticks([20, 35, 50, 65, 80], labels=["Tahoe\n80 %", "", "equal", "", "Reno\n80 %"])
    return figure


def _map(ax: Axes, share: xr.DataArray) -> QuadMesh:
    x, y = share["reno_ms"].values, share["tahoe_ms"].values
    picture = ax.pcolormesh(x, y, share.transpose("tahoe_ms", "reno_ms").values, cmap=WINNER, vmin=20, vmax=80,
                            shading="nearest", rasterized=True)  # fmt: skip
    ax.plot([x[0], x[-1]], [y[0], y[-1]], color="black", linewidth=0.8, linestyle=":")
    return picture


def delay_figure(sweeps: Mapping[str, xr.Dataset]) -> Figure:
    """Reno's share against the delay, both having the same: exactly, on average over the phases, and with noise."""
    figure = framed(
        "With equal delays Reno does not dominate, and broken phases put Tahoe ahead",
        "Both access links alike; bars: 95 % intervals (Student) of the means",
    )
    [[ax]] = stack(figure, 1, 1, "one-way delay in ms", "Reno's share of what both TCP flows get, in %")
    for name, (label, colour, marker) in LINES.items():
        mean, half_width = over_replications(sweeps[name])
        delays = sweeps[name]["both_ms"].values + REST_MS
        if name == "equal":
            ax.plot(delays, mean, color=colour, marker=marker, markersize=5, linestyle="", label=label)
        else:
            ax.errorbar(delays, mean, half_width, color=colour, marker=marker, markersize=5, capsize=2, label=label)
    _halves(ax)
    ax.set_ylim(20, 80)
    ax.set_yticks(np.arange(20, 81, 10))
    legend(figure)
    return figure
