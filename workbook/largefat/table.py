"""Slide 15: the table again, each cell beside the original, with what had to be chosen and how much that matters."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.largefat import looks
from workbook.largefat.lab import Lab
from workbook.largefat.settings import Cell
from workbook.plots.frame import framed

CASES = (
    *("single", "multi", "multi-together", "udp", "single-1200", "multi-1200", "udp-1200"),
    *("post-igrid", "post-igrid-multi", "post-igrid-udp", "datatag", "datatag-multi", "datatag-udp"),
)
COLUMNS = ("single", "multi", "udp")
MARKS = {"predicted": "#1b7f3b", "fitted": "#b3480a", "unexplained": "#d0021b"}


def measure(lab: Lab) -> dict[str, Any]:
    """For each row and column what came out in Mb/s, what the slide says, and between which values it moves."""
    rows: dict[str, Any] = {}
    found: dict[str, dict[str, Any]] = {}
    for name, row in lab.settings.table.items():
        for column, cell in row.cells.items():
            if cell.case not in found:
                found[cell.case] = _cell(lab, cell)
            rows.setdefault(name, {})[column] = found[cell.case] | {"said": cell.said, "mark": cell.mark}
    return {"rows": rows}


def _cell(lab: Lab, cell: Cell) -> dict[str, Any]:
    run = lab.counted(cell.case)
    total = float(run.mbps.sum())
    rates = [total, *(float(lab.counted(case, changes).mbps.sum()) for case, changes in variations(cell))]
    return {
        "mbps": total,
        "low": min(rates),
        "high": max(rates),
        "runs": len(rates),
        "dropped": run.total("dropped"),
        "case": cell.case,
    }


def variations(cell: Cell) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The other runs by which a cell's sensitivity is judged: cases, and the grid of what is varied."""
    yield from ((case, {}) for case in cell.also)
    if cell.vary:
        for values in product(*cell.vary.values()):
            yield cell.case, dict(zip(cell.vary, values, strict=True))


def as_table(lab: Lab, numbers: Mapping[str, Any]) -> pd.DataFrame:
    """The table for a reader: said, came out, range, mark, and what the cell needs."""
    rows = {}
    for name, row in lab.settings.table.items():
        for column, cell in row.cells.items():
            found = numbers["rows"][name][column]
            rows[row.network, column] = {
                "slide 15": f"{cell.said:g}",
                "came out": f"{found['mbps']:.1f}",
                "between": f"{found['low']:.0f} and {found['high']:.0f}" if found["runs"] > 1 else "",
                "": cell.mark,
                "what it needs": cell.needs,
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(rows, names=["network", "Mb/s"])
    return table


def table_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """The slide's table beside ours: a bar for the range, a mark for each number."""
    figure = framed(
        "TCP performance comparison: the slide's table and ours",
        "payload in Mb/s; star: the slide; dot: simulated; line: what other choices of what the slides leave open give",
    )
    grid = figure.add_gridspec(1, 3, left=0.2, right=0.985, bottom=0.09, top=0.8, wspace=0.08)
    networks = [row.network for row in lab.settings.table.values()]
    for i, column in enumerate(COLUMNS):
        ax = figure.add_subplot(grid[0, i])
        _column(ax, [row[column] for row in numbers["rows"].values()])
        ax.set_title({"single": "Single Stream", "multi": "Multi Stream", "udp": "UDP"}[column], fontsize=10)
        ax.set_yticks(range(len(networks)), networks if i == 0 else [])
    for i, (mark, colour) in enumerate(MARKS.items()):
        figure.text(0.2 + 0.1 * i, 0.868, mark, color=colour, fontweight="bold")
    return figure


def _column(ax: Axes, cells: list[Mapping[str, Any]]) -> None:
    for row, cell in enumerate(cells):
        colour = MARKS[cell["mark"]]
        ax.hlines(row, cell["low"], cell["high"], color=colour, linewidth=5, alpha=0.35)
        ax.plot(cell["mbps"], row, "o", color=colour, markersize=6)
        ax.plot(cell["said"], row, looks.SLIDE.marker, color=looks.SLIDE.colour, markersize=12, markerfacecolor="none")
        ax.text(15, row - 0.2, f"{cell['said']:g}  →  {cell['mbps']:.1f}", color=colour, va="bottom", fontsize=8.5)
    ax.set_xlim(0, 1000)
    ax.set_xticks([0, 250, 500, 750])
    ax.set_ylim(len(cells) - 0.5, -0.6)
    ax.grid(axis="y", visible=False)
