"""The Zarr store of a sweep: made whole, filled batch by batch, continued only by the sweep that it was made for."""

import fcntl
import json
import os
import shutil
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import zarr

from workbook.sweep.batches import Batch, batches, shape_of
from workbook.sweep.design import Design
from workbook.sweep.error import SweepError
from workbook.sweep.identity import difference, made_with
from workbook.sweep.template import template
from workbook.sweep.variables import Array

LAST: Final = "simulated"  # written after all others: where it is set, the batch is complete
REMEDY: Final = "remove it or choose another with --output"
UNFINISHED: Final = "*.partial"  # what zarr calls a chunk until all of it is written


class Store:
    """A sweep's results on disk. A batch that is in it is complete, whenever the process was killed."""

    def __init__(self, path: Path, design: Design) -> None:
        self.group = zarr.open_group(path, mode="r+")
        self.design = design

    def cells(self) -> int:
        """The number of cells that have been simulated."""
        return int(np.asarray(self.group[LAST]).sum())

    def missing(self) -> list[Batch]:
        """The batches that are still to be simulated."""
        there = np.asarray(self.group[LAST])
        return [batch for batch in batches(self.design.shape) if not there[batch].all()]

    def write(self, batch: Batch, values: Mapping[str, Array]) -> int:
        """Write a batch. Returns the number of its cells."""
        for name in sorted(values, key=LAST.__eq__):
            array = self.group[name]
            assert isinstance(array, zarr.Array)
            array[batch] = values[name]
        return int(np.prod(shape_of(batch)))


@contextmanager
def opened(path: Path, design: Design, attrs: Mapping[str, Any]) -> Iterator[Store]:
    """The store at `path`, made if it isn't there, for this process alone.

    Raises SweepError if something else is there, or what another sweep made, and OSError.
    """
    if not path.exists():
        _make(path, design, attrs)
    _check(path, attrs)
    with _locked(path):
        for leftover in path.rglob(UNFINISHED):
            leftover.unlink()
        yield Store(path, design)


def _make(path: Path, design: Design, attrs: Mapping[str, Any]) -> None:
    """Make a store without numbers; it appears as a whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with warnings.catch_warnings():
            # Metadata of all arrays in one file is a convention that every reader knows, but not in the format's text.
            warnings.filterwarnings("ignore", "Consolidated metadata", UserWarning)
            template(design, dict(attrs)).to_zarr(temporary, mode="w", compute=False, zarr_format=3)
        temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check(path: Path, attrs: Mapping[str, Any]) -> None:
    """Raise SweepError unless the store was made from the same."""
    try:
        there = json.loads((path / "zarr.json").read_text("utf-8"))["attributes"]
        made_there = json.loads(there["versions"])
    except (OSError, ValueError, KeyError, TypeError):
        raise SweepError(f"{path}: is there and no sweep; {REMEDY}") from None
    other = difference(made_there, made_with())
    if there.get("params") != attrs["params"]:
        other = "other parameters"
    elif there.get("engine") != attrs["engine"]:
        other = f"the engine {there.get('engine')}"
    if other:
        raise SweepError(f"{path}: was made with {other}; {REMEDY}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep a second sweep away; the system takes the lock back however this process ends."""
    directory = os.open(path, os.O_RDONLY)
    try:
        _lock(directory, path)
        yield
    finally:
        os.close(directory)


def _lock(directory: int, path: Path) -> None:
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SweepError(f"{path}: another sweep is at work there; wait for it or choose another --output") from None
