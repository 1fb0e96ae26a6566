"""Slide 15: the table again, each cell beside the original, with what had to be chosen and how much that matters."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.settings import Cell, Settings
from workbook.chapters.statistics import Statistics
from workbook.plots.describe import describe
from workbook.plots.frame import framed

CASES = (
    *("single", "multi", "multi-together", "udp", "single-1200", "multi-1200", "udp-1200"),
    *("post-igrid", "post-igrid-multi", "post-igrid-udp", "datatag", "datatag-multi", "datatag-udp"),
)
COLUMNS = {"single": "single stream", "multi": "eight streams", "udp": "UDP"}
TITLE = "TCP performance comparison: the slide's table and ours"


def measure(lab: Lab) -> Statistics:
    """For each row and column what came out in Mb/s, what the slide says, and between which values it moves."""
    rows: Statistics = {}
    by_case: dict[str, Statistics] = {}
    for name, row in lab.settings.table.items():
        for column, cell in row.cells.items():
            if cell.case not in by_case:
                by_case[cell.case] = _cell(lab, cell)
            rows.setdefault(name, {})[column] = by_case[cell.case] | {"said": cell.said, "mark": cell.mark}
    return {"rows": rows}


def _cell(lab: Lab, cell: Cell) -> Statistics:
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


def variations(cell: Cell) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The other runs by which a cell's sensitivity is judged: cases, and the grid of what is varied."""
    yield from ((case, {}) for case in cell.also)
    if cell.vary:
        for values in product(*cell.vary.values()):
            yield cell.case, dict(zip(cell.vary, values, strict=True))


def as_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """The table for a reader: said, came out, range, mark, and what the cell needs."""
    rows = {}
    for name, row in settings.table.items():
        for column, cell in row.cells.items():
            result = numbers["rows"][name][column]
            rows[row.network, column] = {
                "slide 15": f"{cell.said:g}",
                "came out": f"{result['mbps']:.1f}",
                "between": f"{result['low']:.0f} and {result['high']:.0f}" if result["runs"] > 1 else "",
                "": cell.mark,
                "what it needs": cell.needs,
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(rows, names=["network", "Mb/s"])
    return table


def table_figure(settings: Settings, numbers: Statistics) -> Figure:
    """The slide's table as a map: each cell says both numbers, and its colour by how much ours is off."""
    networks = {name: row.network for name, row in settings.table.items()}
    cells = pd.DataFrame(
        [
            {"network": networks[name], "column": COLUMNS[column], "off": 100 * (cell["mbps"] / cell["said"] - 1),
             "text": _text(cell)}
            for name, row in numbers["rows"].items() for column, cell in row.items()
        ]
    )  # fmt: skip
    off, text = (cells.pivot(index="network", columns="column", values=what) for what in ("off", "text"))
    figure = framed(
        TITLE, "payload in Mb/s: slide → simulated, how far off; below: its range, over what the slides leave open"
    )
    ax = figure.add_axes((0.2, 0.03, 0.785, 0.79))
    order: dict[str, Any] = {"index": list(networks.values()), "columns": list(COLUMNS.values())}
    sns.heatmap(
        off.reindex(**order), annot=text.reindex(**order), fmt="", cmap="PuOr", center=0, vmin=-20, vmax=20, ax=ax,
        linewidths=2, annot_kws={"fontsize": 9.5, "linespacing": 1.5}, cbar=False,
    )  # fmt: skip
    ax.set(xlabel="", ylabel="")
    ax.tick_params(labelbottom=False, labeltop=True, rotation=0, length=0)
    words = "; ".join(f"{cell.network}, {cell.column}: {cell.text}".replace("\n", ", ") for cell in cells.itertuples())
    caption = "Slide 15: the table beside ours; *fitted*: something was chosen to meet the number."
    return describe(figure, caption, f"{TITLE}. {words}.", TITLE)


def _text(cell: Statistics) -> str:
    between = f", {cell['low']:.0f} to {cell['high']:.0f}" if cell["runs"] > 1 else ""
    off = 100 * (cell["mbps"] / cell["said"] - 1)
    return f"{cell['said']:g} → {cell['mbps']:.1f}, {off:+.1f} %\n{cell['mark']}{between}"
