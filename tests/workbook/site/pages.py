"""A small explorer for the tests: the same page with fewer positions, made in seconds."""

from functools import cache
from pathlib import Path
from typing import Any

from workbook.explore.address import BEGIN
from workbook.explore.catalogue import catalogue
from workbook.explore.controls import read_of
from workbook.explore.futures import parted
from workbook.explore.setting import Setting
from workbook.site.controls import VALUES, controls_of
from workbook.site.explorer import explorer, families_of
from workbook.site.grid import Family
from workbook.site.stories import stories

FEW: dict[str, list[Any]] = {
    "kinds": ["reno", "cubic", "vegas", "highspeed", "cbr", "pareto"],
    "queues": ["droptail", "red", "drr", "codel", "fq_codel"],
    "rate_mbps": [1.0, 2.0],
    "delay_ms": [10.0, 100.0],
    "buffer_packets": [5, 19, 20, 50],
    "window_packets": [20, 60],
    "packet_bytes": [500, 1000],
    "udp_rate_mbps": [0.5, 0.95],
    "end_s": [5.5, 10.5],
    "gap_s": [0.0, 0.5],
    "links": [1, 2, 3],
    "jitter_ms": [0.0, 4.0],
    "loss_percent": [0.0, 2.0],
    "host_rate_mbps": [1.0, 10.0],
    "access_rate_mbps": [1.0, 10.0],
    "access_delay_ms": [1.0, 30.0],
    "access_step_ms": [0.0, 20.0],
    "exit_rate_mbps": [1.0, 10.0],
    "exit_delay_ms": [1.0, 30.0],
}


@cache
def small_family(flows: int = 2) -> Family:
    """Its settings with so many flows."""
    return next(family for family in _families() if family.flows == flows)


@cache
def _families() -> list[Family]:
    return families_of((1, 2, 4), FEW)


def baseline() -> Setting:
    """What it begins with."""
    return catalogue()[BEGIN]


@cache
def small_page() -> str:
    """Its HTML."""
    return explorer((1, 2), FEW)


@cache
def story_page() -> str:
    """The HTML of one whose controls can say what the stories need, and little else."""
    return explorer((2,), {name: sorted(found) for name, found in _told_values().items()})


def _told_values() -> dict[str, set[Any]]:
    told = [parted(setting)[0] for story in stories().values() for setting in story.settings().values()]
    found: dict[str, set[Any]] = {}
    for control in controls_of(baseline(), {}):
        name = "kinds" if control.name.startswith("kind_") else "queues" if control.name == "queue" else control.name
        read = {read_of(control.name, setting) for setting in (*told, baseline())}
        if name in VALUES or name in ("kinds", "queues"):
            found.setdefault(name, set()).update(control.usual if value is None else value for value in read)
    return found


@cache
def five_flows() -> str:
    """The HTML of one with five flows and fewer kinds still, among them those with the longest words."""
    return explorer((5,), FEW | {"kinds": ["reno", "highspeed", "exponential"], "links": [1, 2]})


def written(folder: Path, page: str | None = None) -> str:
    """The address of a page on the disk."""
    file = folder / "explore.html"
    file.write_text(page or small_page(), "utf-8")
    return file.as_uri()
