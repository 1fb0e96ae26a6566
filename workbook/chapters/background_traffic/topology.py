"""The network, drawn from the scenario: nodes, links, rates, delays and buffers."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import Scenario
from simcore.rules.queues import droptail
from simcore.scenario.links import Link
from workbook.chapters.background_traffic.looks import looks, names
from workbook.export.player import ROUTERS, Point
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed

LEFT_X, RIGHT_X = 1.1, 8.9
FROM_TOP = (0.92, 0.64, 0.36, 0.08)  # heights of four hosts, in the order of their numbers


def places(scenario: Scenario, nodes: Sequence[tuple[int, int]]) -> list[tuple[Point, Point]]:
    """Where the sender and the receiver of each flow stand: by their numbers, from the top."""
    sides = []
    for side, x in ((0, LEFT_X), (1, RIGHT_X)):
        ranks = sorted(pair[side] for pair in nodes)
        sides.append([(x, FROM_TOP[ranks.index(pair[side])]) for pair in nodes[: len(scenario.flows)]])
    return list(zip(*sides, strict=True))


def buffer_packets(scenario: Scenario) -> int:
    """What the bottleneck's buffer holds, the packet being sent included. Raises ValueError if it counts bytes."""
    link = scenario.bottleneck
    if not isinstance(link, droptail.Settings) or link.buffer_packets is None:
        raise ValueError(f"{scenario.name}: bottleneck: only a drop-tail buffer in packets can be drawn")
    return link.buffer_packets


def topology_figure(scenario: Scenario, nodes: Sequence[tuple[int, int]], subtitle: str) -> Figure:
    """The dumbbell with everything that the scenario says of its links and flows."""
    title = "The dumbbell: four streams, one bottleneck"
    figure = framed(title, subtitle)
    ax = figure.add_axes((0.01, 0.02, 0.98, 0.84))
    draw_network(ax, scenario, nodes)
    for i, (flow, (sender, receiver)) in enumerate(zip(scenario.flows, places(scenario, nodes), strict=True)):
        for link, end, router in ((flow.access, sender, ROUTERS[0]), (flow.exit, receiver, ROUTERS[1])):
            if link is not None:
                _label(ax, link, end, router)
        text = f"{names(scenario)[i]}\n{flow.start_s:g} to {flow.stop_s:g} s\n{flow.packet_bytes} bytes"
        look: dict[str, Any] = {"va": "center", "fontsize": 8.5, "color": looks(scenario)[i].colour}
        ax.text(sender[0] - 0.22, sender[1], text, ha="right", **look)
        ax.text(receiver[0] + 0.22, receiver[1], f"receives\n{names(scenario)[i]}", ha="left", **look)
    shared = scenario.bottleneck
    ax.text(5, 0.56, f"{shared.rate_mbps:g} Mb/s, {shared.delay_ms:g} ms", ha="center", fontsize=11, fontweight="bold")
    ax.text(5, 0.40, f"buffer of {buffer_packets(scenario)} packets", ha="center", color=style.QUIET)
    ax.text(5, 0.02, "The delays are ours: the paper names none.", ha="center", color=style.QUIET, fontsize=8.5)
    alt = f"{subtitle}. Two routers with hosts on both sides. {'; '.join(names(scenario))}."
    return describe(figure, "The network, drawn from the scenario.", alt, title)


def draw_network(ax: Axes, scenario: Scenario, nodes: Sequence[tuple[int, int]]) -> None:
    """Links as lines, hosts as discs in their flow's colour, the routers as squares."""
    ax.set_xlim(0, 10)
    ax.set_ylim(-0.06, 1.04)
    ax.axis("off")
    ax.plot(*zip(*ROUTERS, strict=True), color="#444444", linewidth=5, solid_capstyle="butt", zorder=1)
    for i, ends in enumerate(places(scenario, nodes)):
        for end, router, number in zip(ends, ROUTERS, nodes[i], strict=True):
            ax.plot(*zip(end, router, strict=True), color="#9a9a9a", linewidth=1.6, zorder=1)
            _node(ax, end, str(number), "o", looks(scenario)[i].colour)
    for router, label in zip(ROUTERS, ("4", "5"), strict=True):
        _node(ax, router, label, "s", "#444444")


def _node(ax: Axes, place: Point, number: str, marker: str, colour: str) -> None:
    ax.plot(*place, marker=marker, markersize=21, color=colour, markeredgecolor="white", zorder=3)
    ax.text(*place, number, ha="center", va="center", color="white", fontweight="bold", zorder=4)


def _label(ax: Axes, link: Link, end: Point, router: Point) -> None:
    x, y = (0.55 * end[0] + 0.45 * router[0], 0.55 * end[1] + 0.45 * router[1])
    ax.text(x, y, f"{link.rate_mbps:g} Mb/s, {link.delay_ms:g} ms", ha="center", va="center", fontsize=7.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2}, zorder=2)  # fmt: skip
