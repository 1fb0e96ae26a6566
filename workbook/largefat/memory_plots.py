"""Slide 4, drawn: the memory that the formula wants, that a burst fills, and that a slow start does."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics
from workbook import style
from workbook.largefat import looks, memory, wire
from workbook.largefat.lab import Lab
from workbook.plots.frame import framed, legend, note, stack, tag


def memory_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """For each round-trip time the memory needed over the rate of the slow link."""
    fast, worst = lab.settings.fast_mbps, numbers["worst"]
    figure = framed(
        "Memory at the bottleneck: exact for a burst, an upper bound for TCP",
        f"{fast:g} Mb/s into a slower line; curve: (fast - slow) / fast x slow x RTT; points: simulated; "
        f"bursts and curve differ by {worst['burst_packets']:.1f} packets at most",
    )
    [panels] = stack(figure, 1, len(lab.settings.memory_rtts_ms), "rate of the slow line in Mb/s", "MByte that wait")
    for ax, rtt_ms in zip(panels, lab.settings.memory_rtts_ms, strict=True):
        _panel(ax, lab, numbers["lines"], rtt_ms)
    legend(figure)
    return figure


def _panel(ax: Axes, lab: Lab, lines: Mapping[str, Any], rtt_ms: float) -> None:
    fast, mbytes = lab.settings.fast_mbps, lab.settings.packet_bytes / 1e6
    rates = np.linspace(0, fast, 201)
    curve = [memory.needed_bytes(fast, rate, rtt_ms / 1e3) / 1e6 for rate in rates]
    ax.plot(rates, curve, color=looks.FORMULA.colour, label="slide 4")
    slow = [wire.line_mbps(oc) for oc in lab.settings.lines]
    found = [lines[f"oc{oc}"][f"rtt{rtt_ms:g}ms"] for oc in lab.settings.lines]
    series = {"burst": ("burst at full speed", looks.BURST), **looks.SINKS}
    for name, (label, look) in series.items():
        peaks = [place[name] * mbytes for place in found]
        ax.plot(slow, peaks, color=look.colour, marker=look.marker, markersize=5, linestyle="", label=label)
    tag(ax, f"RTT {rtt_ms:g} ms", style.QUIET)
    ax.set_xlim(0, fast)
    ax.set_xticks(np.arange(0, 1, 0.25) * fast)
    ax.set_ylim(0, None)


def probe_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """How the probe's datagrams fill the memory, and which of them get through."""
    found, ds = numbers["probe"], lab.run("probe")
    figure = framed(
        "45000 datagrams of 1 kByte measure the memory",
        f"{lab.settings.fast_mbps:g} Mb/s into {metrics.rate_mbps(ds):g} Mb/s, "
        f"{lab.settings.memory_bytes / 1e6:g} MByte; one dot for each datagram of the first 4000",
    )
    [left, right] = (row[0] for row in stack(figure, 2, 1, "number of the datagram", ""))
    shown = slice(0, 4000)
    waited = 1e3 * (ds["packet_dequeued_s"] - ds["packet_enqueued_s"]).values[shown]
    lost = np.flatnonzero(ds["packet_dropped"].values[shown])
    left.plot(waited, ".", color=looks.BURST.colour, markersize=2, label="arrived")
    left.set_ylabel("ms in the memory")
    left.axvline(found["first_lost_formula"], color=looks.FORMULA.colour, label="M / (L (1 - s / f))")
    note(left, f"first loss after {found['first_lost']}, formula {found['first_lost_formula']:.1f}")
    drop = style.MARKS["drop"]
    left.plot(lost, np.zeros(lost.size), "|", color=drop.colour, markersize=5, label="lost")
    through = np.cumsum(~ds["packet_dropped"].values)[shown]
    right.plot(through, color=looks.BURST.colour, linewidth=1.5)
    rates = np.arange(4000)
    slow = metrics.rate_mbps(ds) / lab.settings.fast_mbps
    held = lab.settings.memory_bytes // metrics.packet_bytes(ds, 1)
    right.plot(rates, np.minimum(rates, rates * slow + held), color=looks.FORMULA.colour, linestyle=":")
    right.set_ylabel("got through")
    note(right, f"in all {found['received']} of {found['sent']}, formula {found['received_formula']:.1f}: "
                f"a memory of {found['memory_by_count_bytes']:.0f} bytes")  # fmt: skip
    legend(figure)
    return figure
