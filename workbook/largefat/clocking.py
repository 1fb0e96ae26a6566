"""Slide 5: the spacing of packets, set by the host at first and by the bottleneck afterwards."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics
from workbook import style
from workbook.largefat import looks, memory
from workbook.largefat.lab import Lab
from workbook.plots.frame import framed, legend, stack, tag

CASES = ("self-clocking",)
CASE = CASES[0]
Array = npt.NDArray[np.float64]


def measure(lab: Lab) -> dict[str, Any]:
    """The usual gap at each place of the slide, in microseconds, and what the rates say."""
    ds, scenario = lab.run(CASE), lab.scenario(CASE)
    places = gaps_us(ds)
    size, access = 8 * int(ds["packet_bytes"].max()), scenario.flows[0].access
    assert access is not None
    window = metrics.window_packets(ds, 1)
    return {
        "host_us": usual(places["host"][1][places["host"][0] < full_s(ds)]),
        "host_steady_us": usual(places["host"][1][places["host"][0] > steady_s(ds)]),
        "receiver_us": usual(places["receiver"][1]),
        "ack_us": usual(places["ack"][1]),
        "host_steady_share": share(places["host"][1][places["host"][0] > steady_s(ds)]),
        "formula_host_us": size / access.rate_mbps,
        "formula_bottleneck_us": size / scenario.bottleneck.rate_mbps,
        "peak_queue": int(metrics.queue_packets(ds).max()),
        "peak_queue_formula": memory.slow_start_peak(window, access.rate_mbps, scenario.bottleneck.rate_mbps),
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


def clocking_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """The gaps at the three places of the slide over time."""
    ds = lab.run(CASE)
    figure = framed(
        f"Self-clocking: {numbers['host_us']:.0f} µs between packets from the host, "
        f"{numbers['receiver_us']:.0f} µs behind the bottleneck",
        "packets of 1500 bytes; every gap between two packets, or two ACKs, that follow each other closely",
    )
    rows = stack(figure, 3, 1, "time in s", "gap in microseconds")
    names = {"host": "host → switch", "receiver": "switch → receiver", "ack": "ACKs → host"}
    for (place, name), [ax] in zip(names.items(), rows, strict=True):
        _panel(ax, gaps_us(ds)[place], name)
        for label in ("host", "bottleneck"):
            ax.axhline(numbers[f"formula_{label}_us"], color=looks.FORMULA.colour, linestyle=":", linewidth=0.8)
    rows[0][0].axvline(
        steady_s(ds), color=style.MARKS["limit"].colour, label="from here on the ACKs alone set the pace"
    )
    legend(figure)
    return figure


def _panel(ax: Axes, found: tuple[Array, Array], name: str) -> None:
    when, gaps = found
    ax.plot(when, gaps, ".", color=looks.PER_PACKET.colour, markersize=1.5, rasterized=True)
    ax.set_ylim(10, 24)
    ax.set_yticks([14, 20])
    tag(ax, name, style.QUIET)
