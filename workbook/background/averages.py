"""What the streams get on average, with intervals, and what the paper printed beside it."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import Scenario
from workbook import style
from workbook.background.looks import looks, names
from workbook.background.settings import Printed
from workbook.plots.frame import framed, legend, stack

PAPER = style.Look("#111111", "D")


def averages_figure(
    numbers: Mapping[str, Any], scenario: Scenario, printed: Mapping[str, Printed], title: str
) -> Figure:
    """Bars of the mean bandwidth of each stream, with Student's interval, and the paper's beside it."""
    about = numbers["flow1"]["mbps"]
    seeds = f"n = {about['n']}, seeds {about['seeds'][0]} to {about['seeds'][-1]}"
    figure = framed("What each stream gets on average", f"{title}; {seeds}; bars: 95 % intervals (ours Student's)")
    [panels] = stack(figure, 1, 2, "", "Mb/s over the whole run")
    for ax, kind in zip(panels, ("tcp", "udp"), strict=True):
        flows = [i for i, flow in enumerate(scenario.flows) if flow.kind == kind]
        for place, i in enumerate(flows):
            _bar(ax, place, numbers[f"flow{i + 1}"], looks(scenario)[i])
            if f"flow{i + 1}" in printed:
                _printed(ax, place + 0.3, printed[f"flow{i + 1}"])
        ax.set_xticks(range(len(flows)), [names(scenario)[i] for i in flows])
        ax.tick_params(labelbottom=True)
        ax.set_xlim(-0.6, max(len(flows) - 1, 1) + 0.6)
    legend(figure)
    return figure


def _bar(ax: Axes, place: float, flow: Mapping[str, Any], look: style.Look) -> None:
    mbps = flow["mbps"]
    ax.bar(place - 0.1, mbps["mean"], 0.5, color=look.colour, alpha=0.85)
    if "student" in mbps:
        ax.errorbar(
            place - 0.1, mbps["mean"], mbps["student"]["half_width"], color="black", capsize=5, linestyle="",
            label="our interval",
        )  # fmt: skip
    text = f"{mbps['mean']:.3g} Mb/s\n{flow['share_percent']:.1f} %\nof all carried"
    ax.text(
        place - 0.1, 0.03, text, transform=ax.get_xaxis_transform(), ha="center", va="bottom", color="white",
        fontsize=8, fontweight="bold",
    )  # fmt: skip


def _printed(ax: Axes, place: float, said: Printed) -> None:
    ax.errorbar(
        [place], [said.mean], [[said.mean - said.low], [said.high - said.mean]], color=PAPER.colour,
        marker=PAPER.marker, markerfacecolor="white", markersize=6, capsize=5, linestyle="",
        label="as printed in the paper",
    )  # fmt: skip


def cases_figure(
    numbers: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str], printed: Mapping[str, Printed]
) -> Figure:
    """Reno's and Tahoe's averages in every configuration, and the paper's as bands across all of them."""
    about = next(iter(numbers.values()))["flow1"]["mbps"]
    figure = framed(
        "Which network was it? The delays, which the paper leaves out, decide",
        f"Averages of n = {about['n']} runs with 95 % intervals (Student); bands: the paper's intervals",
    )
    [[ax]] = stack(figure, 1, 1, "", "Mb/s over the whole run")
    for flow, (name, look) in enumerate(zip(("TCP Reno", "TCP Tahoe"), style.FLOWS["tcp"], strict=True), start=1):
        mbps = [each[f"flow{flow}"]["mbps"] for each in numbers.values()]
        widths = [each["student"]["half_width"] if "student" in each else 0 for each in mbps]
        places = [place + 0.12 * (2 * flow - 3) for place in range(len(mbps))]
        said = printed[f"flow{flow}"]
        ax.axhspan(said.low, said.high, color=look.colour, alpha=0.22, label=f"{name} in the paper")
        ax.errorbar(
            places, [each["mean"] for each in mbps], widths, color=look.colour, marker=look.marker, markersize=8,
            capsize=4, linestyle="", label=name,
        )  # fmt: skip
    ax.set_xticks(range(len(numbers)), [titles[case] for case in numbers], fontsize=8.5)
    ax.tick_params(labelbottom=True)
    ax.set_xlim(-0.5, len(numbers) - 0.5)
    ax.set_ylim(bottom=0)
    legend(figure)
    return figure
