"""Slide 7: the three phases of a stream, measured."""

import numpy as np
from matplotlib.figure import Figure

from simcore import metrics
from simcore.results.tree import Run, dataset_of
from workbook.chapters.large_fat import looks
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.long_runs import rates_mbps, rtt_s, scenario_of, tcp_of
from workbook.chapters.statistics import Statistics
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend

CASES = ("phases",)
CASE = CASES[0]
TITLE = "Three different phases of TCP"
SHADES = ("#e9eef5", "#e7f2e7", "#fbeee0")


def measure(lab: Lab) -> Statistics:
    """When each phase ends, and by how much the window grows in a round trip of it."""
    scenario, steps = lab.scenario(CASE), metrics.window(lab.windows(CASE), 1)
    times, cwnd = steps["time_s"].values, steps["cwnd"].values
    window, rtt = tcp_of(scenario).window_packets, rtt_s(scenario)
    full = int(np.flatnonzero(cwnd >= window)[0])
    lost = int(np.flatnonzero(steps["cause"].values == "fast_retransmit")[0])
    back = lost + int(np.flatnonzero(cwnd[lost:] >= window)[0])
    discovery = (cwnd >= 4) & (np.arange(cwnd.size) <= full)
    usable = np.minimum(cwnd, window)
    climbing = slice(lost + 1, back)
    return {
        "discovery_until_s": float(times[full]),
        "steady_until_s": float(times[lost]),
        "avoidance_until_s": float(times[back]),
        "doublings_per_rtt": float(np.polyfit(times[discovery], np.log2(cwnd[discovery]), 1)[0] * rtt),
        "steady_growth_per_rtt": float(usable[lost - 1] - usable[full]),
        "avoidance_growth_per_rtt": float(np.polyfit(times[climbing], cwnd[climbing], 1)[0] * rtt),
        "steady_mbps": float(rates_mbps(lab.windows(CASE), scenario)[1][lost - 1]),
    }


def phases_figure(run: Run, numbers: Statistics) -> Figure:
    """The rate over time, each phase shaded; the first ones are shown larger above."""
    times, rates = rates_mbps(dataset_of(run), scenario_of(run))
    figure = framed(
        TITLE,
        f"jumbo frames over 196 ms, one packet lost; the window grows by {numbers['doublings_per_rtt']:.2f} doublings, "
        f"0, and {numbers['avoidance_growth_per_rtt']:.2f} packets in a round trip",
    )
    rows = [figure.add_axes((0.082, bottom, 0.9, 0.31)) for bottom in (0.5, 0.1)]
    ends = [0, *(numbers[f"{phase}_until_s"] for phase in ("discovery", "steady", "avoidance"))]
    for ax, last in zip(rows, (15, scenario_of(run).end_s), strict=True):
        for shade, name, start, end in zip(
            SHADES, ("Bandwidth discovery phase", "Steady state", "Congestion avoidance"), ends, ends[1:], strict=False
        ):
            ax.axvspan(start, end, color=shade, label=name)
        ax.plot(times, rates, color=looks.PER_PACKET.colour, linewidth=1)
        ax.set_xlim(0, last)
        ax.set_ylim(0, 1100)
        ax.set_ylabel("window / RTT, Mb/s")
    rows[1].set_xlabel("time in s")
    legend(figure)
    alt = (
        f"{TITLE}: discovery until {numbers['discovery_until_s']:.1f} s, steady state until "
        f"{numbers['steady_until_s']:.1f} s, congestion avoidance until {numbers['avoidance_until_s']:.0f} s."
    )
    return describe(figure, "Slide 7: three phases of a stream.", alt, TITLE)
