"""Slide 4, drawn: the memory that the formula wants, that a burst fills, and that a slow start does."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics
from simcore.results.tree import Run, dataset_of
from workbook.chapters.large_fat import looks, memory, wire
from workbook.chapters.large_fat.settings import Settings
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, note, stack, tag

MEMORY = "Memory at the bottleneck: exact for a burst, an upper bound for TCP"
PROBE = "45000 datagrams of 1 kByte measure the memory"
ARRIVALS = {"burst": ("burst at full speed", looks.BURST), **looks.SINKS}
LAWS = {"burst": "formula", "immediate": "slow_start_formula"}  # by kind of arrival; delayed ACKs have none


def memory_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """A row for each path and each kind of arrival: what waited at most, and what its closed form says, in packets."""
    rows = [
        {"rtt_ms": rtt_ms, "line": f"OC-{oc}", "slow_mbps": wire.line_mbps(oc), "arrival": label,
         "packets": at[name], "law_packets": at.get(LAWS.get(name, ""), np.nan)}
        for oc in settings.lines for rtt_ms in settings.memory_rtts_ms
        for name, (label, _) in ARRIVALS.items() for at in [numbers["lines"][f"oc{oc}"][f"rtt{rtt_ms:g}ms"]]
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    mbytes = settings.packet_bytes / 1e6
    return table.assign(mbytes=table["packets"] * mbytes, off_packets=table["packets"] - table["law_packets"])


def memory_figure(table: pd.DataFrame, fast_mbps: float) -> Figure:
    """For each round-trip time the memory needed over the rate of the slow link, and the laws' residuals below."""
    worst = table.groupby("arrival")["off_packets"].apply(lambda off: off.abs().max())
    burst, slow_start = (worst[ARRIVALS[name][0]] for name in LAWS)
    law = "(fast - slow) / fast x slow x RTT"
    figure = framed(MEMORY, f"{fast_mbps:g} Mb/s into a slower line; curve: {law}; points: simulated")
    rtts = table["rtt_ms"].unique()
    above, below = stack(figure, 2, len(rtts), "rate of the slow line in Mb/s", "")
    for ax, off, rtt_ms in zip(above, below, rtts, strict=True):
        rows = table[table["rtt_ms"] == rtt_ms]
        _panel(ax, rows, "mbytes")
        _panel(off, rows.dropna(subset=["off_packets"]), "off_packets")
        off.axhline(0, color=looks.FORMULA.colour)
        rates = np.linspace(0, fast_mbps, 201)
        curve = [memory.needed_bytes(fast_mbps, rate, rtt_ms / 1e3) / 1e6 for rate in rates]
        ax.plot(rates, curve, color=looks.FORMULA.colour, label="slide 4")
        tag(ax, f"RTT {rtt_ms:g} ms", style.QUIET)
        ax.set(xlim=(0, fast_mbps), xticks=np.arange(0, 1, 0.25) * fast_mbps, ylim=(0, 5.2))
        off.set_ylim(-2, 2)
    above[0].set_ylabel("MByte that wait")
    below[0].set_ylabel("simulated less its law,\nin packets")
    legend(figure)
    caption = (
        "Slide 4: memory over the slow line's rate, formula and runs; below, how far each run is from its closed form: "
        f"bursts {burst:.1f} packets at most, slow start {slow_start:.1f}."
    )
    return describe(figure, caption, f"{MEMORY}. {caption}", MEMORY)


def _panel(ax: Axes, table: pd.DataFrame, what: str) -> None:
    for label, look in ARRIVALS.values():
        sns.scatterplot(table[table["arrival"] == label], x="slow_mbps", y=what, color=look.colour, marker=look.marker,
                        s=40, label=label, legend=False, ax=ax)  # fmt: skip
    ax.set(xlabel="", ylabel="")


def probe_figure(run: Run, numbers: Statistics, settings: Settings) -> Figure:
    """How the probe's datagrams fill the memory, and which of them get through."""
    ds = dataset_of(run)
    figure = framed(
        PROBE,
        f"{settings.fast_mbps:g} Mb/s into {metrics.rate_mbps(ds):g} Mb/s, "
        f"{settings.memory_bytes / 1e6:g} MByte; one dot for each datagram of the first 4000",
    )
    [above], [below] = stack(figure, 2, 1, "number of the datagram", "")
    shown = slice(0, 4000)
    waited = 1e3 * (ds["packet_dequeued_s"] - ds["packet_enqueued_s"]).values[shown]
    lost = np.flatnonzero(ds["packet_dropped"].values[shown])
    above.plot(waited, ".", color=looks.BURST.colour, markersize=2, label="arrived")
    above.set_ylabel("ms in the memory")
    above.axvline(numbers["first_lost_formula"], color=looks.FORMULA.colour, label="M / (L (1 - s / f))")
    note(above, f"first loss after {numbers['first_lost']}, formula {numbers['first_lost_formula']:.1f}")
    drop = style.MARKS["drop"]
    above.plot(lost, np.zeros(lost.size), "|", color=drop.colour, markersize=5, label="lost")
    below.plot(np.cumsum(~ds["packet_dropped"].values)[shown], color=looks.BURST.colour, linewidth=1.5)
    count = np.arange(4000)
    slow = metrics.rate_mbps(ds) / settings.fast_mbps
    held = settings.memory_bytes // metrics.packet_bytes(ds, 1)
    below.plot(count, np.minimum(count, count * slow + held), color=looks.FORMULA.colour, linestyle=":",
               label="memory + what the line took meanwhile")  # fmt: skip
    below.set_ylabel("got through")
    note(below, f"in all {numbers['received']} of {numbers['sent']}, formula {numbers['received_formula']:.1f}: "
                f"a memory of {numbers['memory_by_count_bytes']:.0f} bytes")  # fmt: skip
    legend(figure)
    alt = f"{PROBE}. The first {numbers['first_lost']} all get through while the memory fills."
    return describe(figure, "Slide 4: how 45000 datagrams fill the memory.", alt, PROBE)
