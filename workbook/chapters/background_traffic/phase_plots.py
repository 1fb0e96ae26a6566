"""The phase effect, drawn: who wins along a line, over a map, and when the phase is averaged or broken."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
import seaborn as sns
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from workbook.chapters.background_traffic.averages import student
from workbook.chapters.background_traffic.phase import EQUAL_MS, PACKET_MS, PERIOD_MS, PHASES, folded, over_replications
from workbook.chapters.background_traffic.settings import Printed
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag

RENO, TAHOE = style.FLOWS["tcp"][0].colour, style.FLOWS["udp"][0].colour  # blue wins, or orange, seen from a distance
WINNER = LinearSegmentedColormap.from_list("winner", [TAHOE, "#f3b98a", "#f7f7f7", "#8fb8de", RENO])
REST_MS = 5  # of every path: the bottleneck's 4 ms and the exit link's 1 ms
FITTED_MS = (1, 3)  # the base of params/background-traffic.yaml
SHARE = "Reno's share of what both TCP flows get, in %"
BROKEN = {  # what is done to the phase, and how it looks
    "equal": ("exactly equal delays", style.MARKS["limit"].colour, "."),
    "phases": ("random phases", style.MARKS["total"].colour, "o"),
    "noise": ("random small packets", style.MARKS["congestion_echo"].colour, "s"),
    "jittered": ("send jitter", style.MARKS["fast_retransmit"].colour, "D"),
}
DELAYS = {  # of Tahoe's access link, in ms
    FITTED_MS[1]: ("the delay fitted to the paper", style.MARKS["total"].colour, "D"),
    EQUAL_MS: ("equal delays", style.MARKS["fast_retransmit"].colour, "o"),
}


def tidy(sweep: xr.Dataset) -> pd.DataFrame:
    """A row a run: its coordinates and Reno's `share` in percent."""
    return sweep["share"].to_dataframe().reset_index()


def line(sweep: xr.Dataset, printed: Mapping[str, Printed]) -> Figure:
    """Reno's share against the delay of Tahoe's access link, in steps of 20 microseconds."""
    title = "Twenty microseconds decide who wins"
    n = sweep.sizes["replication"]
    figure = framed(title, f"Reno's access link 1 ms, Tahoe's varied; mean and range of n = {n} runs at each delay")
    [[ax]] = stack(figure, 1, 1, "delay of Tahoe's access link in ms", SHARE)
    mean, _ = over_replications(sweep)
    delays = sweep["tahoe_ms"].values
    ax.fill_between(delays, 50, mean, where=mean >= 50, color=RENO, alpha=0.25, linewidth=0, interpolate=True)
    ax.fill_between(delays, 50, mean, where=mean <= 50, color=TAHOE, alpha=0.25, linewidth=0, interpolate=True)
    sns.lineplot(
        tidy(sweep), x="tahoe_ms", y="share", errorbar=("pi", 100), err_style="bars", color="black", marker=".",
        markersize=6, markeredgewidth=0, linewidth=0.8, label="mean, lowest and highest run", legend=False, ax=ax,
    )  # fmt: skip
    reno, tahoe = printed["flow1"].mean, printed["flow2"].mean
    ax.axhline(
        100 * reno / (reno + tahoe), color="#111111", linestyle="--", linewidth=0.9, label="the paper's averages"
    )
    look = style.MARKS["limit"]
    ax.axvline(FITTED_MS[1], color=look.colour, linestyle=look.linestyle, label="the fitted delay")
    _halves(ax, 0, 100)
    ax.set(xlim=(delays[0], delays[-1]))
    legend(figure)
    alt = f"Reno's share swings between {mean.min():.0f} and {mean.max():.0f} % as Tahoe's delay goes from 2 to 4 ms."
    return describe(figure, "Reno's share along one delay.", alt, title)


def jitter(sweep: xr.Dataset) -> Figure:
    """Reno's share against the senders' jitter: the winners that the phase makes, and what is left without it."""
    table = tidy(sweep)
    table["wait"] = (table["send_jitter_ms"] / PACKET_MS).map(_times)
    title = "Senders that wait at random break the phase, and Tahoe is ahead"
    low, high = table["tahoe_ms"].min(), table["tahoe_ms"].max()
    n = sweep.sizes["replication"]
    about = f"Reno's access link 1 ms, Tahoe's {low:g} to {high:g} ms; n = {n} at each delay and wait; bars: 95 %"
    figure = framed(title, about)
    [[ax]] = stack(figure, 1, 1, "longest wait in packet times", SHARE)
    means = table.groupby(["wait", "tahoe_ms"], sort=False, as_index=False)["share"].mean()
    sns.stripplot(
        means, x="wait", y="share", color=style.MARKS["limit"].colour, size=4, jitter=False, ax=ax, zorder=1,
        label="mean at one of the 25 delays",
    )  # fmt: skip
    for delay_ms, (label, colour, marker) in DELAYS.items():
        near = table[np.isclose(table["tahoe_ms"], delay_ms)]
        sns.pointplot(
            near, x="wait", y="share", errorbar=student, color=colour, markers=marker, markersize=6, linewidth=1.2,
            capsize=0.1, label=label, ax=ax,
        )  # fmt: skip
    _halves(ax, 0, 80)
    ax.set(xlabel="", ylabel="")
    ahead = 100 * (sweep["share"] > 50).mean(["tahoe_ms", "replication"]).values
    ax.text(-0.3, 12.5, "runs in which Reno is ahead:", fontsize=8.5)
    for place, percent in enumerate(ahead):
        ax.text(place, 8, f"{percent:.0f} %", ha="center")
    ax.legend_ = None  # one for the figure stands above it
    legend(figure)
    alt = f"Runs in which Reno is ahead, by growing wait: {', '.join(f'{percent:.0f} %' for percent in ahead)}."
    return describe(figure, "Reno's share against the senders' random waits.", alt, title)


def _times(packets: float) -> str:
    return f"1/{1 / packets:.0f}" if 0 < packets < 1 else f"{packets:.0f}"


def _halves(ax: Axes, low: float, high: float) -> None:
    """The two halves: whoever is ahead has a word in the corner."""
    ax.axhline(50, color="#333333", linewidth=0.9)
    ax.set(xlabel="", ylabel="", ylim=(low, high))
    words: dict[str, Any] = {"transform": ax.transAxes, "ha": "right", "color": style.QUIET, "fontweight": "bold"}
    ax.text(0.995, 0.97, "↑ Reno ahead", va="top", **words)
    ax.text(0.995, 0.03, "↓ Tahoe ahead", va="bottom", **words)


def winners(fine: xr.Dataset, averaged: xr.Dataset) -> Figure:
    """Who wins over the delays of both access links: by their phases up to 4 ms, and over random phases up to 20 ms."""
    title = "“Reno dominates” is a matter of where one looks"
    figure = framed(title, "Reno's share of what both TCP flows get, over the delays of their access links")
    left, right, bar = (figure.add_axes(place) for place in MAP_PLACES)
    cells = folded(fine)
    _phases(left, cells)
    _delays(right, averaged, bar)
    tag(left, f"0 to 4 ms by phase, {fine['share'].size} single runs", style.QUIET)
    tag(right, f"0 to 20 ms, mean over phases, n = {averaged.sizes['replication']}", style.QUIET)
    bar.set_yticks([20, 35, 50, 65, 80], ["Tahoe\n80 %", "", "equal", "", "Reno\n80 %"])
    later, earlier = cells.query("tahoe > reno")["mean"].mean(), cells.query("tahoe < reno")["mean"].mean()
    longer = averaged["share"].where(averaged["tahoe_ms"] > averaged["reno_ms"]).mean()
    left_words = f"Tahoe's phase the later one: Reno has {later:.0f} %.\nReno's phase the later one: {earlier:.0f} %."
    right_words = f"Tahoe's way the longer one:\nReno has {float(longer):.0f} % on average."
    for ax, words in ((left, left_words), (right, right_words)):
        figure.text(ax.get_position().x0, 0.015, words, fontsize=9, color="#333333", va="bottom")
    alt = f"Two maps. Left, by phase: {left_words} Right, by delay: {right_words}".replace("\n", " ")
    caption = (
        f"Left, a cell is the mean of {cells['runs'].min()} to {cells['runs'].max()} runs whose delays have the same "
        f"remainders by the period of {PERIOD_MS:.4f} ms; steps of 0.05 ms alone would not resolve it. Right, "
        "phases are drawn anew in each run, and only the longer way is left."
    )
    return describe(figure, caption, alt, title)


# Left, right and the colours' bar: squares of 324 pixels, 11 cells each.
MAP_PLACES: Final = ((0.075, 0.18, 0.36, 0.648), (0.53, 0.18, 0.36, 0.648), (0.905, 0.18, 0.013, 0.648))


def _phases(ax: Axes, cells: pd.DataFrame) -> None:
    """Reno's share by the phases of both delays, with that of the fitted ones."""
    grid = cells.pivot(index="tahoe", columns="reno", values="mean")
    _heat(ax, grid, None)
    ticks = np.arange(0, PERIOD_MS, 0.05)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(ticks / PERIOD_MS * PHASES, [f"{tick:g}" for tick in ticks], rotation=0)
    ax.set(xlabel=f"Reno's delay modulo {PERIOD_MS:.4f} ms", ylabel=f"Tahoe's delay modulo {PERIOD_MS:.4f} ms")
    x, y = (delay_ms % PERIOD_MS / PERIOD_MS * PHASES for delay_ms in FITTED_MS)
    ax.plot(x, y, marker="o", markersize=11, markerfacecolor="none", markeredgecolor="black", markeredgewidth=1.8)
    ax.annotate(
        "fitted to the paper", (x, y), (0.6, 9.6), fontsize=8.5, arrowprops={"arrowstyle": "-", "color": "black"},
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip


def _delays(ax: Axes, averaged: xr.Dataset, bar: Axes) -> None:
    """Reno's share by the delays themselves, averaged over phases, with the part that the other map is made of."""
    delays = averaged["reno_ms"].values
    share = averaged["share"].mean("replication").transpose("tahoe_ms", "reno_ms")
    _heat(ax, pd.DataFrame(share.values), bar)
    places = np.arange(0, delays.size, 2)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(places + 0.5, [f"{delay_ms:g}" for delay_ms in delays[places]], rotation=0)
    ax.set(xlabel="Reno's access link in ms", ylabel="Tahoe's access link in ms")
    inside = float(np.searchsorted(delays, 4)) + 0.5
    ax.add_patch(Rectangle((0, 0), inside, inside, fill=False, edgecolor="black", linewidth=1.5))
    ax.annotate("left: from here", (inside, 1.2), (inside + 0.3, 0.7), fontsize=8.5, va="center", color="white")


def _heat(ax: Axes, grid: pd.DataFrame, bar: Axes | None) -> None:
    sns.heatmap(grid, cmap=WINNER, vmin=20, vmax=80, ax=ax, cbar=bar is not None, cbar_ax=bar, rasterized=True)
    ax.invert_yaxis()
    ax.plot([0, len(grid)], [0, len(grid)], color="black", linewidth=0.8, linestyle=":")


def delay(sweeps: Mapping[str, xr.Dataset]) -> Figure:
    """Reno's share against the delay, both having the same: exactly, on average over the phases, and with noise."""
    title = "With equal delays Reno does not dominate, and broken phases put Tahoe ahead"
    figure = framed(title, "Both access links alike; bars: 95 % intervals (Student) of the means")
    [[ax]] = stack(figure, 1, 1, "one-way delay in ms", SHARE)
    for name, (label, colour, marker) in BROKEN.items():
        table = tidy(sweeps[name])
        table["way_ms"] = table["both_ms"] + REST_MS
        exact = name == "equal"
        bars = {} if exact else {"capsize": 2}
        sns.lineplot(
            table, x="way_ms", y="share", errorbar=None if exact else student, err_style="bars", color=colour,
            marker=marker, markersize=5, markeredgewidth=0, linewidth=0 if exact else 1.1, err_kws=bars,
            label=f"{label} (n = {sweeps[name].sizes['replication']})", legend=False, ax=ax,
        )  # fmt: skip
    _halves(ax, 20, 80)
    ax.set_yticks(np.arange(20, 81, 10))
    legend(figure)
    last = {label: over_replications(sweeps[name])[0][0] for name, (label, _, _) in BROKEN.items()}
    alt = "Reno's share on the shortest path: " + ", ".join(f"{label} {share:.0f} %" for label, share in last.items())
    return describe(figure, "Reno's share when both have the same delay.", f"{alt}.", title)
