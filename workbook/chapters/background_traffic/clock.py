"""The phase effect packet by packet: when, between two departures, each sender's packets meet the full buffer.

Floyd and Jacobson, "On traffic phase effects in packet-switched gateways" (1991): a full drop-tail buffer has one free
place after each departure. Who comes first after it gets the place, and in a periodic network that is always the same.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore.results.tree import Run, dataset_of
from workbook.chapters.background_traffic.averages import COLOURS
from workbook.chapters.background_traffic.looks import names, scenario_of
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import BOTTOM, LEFT, RIGHT, TOP, framed, legend, note, tag

FULL = 8  # packets waiting: the buffer has room for one more at most
CLOSE_UP_S = 0.02


def arrivals(run: Run) -> pd.DataFrame:
    """Every packet's arrival at the bottleneck: `stream`, `time_s`, `after_ms` since the last departure from the
    buffer, packets `waiting`, and whether it was `dropped`. What leaves at the instant of an arrival counts as gone.
    """
    ds = dataset_of(run)
    streams = np.array(names(scenario_of(run)))[ds["packet_flow"].values - 1]
    arrived, left = ds["packet_enqueued_s"].values, ds["packet_dequeued_s"].values
    dropped = ds["packet_dropped"].values.astype(bool)  # not what still waits at the end
    entered, departed = np.sort(arrived[~dropped & ~np.isnan(arrived)]), np.sort(left[~np.isnan(left)])
    gone = np.searchsorted(departed, arrived, "right")
    table = pd.DataFrame({
        "stream": streams,
        "time_s": arrived,
        "after_ms": 1e3 * (arrived - departed[np.maximum(gone, 1) - 1]),
        "waiting": np.searchsorted(entered, arrived, "left") - gone,
        "dropped": dropped,
    })  # fmt: skip
    return table.dropna().sort_values("time_s", kind="stable", ignore_index=True)


def packets(runs: Mapping[float, Run], from_s: float) -> Figure:
    """Two delays of Tahoe's link: above some milliseconds of arrivals, below all that met a full buffer.

    `runs` are by the delay in ms; `from_s` is when the close-up may start: at the first drop after it.
    """
    title = "Who comes just after a departure gets the place, and the delay decides who that is"
    figure = framed(title, "Reno and Tahoe alone; Reno's access link 1 ms; a packet leaves the buffer every 0.44 ms")
    grid = figure.add_gridspec(2, len(runs), left=LEFT, right=RIGHT, bottom=BOTTOM, top=TOP, hspace=0.55, wspace=0.15)
    rows = [[figure.add_subplot(grid[row, i]) for i in range(len(runs))] for row in range(2)]
    sentences, tcp, bins = [], list(COLOURS)[:2], np.arange(0, 0.46, 0.02).tolist()
    for i, (delay_ms, run) in enumerate(runs.items()):
        table = arrivals(run)
        full = table[(table["waiting"] >= FULL) & (table["time_s"] > from_s)]
        lost = full[full["dropped"]]["stream"].value_counts()
        words = ", ".join(f"{name} {lost.get(name, 0)}" for name in tcp)
        tag(rows[0][i], f"Tahoe's link {delay_ms:g} ms", style.QUIET)
        note(rows[0][i], f"drops: {words}")
        _close_up(rows[0][i], table, float(lost_first(full)) - CLOSE_UP_S / 4)
        sns.histplot(
            full, x="after_ms", hue="stream", hue_order=tcp, palette=COLOURS, bins=bins, element="step",
            legend=False, ax=rows[1][i],
        )  # fmt: skip
        rows[1][i].set(xlabel="ms after a departure", ylabel="arrivals" if i == 0 else "", xlim=(0, 0.45))
        sentences.append(f"Tahoe's link {delay_ms:g} ms: drops {words}")
    rows[0][0].set_ylabel("ms after a departure")
    legend(figure)
    caption = (
        f"Above: {1e3 * CLOSE_UP_S:.0f} ms of arrivals around a drop. Below: all that found {FULL} or more waiting."
    )
    return describe(figure, caption, f"{'. '.join(sentences)}.", title)


def lost_first(full: pd.DataFrame) -> float:
    """When the first of these packets was dropped. Raises ValueError if none was."""
    if not full["dropped"].any():
        raise ValueError("no packet was dropped: nothing to look at closely")
    return float(full.loc[full["dropped"], "time_s"].iloc[0])


def _close_up(ax: Axes, table: pd.DataFrame, from_s: float) -> None:
    near = table[(table["time_s"] >= from_s) & (table["time_s"] < from_s + CLOSE_UP_S)]
    drop = style.MARKS["drop"]
    for name, marker in zip(list(COLOURS)[:2], "os", strict=True):
        mine = near[near["stream"] == name]
        ax.plot(
            1e3 * (mine["time_s"] - from_s), mine["after_ms"], marker, color=COLOURS[name], markersize=4.5, label=name
        )
    lost = near[near["dropped"]]
    ax.plot(
        1e3 * (lost["time_s"] - from_s), lost["after_ms"], drop.marker, color=drop.colour, markersize=9, label="dropped"
    )
    ax.set(xlabel=f"ms after {from_s:.3f} s", xlim=(0, 1e3 * CLOSE_UP_S), ylim=(-0.02, 0.46))
