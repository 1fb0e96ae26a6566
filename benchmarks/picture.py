"""The speeds as points, a panel for each load: on a logarithmic axis a bar has no length."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.report import number
from workbook.plots import style

Json = Mapping[str, Any]

OURS = ("compiled", "recorded", "process")
LEFT_OUT = ("ns2-lean", "ns2-whole")  # in the table, for those who want to know
OURS_COLOUR, OTHERS_COLOUR = style.FLOWS["tcp"][0].colour, "#9aa5b1"


def picture(result: Json) -> Figure:
    """Draw all panels with one axis, so that points can be compared across them."""
    style.use()
    figure = Figure(figsize=(style.WIDTH_PX / style.DPI, 1.25 * style.HEIGHT_PX / style.DPI), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (key, load) in zip(panels.flat, result["loads"].items(), strict=True):
        _panel(axes, {name: s for name, s in result["speeds"].items() if name not in LEFT_OUT}, key)
        axes.set_title(load["title"])
    panels[0, 0].invert_yaxis()  # and with it all others: the first simulator on top
    figure.suptitle("Speed of the engines of this workbook (blue) and of other simulators (grey)", fontsize=11)
    figure.supxlabel("thousand data packets per CPU second (logarithmic)", fontsize=9.5, color="#333333")
    return figure


def _panel(axes: Axes, speeds: Json, load: str) -> None:
    for place, (name, simulator) in enumerate(speeds.items()):
        speed = simulator["loads"][load]
        if "missing" in speed:
            axes.text(1.2, place, "not measured", va="center", fontsize=8, color=style.QUIET)
            continue
        axes.plot(speed["median"], place, "o", color=OURS_COLOUR if name in OURS else OTHERS_COLOUR)
        axes.text(speed["median"] * 1.4, place, number(speed["median"]), va="center", fontsize=8.5)
    axes.set_xscale("log")
    axes.set_xlim(1, 1e6)  # room for the numbers behind the points
    axes.set_yticks(range(len(speeds)), [simulator["title"] for simulator in speeds.values()])
    axes.tick_params(axis="y", length=0)
