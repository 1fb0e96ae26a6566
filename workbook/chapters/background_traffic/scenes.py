"""A few moments of a run, packet by packet: what the still pictures of the player show."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore import Scenario
from simcore.metrics.series import Array
from workbook.chapters.background_traffic.looks import looks, names
from workbook.chapters.background_traffic.topology import draw_network, places
from workbook.export.player import ROUTERS, Journeys, Point, Scene, journeys
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, tag

JUST_BEFORE_S = 1e-6  # a drop, as the buffer's next packet may leave at the same instant


def waiting_at(packets: Journeys, when: float) -> Array:
    """The flows of the packets in the buffer, without the one being sent; the next to be sent comes first."""
    enqueued, dequeued = packets.times[:, 1], packets.times[:, 2]
    rows = np.flatnonzero(~packets.is_ack & (enqueued <= when) & (when < dequeued))
    waiting: Array = packets.flow[rows[np.argsort(dequeued[rows], kind="stable")]]
    return waiting


def drops_of(packets: Journeys, scene: Scene) -> Array:
    """When packets were refused within a scene."""
    refused = ~packets.is_ack & ~np.isnan(packets.times[:, 1]) & np.isnan(packets.times[:, 2])
    times = packets.times[refused, 1]
    within: Array = np.sort(times[(times >= scene.from_s) & (times < scene.to_s)])
    return within


def stills_figure(
    run: xr.Dataset, scenario: Scenario, nodes: Sequence[tuple[int, int]], scenes: Sequence[Scene], subtitle: str
) -> Figure:
    """The network at the first drop of each scene."""
    title = "The simulation at two moments: a packet finds the buffer full"
    figure = framed(title, subtitle)
    for place, scene in enumerate(scenes):
        packets = journeys(run, scene)
        when = float(drops_of(packets, scene)[0]) - JUST_BEFORE_S
        ax = figure.add_axes((0.01 + 0.495 * place, 0.02, 0.485, 0.78))
        tag(ax, f"{when:.6f} s", style.QUIET)
        draw_network(ax, scenario, nodes)
        _draw_packets(ax, packets, when, scenario, places(scenario, nodes))
    caption = "Two moments of what simulation.html plays: packets on links, the buffer, drops."
    return describe(figure, caption, f"{subtitle}. {'. '.join(scene.title for scene in scenes)}.", title)


def _draw_packets(
    ax: Axes, packets: Journeys, when: float, scenario: Scenario, ends: Sequence[tuple[Point, Point]]
) -> None:
    colours = [look.colour for look in looks(scenario)]
    for flow, is_ack, times in zip(packets.flow, packets.is_ack, packets.times, strict=True):
        point = position(times, bool(is_ack), when, ends[flow - 1])
        if point is not None:
            ax.plot(*point, marker="." if is_ack else "s", markersize=4 if is_ack else 5.5, color=colours[flow - 1],
                    markeredgewidth=0, zorder=2.5)  # fmt: skip
    for place, flow in enumerate(waiting_at(packets, when)):
        ax.plot(ROUTERS[0][0] - 0.3, 0.565 + 0.03 * place, marker="s", markersize=6, color=colours[flow - 1], zorder=5)
    drop = style.MARKS["drop"]
    ax.plot(ROUTERS[0][0] - 0.3, 0.565 + 0.03 * 9.6, marker=drop.marker, color=drop.colour, markersize=9, zorder=6)
    known = ", ".join(dict.fromkeys(names(scenario)[flow - 1] for flow in waiting_at(packets, when)))
    ax.text(ROUTERS[0][0] + 0.1, 0.93, f"buffer: {known}", fontsize=8, color=style.QUIET, va="center")


def position(times: Any, is_ack: bool, when: float, ends: tuple[Point, Point]) -> Point | None:
    """Where on the drawing a packet is, or nowhere: before, after, or waiting in a buffer."""
    sender, receiver = ends
    way = [receiver, ROUTERS[1], ROUTERS[0], sender] if is_ack else [sender, *ROUTERS, receiver]
    for hop, (begun, over) in enumerate(((0, 1), (2, 3), (3, 4))):
        if times[begun] <= when < times[over]:
            part = (when - times[begun]) / (times[over] - times[begun])
            (x0, y0), (x1, y1) = way[hop], way[hop + 1]
            return (x0 + part * (x1 - x0), y0 + part * (y1 - y0) + (-0.012 if is_ack else 0.012))
    return None
