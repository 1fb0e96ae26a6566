"""Keep what a sweep of the phase effect found.

python -m workbook.chapters.background_traffic.keep build/sweeps/background-map.zarr
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import xarray as xr

from workbook.chapters.background_traffic.phase import KEPT, kept


def keep(stores: Sequence[str]) -> None:
    """Write each finished sweep to figures/sweeps/, under its own name. Raises ValueError for an unfinished one."""
    for store in stores:
        with xr.open_zarr(store) as sweep:
            if not bool(sweep["simulated"].all()):
                raise ValueError(f"{store}: not all cells are simulated yet; the sweep's command continues it")
            target = KEPT / f"{Path(store).stem}.json"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(kept(sweep), separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    keep(sys.argv[1:])
