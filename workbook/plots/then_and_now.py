"""The same configurations under several TCPs, side by side."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook import style
from workbook.plots.frame import framed, legend, stack, tag

SHADES = ("#0b4a8f", "#7fb2de", "#c9c9c9")  # the study's own first, then lighter
HATCHES = ("", "//", "..")
LABEL_CHARACTERS = 12  # a line of a case's title below its bars


def then_and_now_figure(eras: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str]) -> Figure:
    """Bars of the throughput, a panel for each flow, a group for each case, a bar for each TCP."""
    figure = framed("Then and now: what each flow gets under three TCPs", "Same scenarios, other implementations")
    flows = [name for name in next(iter(next(iter(eras.values())).values())) if name.startswith("flow")]
    panels = stack(figure, len(flows), 1, "", "throughput in kb/s")
    for (ax,), flow in zip(panels, flows, strict=True):
        kind = next(iter(next(iter(eras.values())).values()))[flow]["kind"]
        tag(ax, f"{kind.upper()}, flow {flow.removeprefix('flow')}", style.QUIET)
        _bars(ax, {era: [found[case][flow]["throughput_kbps"] for case in titles] for era, found in eras.items()})
        ax.set_xticks(range(len(titles)), [fill(title, LABEL_CHARACTERS) for title in titles.values()])
    legend(figure)
    return figure


def _bars(ax: Axes, heights: Mapping[str, list[float]]) -> None:
    width = 0.8 / len(heights)
    looks = zip(SHADES, HATCHES, strict=True)
    for place, ((era, values), (shade, hatch)) in enumerate(zip(heights.items(), looks, strict=False)):
        middle = np.arange(len(values)) + (place - (len(heights) - 1) / 2) * width
        ax.bar(middle, values, 0.92 * width, color=shade, hatch=hatch, edgecolor="white", linewidth=0, label=era)
