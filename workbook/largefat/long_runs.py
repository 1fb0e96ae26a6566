"""Slides 12, 13, 16 and 17: single streams for minutes or an hour, and what the slides say of each."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import metrics
from simcore.scenario import Scenario, TcpFlow
from workbook import style
from workbook.largefat import forbidden, looks, recovery, wire
from workbook.largefat.lab import Lab, payload_mbps
from workbook.plots.frame import framed, legend, note, stack

CASES = ("three-minutes", "an-hour", "near-gige")
Array = npt.NDArray[np.float64]


def measure(lab: Lab) -> dict[str, Any]:
    """What each run got, and what arithmetic says it should."""
    found = {case: _counts(lab, case) for case in CASES}
    every_packet = lab.counted("an-hour", {"flows.0.sink": "immediate"})  # the slides don't say how ACKs were sent
    found["an-hour"] |= {"formula_mbps": hour_formula_mbps(lab), "immediate_mbps": float(every_packet.mbps[0])}
    found["near-gige"] |= _near_gige(lab)
    return found


def _counts(lab: Lab, case: str) -> dict[str, Any]:
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


def rate_figure(lab: Lab, numbers: Mapping[str, Any], case: str, title: str) -> Figure:
    """One stream: its window, and the rate that it allows, beside what the slide and the formula say."""
    found, ds, scenario = numbers[case], lab.windows(case), lab.scenario(case)
    figure = framed(
        title,
        f"{scenario.flows[0].kind.upper()} over {found['rtt_ms']:.0f} ms, bottleneck {scenario.bottleneck.rate_mbps:g} "
        f"Mb/s, {found['seconds']:g} s; {found['sent']} packets sent, {found['dropped']} dropped",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "")
    _window(above, ds, scenario)
    times, rates = rates_mbps(ds, scenario)
    below.plot(
        times, rates, color=looks.PER_PACKET.colour, linewidth=0.9, label="window / RTT, at most the link's rate"
    )
    below.axhline(found["mbps"], color="black", label=f"mean of the run: {found['mbps']:.1f}")
    if "formula_mbps" in found:
        below.axhline(found["formula_mbps"], color=looks.FORMULA.colour, linestyle=":", linewidth=1.6,
                      label=f"closed form: {found['formula_mbps']:.1f}")  # fmt: skip
    said = lab.settings.said_mbps[case]
    below.axhline(said, color=looks.SLIDE.colour, linestyle="--", label=f"the slide: {said:g}")
    below.set_ylabel("payload in Mb/s")
    below.set_ylim(0, None)
    legend(figure)
    return figure


def _window(ax: Axes, ds: xr.Dataset, scenario: Scenario) -> None:
    steps = metrics.window(ds, 1)
    ax.plot(steps["time_s"], steps["cwnd"], color=looks.PER_PACKET.colour, linewidth=0.9)
    for times in (metrics.times_of(ds, 1, cause) for cause in ("fast_retransmit", "timeout")):
        ax.plot(times, np.zeros(times.size), "|", color=style.MARKS["drop"].colour, markersize=9, clip_on=False)
    ax.set_ylabel("cwnd in packets")
    ax.set_ylim(0, None)
    ax.set_xlim(0, scenario.end_s)
    note(ax, "red strokes: losses")


def three_minutes(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 12."""
    return rate_figure(lab, numbers, "three-minutes", "NIKHEF to EVL: HighSpeed TCP for three minutes")


def an_hour(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 13."""
    return rate_figure(lab, numbers, "an-hour", "NIKHEF to ANL: an hour over a path of 622 Mb/s")


def near_gige(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slides 16 and 17."""
    return rate_figure(lab, numbers, "near-gige", "The ideal flow: jumbo frames, 196 ms, nothing lost")
