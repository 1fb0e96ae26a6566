"""Golden numbers of the round model (see golden/rounds/README.md)."""

import csv
import lzma
from typing import Any

import numpy as np
import xarray as xr

from simcore.rounds.rules.sender import KINDS
from tests.goldens import GOLDEN

FOLDER = GOLDEN / "rounds"


def table(name: str) -> list[dict[str, Any]]:
    """A golden table: one mapping from column to text a line."""
    with (FOLDER / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def series(name: str) -> dict[str, list[object]]:
    """A golden series by column."""
    lines = lzma.decompress((FOLDER / f"{name}.csv.xz").read_bytes()).decode().splitlines()
    rows = list(csv.DictReader(lines))
    return {column: [row[column] if column == "sent_kind" else int(row[column]) for row in rows] for column in rows[0]}


def series_of(dataset: xr.Dataset, sender: int) -> dict[str, list[object]]:
    """The same columns of a run of ours."""
    own = dataset.sel(sender=sender)
    columns = {name: own[name].values.tolist() for name in ("cwnd", "effective_window", "flight_size", "ssthresh")}
    kinds = np.array(KINDS)[own["sent_kind"].values].tolist()
    return columns | {"sent_kind": kinds, "segments": own["segments"].values.tolist()}
