"""Slide 6, drawn as there: the forbidden area over the round-trip time, with the lines in it."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.chapters.large_fat import forbidden, looks, wire
from workbook.chapters.large_fat.settings import Settings
from workbook.chapters.statistics import Statistics
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, note, stack

LONGEST_MS = 250.0
AREA = "The forbidden area is that of a burst; slow start enters it later"


def area_figure(settings: Settings, numbers: Statistics) -> Figure:
    """Which rates are forbidden at which round-trip time; simulated edges, and where slow start really overflows."""
    off, marked = numbers["residual_percent"], numbers["marked"]
    figure = framed(
        AREA,
        f"solutions for s when f = {settings.fast_mbps:g} Mb/s, M = {settings.memory_bytes / 1e6:g} MByte, "
        "without flow control; blue: the RTT from which TCP loses",
    )
    [[ax]] = stack(figure, 1, 1, "RTT in ms", "s in Mb/s")
    shade(ax, settings.fast_mbps, float(settings.memory_bytes))
    _edges(ax, numbers["edges"])
    _lines(ax, settings.lines, numbers["entries"])
    ax.axvline(settings.marked_rtt_ms, color="#555555", linestyle=":")
    ax.text(settings.marked_rtt_ms - 2, 780, f"{settings.marked_rtt_ms:g} ms RTT\nAmsterdam - Vancouver", ha="right")
    note(ax, f"burst and formula differ by {off['edges']:.2g} % at most")
    ax.set_xlim(0, LONGEST_MS)
    legend(figure)
    alt = (
        f"{AREA}. At {marked['rtt_ms']:g} ms {marked['lines_inside']} of the lines are inside for a burst, "
        f"{marked['lines_inside_slow_start']} for a slow start."
    )
    return describe(figure, "Slide 6: the forbidden area.", alt, AREA)


def shade(ax: Axes, fast_mbps: float, memory_bytes: float) -> None:
    """The area and its edge, up to `LONGEST_MS`."""
    first = 1e3 * forbidden.lowest_rtt_s(fast_mbps, memory_bytes)
    rtts = np.geomspace(first, LONGEST_MS, 300)
    edges = [forbidden.edges_mbps(fast_mbps, memory_bytes, rtt / 1e3) or (fast_mbps / 2,) * 2 for rtt in rtts]
    low, high = zip(*edges, strict=True)
    ax.fill_between(rtts, low, high, color=looks.FORBIDDEN, linewidth=0, label="forbidden")
    ax.plot([*rtts[::-1], *rtts], [*low[::-1], *high], color=looks.FORMULA.colour, label="M = (f - s) / f x s x RTT")
    ax.set_ylim(0, fast_mbps)


def _edges(ax: Axes, edges: Mapping[str, Mapping[str, float]]) -> None:
    rtts = [float(name.removeprefix("rtt").removesuffix("ms")) for name in edges]
    look = looks.BURST
    for i, end in enumerate(("burst_low", "burst_high")):
        rates = [at[end] for at in edges.values()]
        label = "burst, simulated" if i == 0 else None
        ax.plot(rtts, rates, color=look.colour, marker=look.marker, markersize=4.5, linestyle="", label=label)


def _lines(ax: Axes, lines: list[int], entries: Mapping[str, Mapping[str, float]]) -> None:
    for oc in lines:
        rate = wire.line_mbps(oc)
        ax.axhline(rate, color="#777777", linewidth=0.7)
        ax.text(LONGEST_MS - 1, rate + 4, f"OC{oc}", ha="right", va="bottom", fontsize=8.5)
        for sink, (label, look) in looks.SINKS.items():
            entry_ms = entries[f"oc{oc}"][f"{sink}_ms"]
            if entry_ms < LONGEST_MS:
                ax.plot(
                    entry_ms, rate, color=look.colour, marker=look.marker, markersize=7, linestyle="",
                    markeredgecolor="white", label=label,
                )  # fmt: skip
