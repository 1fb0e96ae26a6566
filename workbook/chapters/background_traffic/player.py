"""The page that plays scenes of the chapter's runs, with the paper's names and numbers of nodes."""

from collections.abc import Sequence

import xarray as xr

from simcore import Scenario
from workbook.chapters.background_traffic.looks import looks, names
from workbook.chapters.background_traffic.topology import buffer_packets, places
from workbook.export import player


def player_page(
    run: xr.Dataset,
    scenario: Scenario,
    nodes: Sequence[tuple[int, int]],
    scenes: Sequence[player.Scene],
    title: str,
) -> str:
    """The HTML page. The same run gives the same text."""
    ends = places(scenario, nodes)
    hosts = [
        player.Host(name, look.colour, pair, end)
        for name, look, pair, end in zip(names(scenario), looks(scenario), nodes, ends, strict=True)
    ]
    return player.player_page(run, hosts, ("4", "5"), buffer_packets(scenario) - 1, scenes, title)
