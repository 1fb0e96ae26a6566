"""Slide 5: the spacing of packets, set by the host at first and by the bottleneck afterwards."""

import numpy as np
import numpy.typing as npt
import pandas as pd
import seaborn as sns
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics
from simcore.results.tree import Run, dataset_of
from workbook.chapters.large_fat import looks, memory
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag

CASES = ("self-clocking",)
CASE = CASES[0]
PLACES = {"host": "host → switch", "receiver": "switch → receiver", "ack": "ACKs → host"}
SHOWN_US = (10, 24)  # longer ones are pauses between the bursts of slow start
Array = npt.NDArray[np.float64]


def measure(lab: Lab) -> Statistics:
    """The usual gap at each place of the slide, what the rates say, and the gaps behind a link as fast as the host."""
    ds, scenario = lab.run(CASE), lab.scenario(CASE)
    size, access = 8 * int(ds["packet_bytes"].max()), scenario.flows[0].access
    assert access is not None
    window = metrics.window_packets(ds, 1)
    return {
        **_usual_gaps(ds),
        "no_bottleneck": _usual_gaps(lab.run(CASE, {"bottleneck.rate_mbps": access.rate_mbps})),
        "formula_host_us": size / access.rate_mbps,
        "formula_bottleneck_us": size / scenario.bottleneck.rate_mbps,
        "peak_queue": int(metrics.queue_packets(ds).max()),
        "peak_queue_formula": memory.slow_start_peak(window, access.rate_mbps, scenario.bottleneck.rate_mbps),
    }


def _usual_gaps(ds: xr.Dataset) -> dict[str, float]:
    """At each place, in microseconds; and the share of the usual one at the host in the steady state, in percent."""
    places = gaps_us(ds)
    steady = places["host"][1][places["host"][0] > steady_s(ds)]
    return {
        "host_us": usual(places["host"][1][places["host"][0] < full_s(ds)]),
        "host_steady_us": usual(steady),
        "receiver_us": usual(places["receiver"][1]),
        "ack_us": usual(places["ack"][1]),
        "host_steady_share": share(steady),
    }


def gaps_us(ds: xr.Dataset) -> dict[str, tuple[Array, Array]]:
    """At each place of the slide the times in s, and the gaps since the packet before, in microseconds."""
    times = {
        "host": ds["packet_enqueued_s"].values,  # as they come to the switch, after the host's own link
        "receiver": ds["packet_arrived_s"].values,
        "ack": ds["ack_arrived_s"].values,
    }
    kept = {place: when[~np.isnan(when)] for place, when in times.items()}
    return {place: (when[1:], 1e6 * np.diff(when)) for place, when in kept.items()}


def full_s(ds: xr.Dataset) -> float:
    """When the window is full for the first time."""
    steps = metrics.window(ds, 1)
    return float(steps["time_s"][np.flatnonzero(steps["cwnd"].values >= metrics.window_packets(ds, 1))[0]])


def steady_s(ds: xr.Dataset) -> float:
    """From when on nothing but the ACKs sets the pace: the window has been full for two round trips."""
    return full_s(ds) + 2e-3 * float(metrics.rtt_ms(ds, 1).min())


def usual(gaps: Array) -> float:
    """The gap that occurs most, to a hundredth of a microsecond."""
    values, counts = np.unique(np.round(gaps, 2), return_counts=True)
    return float(values[np.argmax(counts)])


def share(gaps: Array) -> float:
    """How many percent of the gaps are the usual one."""
    return float(100 * np.mean(np.abs(gaps - usual(gaps)) < 0.02))


def gaps_table(run: Run) -> pd.DataFrame:
    """A row for each gap at the three places of the slide: when it ended, and how long it was, in microseconds."""
    gaps = gaps_us(dataset_of(run))
    return pd.concat(
        [pd.DataFrame({"place": PLACES[place], "time_s": when, "gap_us": gap}) for place, (when, gap) in gaps.items()],
        ignore_index=True,
    )


def clocking_figure(table: pd.DataFrame, numbers: Statistics, steady: float) -> Figure:
    """The gaps at the three places of the slide over time, and how often each occurs; `steady` is `steady_s`."""
    title = (
        f"Self-clocking: {numbers['host_us']:.0f} µs between packets from the host, "
        f"{numbers['receiver_us']:.0f} µs behind the bottleneck"
    )
    figure = framed(
        title, "packets of 1500 bytes; left: every gap between two packets, or ACKs; right: how often it occurs"
    )
    rows = stack(figure, len(PLACES), 2, "", "gap in microseconds")
    for (over_time, often), place in zip(rows, PLACES.values(), strict=True):
        of_place = table[(table["place"] == place) & table["gap_us"].between(*SHOWN_US)]
        over_time.plot(
            of_place["time_s"], of_place["gap_us"], ".", color=looks.PER_PACKET.colour, markersize=1.5, rasterized=True
        )
        sns.histplot(of_place, x="gap_us", bins=np.arange(SHOWN_US[0], SHOWN_US[1] + 0.5, 0.5), stat="percent",
                     color=looks.PER_PACKET.colour, linewidth=0, ax=often)  # fmt: skip
        for label in ("host", "bottleneck"):
            over_time.axhline(numbers[f"formula_{label}_us"], color=looks.FORMULA.colour, linestyle=":", linewidth=0.8)
        over_time.set(ylim=SHOWN_US, yticks=[14, 20])
        often.set(xlabel="", ylabel="", ylim=(0, 100), xticks=[10, 14, 20, 24])
        tag(over_time, place, style.QUIET)
        tag(often, "how many of them, in %", style.QUIET)
    rows[0][0].axvline(steady, color=style.MARKS["limit"].colour, label="from here on the ACKs alone set the pace")
    rows[-1][0].set_xlabel("time in s")
    rows[-1][1].set_xlabel("gap in microseconds")
    legend(figure)
    alt = (
        f"{title}. ACKs come back every {numbers['ack_us']:.0f} µs, and once the window is full the host sends every "
        f"{numbers['host_steady_us']:.0f} µs."
    )
    return describe(figure, "Slide 5: gaps between packets.", alt, title)
