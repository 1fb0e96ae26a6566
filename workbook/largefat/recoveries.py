"""Slides 16 and 18: what one loss costs, by Reno and by HighSpeed TCP, and when it happens too soon."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics, simulate
from simcore.log import WINDOWS
from workbook.largefat import looks, recovery, wire
from workbook.largefat.lab import Lab, path
from workbook.largefat.long_runs import pipe_packets, rtt_s
from workbook.largefat.settings import Recovery
from workbook.plots.frame import framed, legend, note, stack

CASES = ("one-loss", "single")
GROWTHS = {"reno": "standard", "highspeed": "highspeed"}
LOOKS = {"reno": ("Reno", looks.PER_PACKET), "highspeed": ("HighSpeed TCP", looks.HIGHSPEED)}


def measure(lab: Lab) -> dict[str, Any]:
    """Recovery times on some paths, the rate over the place of a single loss, and the run of slide 15's first cell."""
    paths = {name: _recovered(lab, given) for name, given in lab.settings.recoveries.items()}
    return {"paths": paths, "one_loss": _one_loss(lab), "early": _early(lab)}


def _recovered(lab: Lab, given: Recovery) -> dict[str, Any]:
    """Reno after one loss; HighSpeed TCP after a first, which ns-2 answers by halving, and after a second one."""
    rtt, window = given.rtt_ms / 1e3, given.window
    reno, highspeed = (lost_and_back(lab, given, growth) for growth in GROWTHS)
    part_left = highspeed[1][0] / window
    return {
        "rtt_ms": given.rtt_ms,
        "mtu": given.mtu,
        "window": window,
        "reno_s": reno[0][1],
        "reno_formula_s": recovery.reno_s(window, rtt),
        "reno_delayed_formula_s": recovery.reno_s(window, rtt, packets_per_ack=2),
        "highspeed_s": highspeed[1][1],
        "highspeed_formula_s": recovery.highspeed_s(window, rtt, part_left=part_left),
        "highspeed_part_left": part_left,
        "highspeed_rfc_s": recovery.highspeed_s(window, rtt),
        "highspeed_halved_s": highspeed[0][1],
        "highspeed_halved_formula_s": recovery.highspeed_s(window, rtt, part_left=0.5),
    }


def run_of(lab: Lab, given: Recovery, growth: str) -> xr.Dataset:
    """The run with one loss, of HighSpeed TCP with two."""
    losses = given.losses[:1] if growth == "reno" else given.losses
    changes = path(given.rtt_ms / 1e3, lab.scenario("one-loss").bottleneck.rate_mbps) | {
        "end_s": given.end_s if growth == "reno" else given.end_s / 4,
        "flows.0.packet_bytes": given.mtu - wire.IP_TCP_BYTES,
        "flows.0.window_packets": given.window,
        "flows.0.growth": GROWTHS[growth],
        "flows.0.lost_packets": list(losses),
    }
    return simulate(lab.scenario("one-loss", changes), lab.engine, WINDOWS)


def lost_and_back(lab: Lab, given: Recovery, growth: str) -> list[tuple[float, float]]:
    """For each loss the window it left, in packets, and how long it took to have all of it again, in s."""
    steps = metrics.window(run_of(lab, given, growth), 1)
    times, cwnd, causes = steps["time_s"].values, steps["cwnd"].values, steps["cause"].values
    found = []
    for lost in np.flatnonzero(causes == "fast_retransmit"):
        after = np.flatnonzero((cwnd >= given.window) & (times > times[lost]))
        found.append((float(cwnd[lost]), float(times[after[0]] - times[lost])))
    return found


def _one_loss(lab: Lab) -> dict[str, Any]:
    rates = {
        name: [
            float(lab.counted("one-loss", {"flows.0.lost_packets": [number], "flows.0.growth": growth}).mbps[0])
            for number in lab.settings.lost_at_packets
        ]
        for name, growth in GROWTHS.items()
    }
    return {
        "mbps": rates,
        "factor": max(rates["reno"]) / min(rates["reno"]),
        "none": float(lab.counted("one-loss").mbps[0]),
    }


def _early(lab: Lab) -> dict[str, float]:
    """The stream of slide 15's first cell: where its early losses leave it, and when it would be back."""
    scenario, steps = lab.scenario("single"), metrics.window(lab.windows("single"), 1)
    left = float(steps["ssthresh"][-1])
    return {
        "left_packets": left,
        "reached_packets": float(steps["cwnd"][-1]),
        "pipe_packets": pipe_packets(scenario),
        "needed_s": (pipe_packets(scenario) - left) * rtt_s(scenario),
        "needed_delayed_s": 2 * (pipe_packets(scenario) - left) * rtt_s(scenario),
        "had_s": scenario.end_s,
    }


def recovery_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Windows after a loss: Reno's and HighSpeed TCP's, with the closed form of each."""
    name = "jumbo-196ms"
    given, found = lab.settings.recoveries[name], numbers["paths"][name]
    figure = framed(
        "One lost packet: Reno needs minutes, HighSpeed TCP seconds",
        f"jumbo frames, RTT {given.rtt_ms:g} ms, window {given.window} packets; HighSpeed TCP loses twice, and "
        "ns-2 halves for the first",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "window in packets")
    for ax, growth in ((above, "reno"), (below, "highspeed")):
        steps, (label, look) = metrics.window(run_of(lab, given, growth), 1), LOOKS[growth]
        usable = np.minimum(steps["cwnd"], given.window)
        ax.plot(steps["time_s"], usable, color=look.colour, label=label)
        for lost in np.flatnonzero(steps["cause"].values == "fast_retransmit"):
            when, left = float(steps["time_s"][lost]), float(steps["cwnd"][lost])
            back = [when, when + _needed_s(growth, given, left)]
            ax.plot(back, [left, given.window], "o:", color=looks.FORMULA.colour, markersize=4, label="closed form")
        ax.set_ylim(0, 1.12 * given.window)
        ax.set_xlim(0, given.end_s)
    note(above, f"{found['reno_s']:.1f} s, closed form {found['reno_formula_s']:.1f}")
    formulas = f"{found['highspeed_halved_formula_s']:.1f} and {found['highspeed_formula_s']:.1f}"
    note(below, f"{found['highspeed_halved_s']:.1f} and {found['highspeed_s']:.1f} s, closed form {formulas}")
    legend(figure)
    return figure


def _needed_s(growth: str, given: Recovery, left: float) -> float:
    """What the closed form says of the way back from a window of `left` packets."""
    if growth == "reno":
        return recovery.reno_s(2 * (given.window - left), given.rtt_ms / 1e3)
    return recovery.highspeed_s(given.window, given.rtt_ms / 1e3, part_left=left / given.window)


def one_loss_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """The rate of a minute over the number of the one packet that is lost in it."""
    found, scenario = numbers["one_loss"], lab.scenario("one-loss")
    figure = framed(
        "The sooner the one loss, the less of the minute is left",
        f"one stream of {scenario.end_s:g} s at 1 Gb/s, RTT {1e3 * rtt_s(scenario):.0f} ms; a single packet is lost",
    )
    [[ax]] = stack(figure, 1, 1, "number of the packet that is lost", "payload in Mb/s")
    for name, (label, look) in LOOKS.items():
        ax.plot(lab.settings.lost_at_packets, found["mbps"][name], color=look.colour, marker=look.marker, label=label)
    ax.axhline(found["none"], color=looks.FORMULA.colour, linestyle=":", label="no loss")
    ax.set_xscale("log")
    ax.set_ylim(0, None)
    note(ax, f"Reno: a factor of {found['factor']:.1f}")
    legend(figure)
    return figure
