"""What a sweep tells: how far it is (a bar on a terminal, a line now and then elsewhere), and what it made."""

import sys
import time
from pathlib import Path
from typing import Final

import click
from tqdm import tqdm

from workbook.sweep.design import Design, Dimension

SECONDS_BETWEEN_LINES: Final = 10


class Progress:
    """So many cells of all; what it shows goes to standard error."""

    def __init__(self, done: int, cells: int, what: str = "cells") -> None:
        self.done, self.cells, self.what = done, cells, what
        self.reported_s = time.monotonic()
        self.bar = None
        if sys.stderr.isatty():
            self.bar = tqdm(initial=done, total=cells, unit=f" {what}", delay=1, dynamic_ncols=True, leave=False)

    def advance(self, cells: int) -> None:
        """So many more are done."""
        self.done += cells
        if self.bar is not None:
            self.bar.update(cells)
        elif time.monotonic() - self.reported_s > SECONDS_BETWEEN_LINES:
            self.reported_s = time.monotonic()
            click.echo(f"{self.done:,} of {self.cells:,} {self.what}", err=True)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.close()


def summary(design: Design, simulated: int, seconds: float, output: Path) -> str:
    """The dimensions with their values, how long it took, where the result is and how it is opened."""
    rows = [(d.name, _values(d), ", ".join(_paths(d))) for d in design.dimensions]
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = [f"{name.ljust(widths[0])}  {values.ljust(widths[1])}  {paths}".rstrip() for name, values, paths in rows]
    if simulated:
        done = f"{simulated:,} simulated in {seconds:.1f} s, {simulated / seconds:,.0f} a second"
    else:
        done = "all of them were there already"
    opening = f'import xarray as xr; ds = xr.open_zarr("{output}")'
    return "\n".join([*lines, f"{design.cells:,} cells: {done}", f"{output}, in Python: {opening}"])


def _values(dimension: Dimension) -> str:
    first, last = dimension.at(0), dimension.at(dimension.size - 1)
    return f"{first} ... {last} ({dimension.size})" if dimension.size > 1 else str(first)


def _paths(dimension: Dimension) -> list[str]:
    return [path for column in dimension.columns for path in column.targets]
