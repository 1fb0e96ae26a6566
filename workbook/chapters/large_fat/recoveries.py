"""Slides 16 and 18: what one loss costs, by Reno and by HighSpeed TCP, and when it happens too soon."""

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics, simulate
from simcore.results.log import WINDOWS
from workbook.chapters.large_fat import looks, recovery, wire
from workbook.chapters.large_fat.lab import Lab, path
from workbook.chapters.large_fat.long_runs import pipe_packets, rtt_s
from workbook.chapters.large_fat.settings import Recovery, Settings
from workbook.chapters.statistics import Statistics
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, note, stack

CASES = ("one-loss", "single")
DRAWN = "jumbo-196ms"  # the path that the figure shows
GROWTHS = {"reno": "standard", "highspeed": "highspeed"}
LOOKS = {"reno": ("Reno", looks.PER_PACKET), "highspeed": ("HighSpeed TCP", looks.HIGHSPEED)}

RECOVERIES = {
    "reno": LOOKS["reno"],
    "highspeed_halved": ("HighSpeed TCP, halved", looks.HALVED),
    "highspeed": LOOKS["highspeed"],
}
RECOVERY = "One lost packet: Reno needs minutes, HighSpeed TCP seconds"
LAWS = "Recovery takes as long as its closed form says"
ONE_LOSS = "The sooner the one loss, the less of the minute is left"


def measure(lab: Lab) -> Statistics:
    """Recovery times on some paths, the rate over the place of a single loss, and the run of slide 15's first cell."""
    paths = {name: _recovered(lab, given) for name, given in lab.settings.recoveries.items()}
    return {"paths": paths, "one_loss": _one_loss(lab), "early": _early(lab)}


def _recovered(lab: Lab, given: Recovery) -> Statistics:
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


def changes(lab: Lab, given: Recovery, growth: str) -> dict[str, Any]:
    """What makes the case `one-loss` one of a path: with one loss for Reno, with two for HighSpeed TCP."""
    losses = given.losses[:1] if growth == "reno" else given.losses
    return path(given.rtt_ms / 1e3, lab.scenario("one-loss").bottleneck.rate_mbps) | {
        "end_s": given.end_s if growth == "reno" else given.end_s / 4,
        "flows.0.packet_bytes": given.mtu - wire.IP_TCP_BYTES,
        "flows.0.window_packets": given.window,
        "flows.0.growth": GROWTHS[growth],
        "flows.0.lost_packets": list(losses),
    }


def run_of(lab: Lab, given: Recovery, growth: str) -> xr.Dataset:
    """The windows of that run; of the path that is drawn it was made for the figure."""
    name = f"recovery-{growth}"
    if given == lab.settings.recoveries[DRAWN] and name in lab.known:
        return lab.known[name]
    return simulate(lab.scenario("one-loss", changes(lab, given, growth)), lab.engine, WINDOWS)


def lost_and_back(lab: Lab, given: Recovery, growth: str) -> list[tuple[float, float]]:
    """For each loss the window it left, in packets, and how long it took to have all of it again, in s."""
    steps = metrics.window(run_of(lab, given, growth), 1)
    times, cwnd, causes = steps["time_s"].values, steps["cwnd"].values, steps["cause"].values
    recoveries = []
    for lost in np.flatnonzero(causes == "fast_retransmit"):
        after = np.flatnonzero((cwnd >= given.window) & (times > times[lost]))
        recoveries.append((float(cwnd[lost]), float(times[after[0]] - times[lost])))
    return recoveries


def _one_loss(lab: Lab) -> Statistics:
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


def _early(lab: Lab) -> dict[str, Any]:
    """The stream of slide 15's first cell: where its early losses leave it, and when it would be back."""
    scenario, steps = lab.scenario("single"), metrics.window(lab.windows("single"), 1)
    left, pipe, rtt = float(steps["ssthresh"][-1]), pipe_packets(scenario), rtt_s(scenario)
    return {
        "left_packets": left,
        "reached_packets": float(steps["cwnd"][-1]),
        "pipe_packets": pipe,
        "needed_s": (pipe - left) * rtt,
        "needed_delayed_s": 2 * (pipe - left) * rtt,
        "by_highspeed": {"needed_s": recovery.highspeed_s(pipe, rtt, part_left=left / pipe)},
        "had_s": scenario.end_s,
    }


def recovery_figure(runs: xr.DataTree, given: Recovery, numbers: Statistics) -> Figure:
    """Windows after a loss: Reno's and HighSpeed TCP's (`recovery-reno`, ...), with the closed form of each."""
    figure = framed(
        RECOVERY,
        f"jumbo frames, RTT {given.rtt_ms:g} ms, window {given.window} packets; HighSpeed TCP loses twice, and "
        "ns-2 halves for the first",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "window in packets")
    for ax, growth in ((above, "reno"), (below, "highspeed")):
        steps, (label, look) = metrics.window(runs.children[f"recovery-{growth}"], 1), LOOKS[growth]
        ax.plot(steps["time_s"], np.minimum(steps["cwnd"], given.window), color=look.colour, label=label)
        for lost in np.flatnonzero(steps["cause"].values == "fast_retransmit"):
            when, left = float(steps["time_s"][lost]), float(steps["cwnd"][lost])
            back = [when, when + _needed_s(growth, given, left)]
            ax.plot(back, [left, given.window], "o:", color=looks.FORMULA.colour, markersize=4, label="closed form")
        ax.set(ylim=(0, 1.12 * given.window), xlim=(0, given.end_s))
    note(above, f"{numbers['reno_s']:.1f} s, closed form {numbers['reno_formula_s']:.1f}")
    formulas = f"{numbers['highspeed_halved_formula_s']:.1f} and {numbers['highspeed_formula_s']:.1f}"
    note(below, f"{numbers['highspeed_halved_s']:.1f} and {numbers['highspeed_s']:.1f} s, closed form {formulas}")
    legend(figure)
    took = f"HighSpeed TCP: {numbers['highspeed_halved_s']:.1f} and {numbers['highspeed_s']:.1f} s"
    alt = f"{RECOVERY}. Reno: {numbers['reno_s']:.1f} s; {took}."
    return describe(figure, "Slide 16: what one loss costs.", alt, RECOVERY)


def _needed_s(growth: str, given: Recovery, left: float) -> float:
    """What the closed form says of the way back from a window of `left` packets."""
    if growth == "reno":
        return recovery.reno_s(2 * (given.window - left), given.rtt_ms / 1e3)
    return recovery.highspeed_s(given.window, given.rtt_ms / 1e3, part_left=left / given.window)


def laws_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """A row for each recovery on each path: how long it took, how long by its closed form, and the residual."""
    rows = [
        {"path": path, "recovery": label, "law_s": times[f"{name}_formula_s"], "took_s": times[f"{name}_s"]}
        for path in settings.recoveries
        for times in [numbers["paths"][path]]
        for name, (label, _) in RECOVERIES.items()
    ]
    table = pd.DataFrame(rows)
    return table.assign(off_percent=100 * (table["took_s"] / table["law_s"] - 1))


def laws_figure(table: pd.DataFrame) -> Figure:
    """Every recovery against its closed form, and the residuals."""
    paths = table["path"].nunique()
    figure = framed(LAWS, f"{len(table)} recoveries on {paths} paths; left: the line is where both are equal")
    left, right = (figure.add_axes((x, 0.11, 0.4, 0.7)) for x in (0.08, 0.575))
    seen: Statistics = {
        "hue": "recovery", "palette": {label: look.colour for label, look in RECOVERIES.values()},
        "style": "recovery", "markers": {label: look.marker for label, look in RECOVERIES.values()}, "s": 70,
    }  # fmt: skip
    sns.scatterplot(table, x="law_s", y="took_s", ax=left, **seen)
    sns.scatterplot(table, x="law_s", y="off_percent", ax=right, legend=False, **seen)
    left.axline((10, 10), slope=1, color=looks.FORMULA.colour, linewidth=0.8, zorder=0)
    right.axhline(0, color=looks.FORMULA.colour, linewidth=0.8, zorder=0)
    left.set(xscale="log", yscale="log", xlabel="closed form, in s", ylabel="simulated, in s")
    right.set(xscale="log", xlabel="closed form, in s", ylabel="simulated against it, in %")
    legend(figure)
    left.legend().remove()
    worst = table["off_percent"].abs().max()
    caption = f"Recovery times against their closed forms: {worst:.1f} % off at most."
    return describe(figure, caption, f"{LAWS}. {caption}", LAWS)


def one_loss_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """A row for each packet that was the one to be lost, and each way to grow: the rate of the minute."""
    return pd.DataFrame(
        [
            {"tcp": label, "lost_packet": number, "mbps": mbps}
            for name, (label, _) in LOOKS.items()
            for number, mbps in zip(settings.lost_at_packets, numbers["one_loss"]["mbps"][name], strict=True)
        ]
    )


def one_loss_figure(table: pd.DataFrame, none_mbps: float) -> Figure:
    """The rate of a minute over the number of the one packet that is lost in it; `none_mbps` is without a loss."""
    figure = framed(ONE_LOSS, "one stream of 60 s at 1 Gb/s, RTT 105 ms; a single packet is lost")
    [[ax]] = stack(figure, 1, 1, "number of the packet that is lost", "payload in Mb/s")
    sns.lineplot(
        table, x="lost_packet", y="mbps", hue="tcp", style="tcp", dashes=False, markersize=7, ax=ax,
        markers={label: look.marker for label, look in LOOKS.values()},
        palette={label: look.colour for label, look in LOOKS.values()},
    )  # fmt: skip
    ax.axhline(none_mbps, color=looks.FORMULA.colour, linestyle=":", label="no loss")
    ax.set(xscale="log", ylim=(0, None), xlabel="", ylabel="")
    reno = table[table["tcp"] == LOOKS["reno"][0]]["mbps"]
    note(ax, f"Reno: a factor of {reno.max() / reno.min():.1f}")
    legend(figure)
    ax.legend().remove()
    alt = f"{ONE_LOSS}. Reno: {reno.min():.0f} to {reno.max():.0f} Mb/s; without a loss it is {none_mbps:.0f}."
    return describe(figure, "Slide 18: when the loss comes early.", alt, ONE_LOSS)
