"""Where a stream can be stopped on its way: the chapter's paths, drawn from their scenarios."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from simcore import Scenario
from workbook.chapters.large_fat import looks
from workbook.chapters.large_fat.long_runs import rtt_s
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed

CASES = ("single", "single-1200", "receiver", "datatag", "near-gige")
TITLE = "Five paths: the red arrow is the narrowest link, in front of it packets wait"
ENDLESS = 10_000  # packets: a queue of so many is never full
BOX: dict[str, object] = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": "#8a8a8a"}


def paths(scenarios: Mapping[str, Scenario], ax: Axes | None = None) -> Axes:
    """A row for each path: the host, its link, the memory, the line, the receiver; rates, delays and queues."""
    if ax is None:
        figure = framed(
            TITLE, "of each path the first stream; queues that are never full are not numbered", plt.figure()
        )
        ax = figure.add_axes((0.01, 0.02, 0.98, 0.86))
    for row, (name, scenario) in enumerate(scenarios.items()):
        _row(ax, name, scenario, -row)
    ax.set(xlim=(0, 1), ylim=(-len(scenarios) + 0.4, 0.6))
    ax.axis("off")
    words = "; ".join(f"{name}: {_words(scenario)}" for name, scenario in scenarios.items())
    return describe(ax, f"The paths: {words}.", f"{TITLE}. {words}.", TITLE)


def fast_mbps(scenario: Scenario) -> float:
    """The rate of the first stream's own link, or of its host's interface."""
    flow = scenario.flows[0]
    link = flow.access or scenario.hosts[0]
    return link.rate_mbps


def _row(ax: Axes, name: str, scenario: Scenario, y: float) -> None:
    line, fast = scenario.bottleneck, fast_mbps(scenario)
    ax.text(0.01, y + 0.3, name, fontweight="bold", va="center")
    for x, text in ((0.1, _host(scenario)), (0.42, _memory(scenario)), (0.88, "receiver")):
        ax.text(x, y - 0.06, text, ha="center", va="center", bbox=BOX)
    for ends, words, narrow in (
        ((0.19, 0.33), f"{fast:g} Mb/s", fast < line.rate_mbps),
        ((0.51, 0.82), f"{line.rate_mbps:g} Mb/s, RTT {1e3 * rtt_s(scenario):.0f} ms", line.rate_mbps <= fast),
    ):
        colour = style.MARKS["drop"].colour if narrow else looks.FORMULA.colour
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.6 if narrow else 1.4}
        ax.annotate("", (ends[1], y - 0.06), (ends[0], y - 0.06), arrowprops=arrow)
        ax.text(sum(ends) / 2, y + 0.02, words, ha="center", va="bottom", color=colour)


def _host(scenario: Scenario) -> str:
    queue = f"\ninterface queue {scenario.hosts[0].queue_packets}" if scenario.hosts else ""
    return f"host{queue}"


def _memory(scenario: Scenario) -> str:
    held = getattr(scenario.bottleneck, "buffer_packets", None)
    return f"memory\n{held} packets" if held is not None and held < ENDLESS else "memory"


def _words(scenario: Scenario) -> str:
    return f"{fast_mbps(scenario):g} into {scenario.bottleneck.rate_mbps:g} Mb/s, {1e3 * rtt_s(scenario):.0f} ms"
