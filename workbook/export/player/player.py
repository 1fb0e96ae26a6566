"""The page that plays scenes of a run: one file without any other, for any browser."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import xarray as xr

from simcore import metrics
from workbook.export.player.page import PAGE
from workbook.export.player.scene import Scene, journeys, longest_trip_s, picture_of
from workbook.plots.style import MARKS

Point = tuple[float, float]  # from the left, 0 to 10, and from the bottom, 0 to 1

ROUTERS: tuple[Point, Point] = ((3.4, 0.5), (6.6, 0.5))
EASY_TO_SEE_S = 0.09  # for which a packet's transmission is shown
SPEEDS = (1, 5, 20, 50, 200, 500)  # times slower, as the page offers them


class Host(NamedTuple):
    """A flow on the drawing: its name and colour; the labels of its sender and its receiver, and where they stand."""

    name: str
    colour: str
    nodes: tuple[int | str, int | str]
    ends: tuple[Point, Point]


def player_page(
    run: xr.Dataset,
    hosts: Sequence[Host],
    labels: tuple[str, str],
    room: int,
    scenes: Sequence[Scene],
    title: str,
) -> str:
    """The HTML page; `labels` are the routers', `room` is how many may wait. The same run gives the same text."""
    packet_us = transmission_s(run) * 1e6
    content = {
        "title": title,
        "flows": [host._asdict() for host in hosts],
        "routers": ROUTERS,
        "labels": labels,
        "room": room,
        "packet_us": round(packet_us),
        "longest_us": round(1e6 * longest_trip_s(run)) + 1,
        "slower": min(SPEEDS, key=lambda slower: abs(slower * packet_us * 1e-6 - EASY_TO_SEE_S)),
        "drop": MARKS["drop"].colour,
        "scenes": [_scene(run, scene) for scene in scenes],
    }
    return PAGE.replace("__CONTENT__", json.dumps(content, separators=(",", ":")).replace("</", "<\\/"))


def transmission_s(run: xr.Dataset) -> float:
    """How long the bottleneck takes to send the largest packet."""
    return 8e-6 * int(run["packet_bytes"].values.max(initial=1)) / metrics.rate_mbps(run)


def _scene(run: xr.Dataset, scene: Scene) -> dict[str, object]:
    return {
        "title": scene.title,
        "from_s": scene.from_s,
        "length_us": round(1e6 * (scene.to_s - scene.from_s)),
        "rows": picture_of(journeys(run, scene), scene),
    }
