"""The page that plays scenes of a run: one file without any other, for any browser."""

import json
from collections.abc import Sequence

import xarray as xr

from simcore import Scenario
from workbook.background.looks import looks, names
from workbook.background.page import PAGE
from workbook.background.scenes import journeys, picture_of
from workbook.background.settings import Scene
from workbook.background.topology import ROUTERS, buffer_packets, places
from workbook.style import MARKS


def player_page(
    run: xr.Dataset, scenario: Scenario, nodes: Sequence[tuple[int, int]], scenes: Sequence[Scene], title: str
) -> str:
    """The HTML page. The same run gives the same text."""
    content = {
        "title": title,
        "flows": [
            {"name": name, "colour": look.colour, "nodes": pair, "ends": ends}
            for name, look, pair, ends in zip(
                names(scenario), looks(scenario), nodes, places(scenario, nodes), strict=True
            )
        ],
        "routers": ROUTERS,
        "room": buffer_packets(scenario) - 1,
        "drop": MARKS["drop"].colour,
        "scenes": [
            {
                "title": scene.title,
                "from_s": scene.from_s,
                "length_us": round(1e6 * (scene.to_s - scene.from_s)),
                "rows": picture_of(journeys(run, scene), scene),
            }
            for scene in scenes
        ],
    }
    return PAGE.replace("__CONTENT__", json.dumps(content, separators=(",", ":")).replace("</", "<\\/"))
