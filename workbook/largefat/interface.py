"""Slides 9 and 14: the host's own interface queue, which ends slow start without a loss."""

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics
from simcore.metrics.series import Array
from workbook import style
from workbook.largefat import looks, memory
from workbook.largefat.lab import Lab
from workbook.largefat.long_runs import tcp_of
from workbook.plots.frame import framed, legend, note, stack, tag

CASES = ("local-congestion",)
CASE = CASES[0]
SHOWN_S = 2.5
SINKS = ("immediate", "delayed")
QUEUE, WHEN_FULL = "hosts.0.queue_packets", "hosts.0.when_full"


def measure(lab: Lab) -> dict[str, Any]:
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


def _others(lab: Lab) -> dict[str, dict[str, Any]]:
    return {"congestion": {}, "ignore": {WHEN_FULL: "ignore"}, "deep": {QUEUE: lab.settings.txqs_packets[-1]}}


def _curve(lab: Lab, rtt_ms: float, sink: str) -> list[float]:
    delay_ms = rtt_ms / 2 - 0.02
    return [
        float(lab.counted(CASE, {QUEUE: txq, "bottleneck.delay_ms": delay_ms, "flows.0.sink": sink}).mbps[0])
        for txq in lab.settings.txqs_packets
    ]


def fall_off_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 9: the window and the interface queue in the first seconds, nothing being lost."""
    ds = lab.run(CASE, {"end_s": SHOWN_S})
    figure = framed(
        "Slow start ends without a single packet lost",
        f"interface queue of {numbers['txq']} packets; host {lab.settings.fast_mbps:g} Mb/s, path faster; RTT 105 ms; "
        f"the whole run: {numbers['dropped']} packets dropped",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "packets")
    steps, threshold = metrics.window(ds, 1), style.MARKS["ssthresh"]
    above.plot(steps["time_s"], steps["cwnd"], color=looks.PER_PACKET.colour, label="cwnd")
    own = steps["time_s"] > numbers["at_s"]
    above.plot(steps["time_s"][own], steps["ssthresh"][own], color=threshold.colour, linestyle=threshold.linestyle,
               label="ssthresh")  # fmt: skip
    tag(above, "window", style.QUIET)
    note(above, f"refused at {numbers['at_s']:.2f} s: {numbers['cwnd_before']:.0f} → {numbers['ssthresh']:.0f}")
    when, waiting = queue_of_host(ds)
    below.plot(when, waiting, color=looks.BURST.colour, linewidth=0.8, label="in the interface queue")
    below.axhline(numbers["txq"], color=style.MARKS["limit"].colour, linestyle=":", label="its length, txqueuelen")
    tag(below, "at the host", style.QUIET)
    above.set_xlim(0, SHOWN_S)
    legend(figure)
    return figure


def queue_of_host(ds: xr.Dataset) -> tuple[Array, Array]:
    """When the host's queue changed, in s, and what waited then; the packet in transmission is not counted."""
    came, at_switch = ds["packet_sent_s"].values, ds["packet_enqueued_s"].values
    on_the_way = np.nanmin((at_switch - came)[1:])  # without the SYN: of a packet that didn't wait
    left = np.maximum(came, at_switch - on_the_way)
    left = left[~np.isnan(left)]
    times, steps = np.concatenate([came, left]), np.repeat([1, -1], [came.size, left.size])
    order = np.lexsort((-steps, times))
    return times[order], np.cumsum(steps[order])


def txq_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 14: the rate over the length of the interface queue."""
    queues = lab.settings.txqs_packets
    window, seconds = tcp_of(lab.scenario(CASE)).window_packets, lab.scenario(CASE).end_s
    figure = framed(
        "Throughput vs TXQ: it takes thousands of packets, not a hundred",
        f"one stream of {seconds:g} s, window {window} packets (12 MB), nothing lost anywhere",
    )
    [panels] = stack(figure, 1, len(numbers["curve"]), "length of the interface queue (txqueuelen) in packets", "Mb/s")
    for ax, (name, curves) in zip(panels, numbers["curve"].items(), strict=True):
        for sink, (label, look) in looks.SINKS.items():
            ax.plot(queues, curves[sink], color=look.colour, marker=look.marker, markersize=4,
                    label=label.removeprefix("slow start, "))  # fmt: skip
            ax.axvline(numbers[f"knee_{sink}"], color=look.colour, linestyle=":")
        ax.axvline(numbers["txq"], color=looks.SLIDE.colour, label=f"Linux Default ({numbers['txq']})")
        tag(ax, f"RTT {name.removeprefix('rtt').removesuffix('ms')} ms", style.QUIET)
        ax.set_ylim(0, 1000)
    panels[0].plot(
        [], [], color=looks.FORMULA.colour, linestyle=":", label="W/2 and W/3: what slow start leaves waiting"
    )
    legend(figure)
    return figure
