"""Slides 12, 13, 16 and 17: single streams for minutes or an hour, and what the slides say of each."""

import numpy as np
import numpy.typing as npt
import pandas as pd
import seaborn as sns
import xarray as xr
import yaml
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics, scenario_from
from simcore.results.tree import Run, dataset_of
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario
from workbook.chapters.large_fat import forbidden, looks, recovery, wire
from workbook.chapters.large_fat.lab import Lab, payload_mbps
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, note

CASES = ("three-minutes", "an-hour", "near-gige")
Array = npt.NDArray[np.float64]


def measure(lab: Lab) -> Statistics:
    """What each run got, and what arithmetic says it should."""
    numbers = {case: _counts(lab, case) for case in CASES}
    every_packet = lab.counted("an-hour", {"flows.0.sink": "immediate"})  # the slides don't say how ACKs were sent
    numbers["an-hour"] |= {"formula_mbps": hour_formula_mbps(lab), "immediate_mbps": float(every_packet.mbps[0])}
    numbers["near-gige"] |= _near_gige(lab)
    return numbers


def _counts(lab: Lab, case: str) -> Statistics:
    ds, scenario = lab.windows(case), lab.scenario(case)
    return {
        "mbps": float(payload_mbps(scenario, {name: ds[name].values for name in ("acknowledged", "received")})[0]),
        "sent": int(ds["sent"][0]),
        "dropped": int(ds["dropped"][0]),
        "timeouts": int(ds["timeouts"][0]),
        "seconds": scenario.end_s,
        "rtt_ms": 1e3 * rtt_s(scenario),
    }


def rtt_s(scenario: Scenario) -> float:
    """The round-trip time of the first flow's packets that wait nowhere and take no time to send."""
    flow = scenario.flows[0]
    links = [link for link in (scenario.bottleneck, flow.access, flow.exit) if link is not None]
    return 2e-3 * sum(link.delay_ms for link in links)


def tcp_of(scenario: Scenario) -> TcpFlow:
    """The first flow, which is TCP. Raises TypeError if it isn't."""
    flow = scenario.flows[0]
    if not isinstance(flow, TcpFlow):
        raise TypeError(f"{scenario.name}: flows.0: kind is {flow.kind!r}; must be 'tcp'")
    return flow


def pipe_packets(scenario: Scenario) -> float:
    """How many packets fit into the path of the first flow."""
    wire_bytes = tcp_of(scenario).packet_bytes + scenario.profile.header_bytes
    return scenario.bottleneck.rate_mbps * 1e6 * rtt_s(scenario) / (8 * wire_bytes)


def hour_formula_mbps(lab: Lab) -> float:
    """Slow start leaves the largest window whose burst the memory takes; from there Reno's climb and sawtooth."""
    scenario = lab.scenario("an-hour")
    rate, memory = scenario.bottleneck.rate_mbps, lab.settings.memory_bytes / wire.FRAME_BYTES
    first = forbidden.safe_window_packets(lab.settings.fast_mbps, rate, memory)
    path = recovery.Path(pipe_packets(scenario), memory, rtt_s(scenario))
    packets_a_s = recovery.reno_packets_a_s(path, first, scenario.end_s, packets_per_ack=2)
    return packets_a_s * tcp_of(scenario).packet_bytes * 8e-6


def _near_gige(lab: Lab) -> dict[str, float]:
    """A full link but for the SYN's round trip, slow start's doublings, and what is not acknowledged at the end."""
    scenario = lab.scenario("near-gige")
    cap = wire.tcp_mbps(lab.settings.fast_mbps, mtu=9000)
    window = tcp_of(scenario).window_packets
    missed = 2 + sum(1 - 2**k / window for k in range(1, window.bit_length()))  # round trips without a full window
    short = lab.counted("near-gige", {"end_s": 60.0})
    delayed = lab.counted("near-gige", {"flows.0.sink": "delayed"})
    return {
        "cap_mbps": cap,
        "formula_mbps": cap * (1 - missed * rtt_s(scenario) / scenario.end_s),
        "minute_mbps": float(short.mbps[0]),
        "delayed_mbps": float(delayed.mbps[0]),
    }


def rates_mbps(ds: xr.Dataset, scenario: Scenario) -> tuple[Array, Array]:
    """When the window changed, in s, and the rate that it allowed then: a window a round trip, at most the link."""
    steps, flow = metrics.window(ds, 1), tcp_of(scenario)
    usable = np.minimum(steps["cwnd"].values, flow.window_packets)
    wire_bytes = flow.packet_bytes + scenario.profile.header_bytes
    slowest = min(link.rate_mbps for link in (scenario.bottleneck, flow.access) if link is not None)
    rates = np.minimum(usable * wire_bytes * 8e-6 / rtt_s(scenario), slowest) * flow.packet_bytes / wire_bytes
    return steps["time_s"].values, rates


def scenario_of(run: Run) -> Scenario:
    """The scenario that a run is of."""
    return scenario_from(yaml.safe_load(run.attrs["scenario"]))


def means(numbers: Statistics, said_mbps: float) -> pd.DataFrame:
    """The mean rate of a run as the slide says it, as arithmetic does (of some), and as it came out."""
    rates = {"the slide": said_mbps, "closed form": numbers.get("formula_mbps"), "simulated": numbers["mbps"]}
    return pd.DataFrame([{"by": name, "mbps": rate} for name, rate in rates.items() if rate is not None])


def rate_figure(run: Run, numbers: Statistics, rates: pd.DataFrame, title: str, place: str) -> Figure:
    """One stream: its window, the rate that it allows, and beside it the mean on an axis of its own (`means`)."""
    ds, scenario = dataset_of(run), scenario_of(run)
    figure = framed(
        title,
        f"{scenario.flows[0].kind.upper()} over {numbers['rtt_ms']:.0f} ms, "
        f"bottleneck {scenario.bottleneck.rate_mbps:g} Mb/s, {numbers['seconds']:g} s; "
        f"{numbers['sent']:,} packets sent, {numbers['dropped']:,} dropped",
    )
    grid = figure.add_gridspec(2, 2, left=0.082, right=0.985, bottom=0.1, top=0.83, width_ratios=(2.7, 1), wspace=0.22)
    above, below, right = (figure.add_subplot(grid[at]) for at in ((0, 0), (1, 0), (slice(None), 1)))
    _window(above, ds, scenario)
    below.plot(*rates_mbps(ds, scenario), color=looks.PER_PACKET.colour, linewidth=0.9)
    below.set(ylabel="window / RTT in Mb/s", ylim=(0, None), xlim=(0, scenario.end_s), xlabel="time in s")
    note(below, "payload, at most the link's rate")
    _means(right, rates)
    words = ", ".join(f"{one.by} {one.mbps:.1f} Mb/s" for one in rates.itertuples())
    return describe(
        figure, f"{place}: {title}. Mean rate: {words}.", f"{title}. {numbers['dropped']} packets lost. {words}.", title
    )


def _means(ax: Axes, rates: pd.DataFrame) -> None:
    marked = {"the slide": looks.SLIDE, "closed form": looks.CLOSED_FORM, "simulated": looks.PER_PACKET}
    order = list(rates["by"])
    for name in order:
        sns.stripplot(rates[rates["by"] == name], x="by", y="mbps", order=order, marker=marked[name].marker, size=9,
                      color=marked[name].colour, jitter=False, ax=ax)  # fmt: skip
    for place, mbps in enumerate(rates["mbps"].tolist()):
        ax.text(place, mbps, f"{mbps:.1f}\n", ha="center", va="bottom", fontsize=8.5, linespacing=0.9)
    ax.set_xticks(range(len(order)), [name.replace(" ", "\n") for name in order])
    middle = rates["mbps"].mean()
    ax.set(xlabel="", ylabel="mean payload in Mb/s", ylim=(0.95 * middle, 1.05 * middle), xlim=(-0.6, len(order) - 0.4))
    note(ax, "the axis is cut: mean ± 5 %")


def _window(ax: Axes, ds: xr.Dataset, scenario: Scenario) -> None:
    steps = metrics.window(ds, 1)
    ax.plot(steps["time_s"], steps["cwnd"], color=looks.PER_PACKET.colour, linewidth=0.9)
    for times in (metrics.times_of(ds, 1, cause) for cause in ("fast_retransmit", "timeout")):
        ax.plot(times, np.zeros(times.size), "|", color=style.MARKS["drop"].colour, markersize=9, clip_on=False)
    ax.set(ylabel="cwnd in packets", ylim=(0, None), xlim=(0, scenario.end_s))
    ax.tick_params(labelbottom=False)
    note(ax, "red strokes: losses")
