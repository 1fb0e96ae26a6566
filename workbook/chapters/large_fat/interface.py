"""Slides 9 and 14: the host's own interface queue, which ends slow start without a loss."""

from collections.abc import Mapping
from math import inf

import numpy as np
import pandas as pd
import seaborn as sns
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of
from workbook.chapters.large_fat import looks, memory
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.long_runs import tcp_of
from workbook.chapters.large_fat.settings import Settings
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, note, stack, tag
from workbook.plots.style import Look

CASES = ("local-congestion",)
CASE = CASES[0]
SHOWN_S = 2.5
FALL_OFF = "Slow start ends without a single packet lost"
TXQ = "Throughput vs TXQ: it takes thousands of packets, not a hundred"
SINKS = ("immediate", "delayed")
QUEUE, WHEN_FULL = "hosts.0.queue_packets", "hosts.0.when_full"


def measure(lab: Lab) -> Statistics:
    """How slow start ends, what "ignore" and a deep queue give instead, and the rate over the queue's length."""
    scenario, whole = lab.scenario(CASE), lab.counted(CASE)
    steps = metrics.window(lab.run(CASE, {"end_s": SHOWN_S}), 1)
    refused = np.flatnonzero(steps["cause"].values == "local_congestion")
    window, rate = tcp_of(scenario).window_packets, scenario.hosts[0].rate_mbps
    curves = {f"rtt{rtt:g}ms": {sink: _curve(lab, rtt, sink) for sink in SINKS} for rtt in lab.settings.txq_rtts_ms}
    rates = {which: float(lab.counted(CASE, changes).mbps[0]) for which, changes in _others(lab).items()}
    return {
        "txq": scenario.hosts[0].queue_packets,
        "dropped": whole.total("dropped"),
        "refusals": int(refused.size),
        "at_s": float(steps["time_s"][refused[0]]),
        "cwnd_before": float(steps["cwnd"][refused[0] - 1]),
        "ssthresh": float(steps["ssthresh"][refused[0]]),
        "mbps": rates,
        "curve": curves,
        "monotone": all(curve == sorted(curve) for both in curves.values() for curve in both.values()),
        "knee_immediate": memory.slow_start_peak(window, inf, rate),
        "knee_delayed": memory.delayed_ack_bound(window, inf, rate),
    }


def _others(lab: Lab) -> dict[str, Statistics]:
    return {"congestion": {}, "ignore": {WHEN_FULL: "ignore"}, "deep": {QUEUE: lab.settings.txqs_packets[-1]}}


def _curve(lab: Lab, rtt_ms: float, sink: str) -> list[float]:
    delay_ms = rtt_ms / 2 - 0.02
    return [
        float(lab.counted(CASE, {QUEUE: txq, "bottleneck.delay_ms": delay_ms, "flows.0.sink": sink}).mbps[0])
        for txq in lab.settings.txqs_packets
    ]


def fall_off_figure(run: Run, numbers: Statistics) -> Figure:
    """Slide 9: the window and the interface queue in the first seconds, nothing being lost."""
    ds = dataset_of(run)
    figure = framed(
        FALL_OFF,
        f"interface queue of {numbers['txq']} packets; host 1000 Mb/s, path faster; RTT 105 ms; "
        f"the whole run: {numbers['dropped']} packets dropped",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "packets")
    steps, threshold = metrics.window(ds, 1), style.MARKS["ssthresh"]
    above.plot(steps["time_s"], steps["cwnd"], color=looks.PER_PACKET.colour, label="cwnd")
    after = steps["time_s"] > numbers["at_s"]
    above.plot(steps["time_s"][after], steps["ssthresh"][after], color=threshold.colour, linestyle=threshold.linestyle,
               label="ssthresh")  # fmt: skip
    tag(above, "window", style.QUIET)
    note(above, f"refused at {numbers['at_s']:.2f} s: {numbers['cwnd_before']:.0f} → {numbers['ssthresh']:.0f}")
    when, waiting = queue_of_host(ds)
    below.plot(when, waiting, color=looks.BURST.colour, linewidth=0.8, label="in the interface queue")
    below.axhline(numbers["txq"], color=style.MARKS["limit"].colour, linestyle=":", label="its length, txqueuelen")
    tag(below, "at the host", style.QUIET)
    above.set_xlim(0, metrics.end_s(ds))
    legend(figure)
    caption = "Slide 9: the window, and what waits at the host; the queue is full once, and slow start is over."
    alt = (
        f"{FALL_OFF}. At {numbers['at_s']:.2f} s the interface queue is full and the window falls from "
        f"{numbers['cwnd_before']:.0f} to {numbers['ssthresh']:.0f} packets; then it grows slowly."
    )
    return describe(figure, caption, alt, FALL_OFF)


def queue_of_host(ds: xr.Dataset) -> tuple[Array, Array]:
    """When the host's queue changed, in s, and what waited then; the packet in transmission is not counted."""
    came, at_switch = ds["packet_sent_s"].values, ds["packet_enqueued_s"].values
    on_the_way = np.nanmin((at_switch - came)[1:])  # without the SYN: of a packet that didn't wait
    left = np.maximum(came, at_switch - on_the_way)
    left = left[~np.isnan(left)]
    times, steps = np.concatenate([came, left]), np.repeat([1, -1], [came.size, left.size])
    order = np.lexsort((-steps, times))
    return times[order], np.cumsum(steps[order])


def txq_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """A row for each queue, RTT and kind of ACKs: the rate, and whether the queue ever refused a packet.

    A queue that never refuses gives the very rate of the longest one.
    """
    rows = [
        {"rtt_ms": rtt_ms, "acks": acks, "queue": queue, "mbps": mbps, "refused": mbps != curve[-1]}
        for rtt_ms in settings.txq_rtts_ms
        for sink, acks in looks.ACKS.items()
        for curve in [numbers["curve"][f"rtt{rtt_ms:g}ms"][sink]]
        for queue, mbps in zip(settings.txqs_packets, curve, strict=True)
    ]
    return pd.DataFrame(rows)


def txq_figure(table: pd.DataFrame, numbers: Statistics) -> Figure:
    """Slide 14: the rate over the length of the interface queue; a line ends where refusals do."""
    figure = framed(
        TXQ, "one stream of 16 s, window of 12 MB, nothing lost anywhere; shaded: slow start is never refused"
    )
    rtts = table["rtt_ms"].unique()
    [panels] = stack(figure, 1, len(rtts), "length of the interface queue (txqueuelen) in packets", "payload in Mb/s")
    seen = {looks.ACKS[sink]: look for sink, (_, look) in looks.SINKS.items()}
    for ax, rtt_ms in zip(panels, rtts, strict=True):
        rows = table[table["rtt_ms"] == rtt_ms]
        sns.lineplot(
            rows, x="queue", y="mbps", hue="acks", style="acks", units="refused", estimator=None, dashes=False, ax=ax,
            markers={name: look.marker for name, look in seen.items()}, markersize=6, legend=ax is panels[0],
            palette={name: look.colour for name, look in seen.items()},
        )  # fmt: skip
        ax.set_xlim(0, 1.04 * rows["queue"].max())
        _jumps(ax, rows, seen)
        ax.axvline(numbers["txq"], color=looks.SLIDE.colour, linewidth=0.9, label=f"Linux's default, {numbers['txq']}")
        tag(ax, f"RTT {rtt_ms:g} ms", style.QUIET)
        ax.set(ylim=(0, 1000), xlabel="", ylabel="")
    legend(figure)
    panels[0].legend().remove()
    caption = (
        "Slide 14: throughput over the interface queue. A line breaks off where the queue begins to hold all that slow "
        f"start leaves waiting, W/2 = {numbers['knee_immediate']:.0f} packets, or at most W/3 = "
        f"{numbers['knee_delayed']:.0f} with delayed ACKs: slow start then fills the whole window, instead of leaving "
        "the rest to a climb by a packet a round trip."
    )
    return describe(figure, caption, f"{TXQ}. {caption}", TXQ)


def _jumps(ax: Axes, table: pd.DataFrame, seen: Mapping[str, Look]) -> None:
    """Shade from the first queue on that never refuses, and say what that is worth."""
    for acks, rows in table.groupby("acks", sort=False):
        first, last = rows[~rows["refused"]].iloc[0], rows[rows["refused"]].iloc[-1]
        look = seen[str(acks)]
        ax.axvspan(first["queue"], ax.get_xlim()[1], color=look.colour, alpha=0.07, linewidth=0)
        gained = f"+{first['mbps'] - last['mbps']:.0f}"
        ax.text(first["queue"] - 60, first["mbps"] + 15, gained, ha="right", color=look.colour, fontweight="bold")
