"""ns-2's traces of wired networks (`trace-all`): of any topology, seen from one link.

    + 0.1 0 1 tcp 40 ------- 1 0.0 1.0 0 0

The columns: event (+ enqueue, - dequeue, d drop, r receive), time in s, from node, to node, type, bytes, flags, flow,
source and destination (node.agent), sequence number, unique packet id (the ns Manual, section "Trace File Format").
Lines of other events, and of traced variables, are passed over.
"""

import bz2
import csv
import gzip
import io
import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from simcore.results.log import EVENT_LETTERS
from workbook.reading.events import Events, Link, UnreadableError, dataset_of_events

BLOCK_BYTES: Final = 1 << 25  # of lines that are parsed at once: what is kept of a line takes 40 bytes
OPENERS: Final[Mapping[str, Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
EVENTS: Final = tuple(f"{letter} ".encode() for letter in EVENT_LETTERS)
COLUMNS: Final = {
    "kind": "category", "s": "float64", "near": "int32", "far": "int32", "type": "category", "bytes": "int32",
    "flags": "category", "fid": "int64", "source": "category", "destination": "category", "seq": "int64",
    "uid": "int64",
}  # fmt: skip

NO_NUMBERS: Final = (ValueError, OverflowError, UnicodeDecodeError, pd.errors.ParserError)  # what pandas says to them


class Names(NamedTuple):
    """The names met so far, each with its place among them."""

    types: dict[str, int]
    addresses: dict[str, int]


def read_trace(path: Path, link: Link | None = None) -> xr.Dataset:
    """Read a trace, compressed or not, as the Dataset of the link from one node to another.

    Parameters
    ----------
    path : Path
        The trace; `.gz`, `.xz` and `.bz2` are opened.
    link : tuple of int, optional
        The nodes at its ends, that from which data come first. Without it: the link that carries most bytes of data.

    Returns
    -------
    xarray.Dataset
        Packets, ACKs, the queue's changes and the events of the link in both directions, and flows with their
        totals, as `simcore.simulate` returns them. Flows are numbered as in the trace where it numbers them 1, 2, ...
        and otherwise in the order of their first packets. No windows: a trace of packets does not tell them.

    Raises
    ------
    UnreadableError
        If a line is none of ns-2's, or no data pass the link.
    OSError, EOFError, lzma.LZMAError, zlib.error
        If the file can't be read, or decompressed.
    """
    return dataset_of_events(read_events(path), path.name, link)


def read_events(path: Path) -> Events:
    """The events of a trace on all its links; raises as `read_trace` does."""
    names = Names({}, {})
    parts = [_compact(frame, names) for frame in _frames(path)]
    if not parts:
        raise UnreadableError(f"no event of ns-2's trace format; a line begins with one of {EVENT_LETTERS}")
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return _events(columns, names)


def _frames(path: Path) -> Iterator[pd.DataFrame]:
    """The events of the file, block by block."""
    with OPENERS.get(path.suffix, open)(path, "rb") as file:
        for first, lines in _blocks(file):
            chosen = [line for line in lines if line.startswith(EVENTS)]
            if chosen:
                yield _parsed(chosen, path, first, lines)


def _blocks(file: IO[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Whole lines, with the number of the first."""
    number = 1
    while lines := file.readlines(BLOCK_BYTES):
        yield number, lines
        number += len(lines)


def _parsed(chosen: list[bytes], path: Path, first: int, lines: list[bytes]) -> pd.DataFrame:
    try:
        return _frame(chosen)
    except NO_NUMBERS as error:
        for number, line in enumerate(lines, start=first):
            if line.startswith(EVENTS) and not _is_event(line):
                shown = line[:80].decode("ascii", "replace").strip()
                raise UnreadableError(
                    f"line {number}: {shown!r} is no event of ns-2's; must have {len(COLUMNS)} columns: "
                    "event, time, from, to, type, bytes, flags, flow, source, destination, number, packet id"
                ) from None
        raise UnreadableError(f"lines {first} to {first + len(lines) - 1}: {error}") from None


def _frame(lines: list[bytes]) -> pd.DataFrame:
    return pd.read_csv(
        io.BytesIO(b"".join(lines)), sep=" ", header=None, names=list(COLUMNS), dtype=COLUMNS, index_col=False,
        na_filter=False, quoting=csv.QUOTE_NONE,
    )  # fmt: skip


def _is_event(line: bytes) -> bool:
    try:
        return len(line.split(b" ")) == len(COLUMNS) and len(_frame([line])) == 1
    except NO_NUMBERS:
        return False


def _compact(frame: pd.DataFrame, names: Names) -> dict[str, npt.NDArray[np.generic]]:
    """The columns as numbers: a name becomes its place among all names met so far."""
    columns = {name: frame[name].to_numpy() for name in ("s", "near", "far", "bytes", "fid", "seq", "uid")}
    kinds = np.array([EVENT_LETTERS.index(letter) for letter in frame["kind"].cat.categories], np.uint8)
    columns["kind"] = kinds[frame["kind"].cat.codes.to_numpy()]
    for name, known in zip(("type", "source", "destination"), (names.types, *[names.addresses] * 2), strict=True):
        numbers = [known.setdefault(each, len(known)) for each in frame[name].cat.categories]
        columns[name] = np.array(numbers, np.int32)[frame[name].cat.codes.to_numpy()]
    return columns


def _events(columns: dict[str, npt.NDArray[np.generic]], names: Names) -> Events:
    source, destination = columns.pop("source"), columns.pop("destination")
    return Events(
        **columns,
        ends=(np.minimum(source, destination), np.maximum(source, destination)),
        is_ack=columns["type"] == names.types.get("ack", -1),
        types=list(names.types),
    )
