"""The Zarr store of a sweep: made whole, filled batch by batch, continued only by the sweep that it was made for."""

import json
import shutil
import warnings
from collections.abc import Hashable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import xarray as xr
import zarr
from zarr.abc.buffer import Buffer
from zarr.codecs import Crc32cCodec, ZstdCodec
from zarr.storage import MemoryStore

from workbook.export.files import locked, remove_leftovers, temporary_beside
from workbook.sweep.batches import Batch, batches, cells_in
from workbook.sweep.design import Design
from workbook.sweep.identity import difference, made_with
from workbook.sweep.parameters import SweepError
from workbook.sweep.template import template
from workbook.sweep.variables import ABSENT, OF_A_CELL, OF_A_FLOW, Array

LAST: Final = "simulated"  # written after all others: where it is set, the batch is complete
REMEDY: Final = "remove it or choose another with --output"
UNFINISHED: Final = "*.partial"  # what zarr calls a chunk until all of it is written


class Store:
    """A sweep's results on disk. A batch that is in it is complete, whenever the process was killed."""

    def __init__(self, path: Path, design: Design) -> None:
        self.path = path
        self.group = zarr.open_group(path, mode="r+")
        self.design = design

    def missing(self) -> list[Batch]:
        """The batches that are still to be simulated, those included that were damaged."""
        return [batch for batch in batches(self.design.shape) if not self._is_whole(batch)]

    def damaged(self) -> list[Batch]:
        """The batches that were written, and of which a chunk is gone or no longer has its checksum."""
        return [batch for batch in self.missing() if self._is_there(LAST, batch)]

    def write(self, batch: Batch, values: Mapping[str, Array]) -> int:
        """Write a batch. Returns the number of its cells."""
        # Also chunks that hold nothing but zeros: else one that was deleted would read as if it had been written.
        with zarr.config.set({"array.write_empty_chunks": True}):
            for name in sorted(values, key=LAST.__eq__):
                self._array(name)[batch] = values[name]
        return cells_in(batch)

    def _is_whole(self, batch: Batch) -> bool:
        return all(self._is_there(name, batch) and self._reads(name, batch) for name in (LAST, *OF_A_FLOW, *OF_A_CELL))

    def _is_there(self, name: str, batch: Batch) -> bool:
        return self._chunk(name, batch).is_file()

    def _reads(self, name: str, batch: Batch) -> bool:
        try:
            values = np.asarray(self._array(name)[batch])
        except (ValueError, RuntimeError, OSError):  # what zarr's codecs raise: the checksum's is checked first
            return False
        return bool(values.all()) if name == LAST else True

    def _array(self, name: str) -> zarr.Array[Any]:
        array = self.group[name]
        assert isinstance(array, zarr.Array)
        return array

    def _chunk(self, name: str, batch: Batch) -> Path:
        """The file of a batch: its chunk has the batch's shape."""
        array = self._array(name)
        starts = [block.start for block in batch] + [0] * (array.ndim - len(batch))
        place = tuple(start // size for start, size in zip(starts, array.chunks, strict=True))
        return self.path / name / array.metadata.encode_chunk_key(place)


@contextmanager
def opened(path: Path, design: Design, attrs: Mapping[str, object]) -> Iterator[Store]:
    """The store at `path`, made if it isn't there, for this process alone.

    Raises SweepError if something else is there, or what another sweep made, and OSError.
    """
    if not path.exists():
        _make(path, design, attrs)
    _check(path, attrs)
    with _held(path):
        for leftover in path.rglob(UNFINISHED):
            leftover.unlink()
        _check_whole(path, design, attrs)
        yield Store(path, design)


def _make(path: Path, design: Design, attrs: Mapping[str, object]) -> None:
    """Make a store without numbers; it appears as a whole."""
    temporary = temporary_beside(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path)
    try:
        _write_empty(temporary, design, attrs)
        temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _write_empty(place: Path | MemoryStore, design: Design, attrs: Mapping[str, object]) -> None:
    """Write metadata and coordinates, and no chunk of a result."""
    with warnings.catch_warnings():
        # Metadata of all arrays in one file is a convention that every reader knows, but not in the format's text.
        warnings.filterwarnings("ignore", "Consolidated metadata", UserWarning)
        empty = template(design, dict(attrs))
        empty.to_zarr(place, mode="w", compute=False, zarr_format=3, encoding=_encoding(empty, bool(design.copies)))


def _encoding(ds: xr.Dataset, with_absent: bool) -> dict[Hashable, dict[str, object]]:
    """A checksum for every chunk, verified by whoever reads it: the CRC-32C codec of Zarr's format 3.

    Where cells have different numbers of flows, what is `ABSENT` is read as NaN.
    """
    codecs = (ZstdCodec(), Crc32cCodec())
    encoding: dict[Hashable, dict[str, object]] = {
        name: {"compressors": codecs} for name, variable in ds.variables.items() if variable.dtype != object
    }
    for name, (kind, *_) in OF_A_FLOW.items():
        if with_absent and kind.kind == "i":
            encoding[name]["_FillValue"] = ABSENT
    return encoding


def _check_whole(path: Path, design: Design, attrs: Mapping[str, object]) -> None:
    """Raise SweepError unless every file that a new store has is there, as it was written: metadata and coordinates.

    Zarr believes its metadata, and fails in many ways where they are damaged.
    """
    new: dict[str, Buffer] = {}
    _write_empty(MemoryStore(new), design, attrs)
    for name, content in new.items():
        file = path / name
        if not file.is_file():
            raise SweepError(f"{path}: {name} is gone; {REMEDY}")
        if file.read_bytes() != content.to_bytes():
            raise SweepError(f"{path}: {name} is not as it was written; {REMEDY}")


def _check(path: Path, attrs: Mapping[str, object]) -> None:
    """Raise SweepError unless the store was made from the same."""
    try:
        there = json.loads((path / "zarr.json").read_text("utf-8"))["attributes"]
        made_there = json.loads(there["versions"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SweepError(f"{path}: is there and no sweep; {REMEDY}") from None
    other = difference(made_there, made_with())
    if there.get("params") != attrs["params"]:
        other = "other parameters"
    elif there.get("engine") != attrs["engine"]:
        other = f"the engine {there.get('engine')}"
    if other:
        raise SweepError(f"{path}: was made with {other}; {REMEDY}")


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep a second sweep away."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path))
        except BlockingIOError:
            at_work = "another sweep is at work there; wait for it or choose another --output"
            raise SweepError(f"{path}: {at_work}") from None
        yield
