"""Shows how far a sweep is: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from typing import Final

import click
from tqdm import tqdm

SECONDS_BETWEEN_LINES: Final = 10


class Progress:
    """So many cells of all; what it shows goes to standard error."""

    def __init__(self, done: int, cells: int) -> None:
        self.done, self.cells = done, cells
        self.told = time.monotonic()
        live = sys.stderr.isatty()
        self.bar = tqdm(initial=done, total=cells, unit=" cells", dynamic_ncols=True, leave=False) if live else None

    def advance(self, cells: int) -> None:
        """So many more are done."""
        self.done += cells
        if self.bar is not None:
            self.bar.update(cells)
        elif time.monotonic() - self.told > SECONDS_BETWEEN_LINES:
            self.told = time.monotonic()
            click.echo(f"{self.done:,} of {self.cells:,} cells", err=True)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.close()
