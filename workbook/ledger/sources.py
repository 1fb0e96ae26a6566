"""From a claim to what decides it: the statistics of a case, the figure of them, the cell that makes the figure."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from simcore.scenario.loading import load_mapping
from workbook.ledger.claim import Claim, Figure
from workbook.ledger.results import as_name
from workbook.paths import Places

# What a figure shows, by the name of the statistic that it shows; the first that occurs in a path decides.
SHOWN = {
    "instant_kbps": "instant-throughput",
    "mean_crossings_per_s": "instant-throughput",
    "longest_gap": "instant-throughput",
    "system_kbps": "system-throughput",
    "system_trough_kbps": "system-throughput",
    "share_percent": "system-throughput",
    "jain": "system-throughput",
    "latency_ms": "latency",
    "delivery_ms": "latency",
    "jitter": "jitter",
    "cwnd": "cwnd",
    "queue_total": "queue-total",
    "queue": "queue",
    "drop": "cwnd",  # a loss shows in the window that it cuts
    "loss": "cwnd",
    "kb": "system-throughput",
    "sent": "system-throughput",
    "received": "system-throughput",
}
# Figures of all that a case has, where no other shows a statistic.
OVERVIEWS = ("runs", "run", "averages", "delay", "area", "gaps", "overrun", "fall-off", "paths", "benches")


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook."""

    notebook: str
    name: str

    @property
    def link(self) -> str:
        """What JupyterLab opens at the cell, from a notebook beside this one; in the book the fragment is the same."""
        return f"{self.notebook}#cell-id={self.name}"


def statistics_files(read: Iterable[str], figures: Path) -> list[Path]:
    """The statistics.json of every case that was read, below the folder of figures."""
    cases = dict.fromkeys(tuple(path.split(".")[:2]) for path in read)
    files = [_inside(figures, case) / "statistics.json" for case in cases]
    return [file for file in files if file.is_file()]


def _inside(folder: Path, names: Iterable[str]) -> Path:
    """The folder within folders that has these names in expressions."""
    for name in names:
        there = folder.iterdir() if folder.is_dir() else ()
        folder = next((each for each in there if as_name(each.name) == name), folder / name)
    return folder


def figure_files(read: Iterable[str], figures: Path) -> list[Path]:
    """The figures that show what was read; none if there is no figure of it."""
    files: dict[Path, None] = {}
    for path in read:
        for statistics in statistics_files([path], figures):
            files |= dict.fromkeys(_shows(path, statistics.parent))
    return list(files)


def _shows(path: str, folder: Path) -> Iterator[Path]:
    """Of a case's figures the one of this statistic: by its name, or named as a part of the path, or of all."""
    stem = next((stem for name, stem in SHOWN.items() if name in path), "")
    named = [part.replace("_", "-") for part in path.split(".")[2:]]
    stems = [stem, *named, folder.name, *OVERVIEWS]
    there = (folder / f"{name}.png" for name in stems if name and (folder / f"{name}.png").is_file())
    yield from islice(there, 1)


def evidence(claim: Claim, read: Iterable[str], places: Places) -> list[Path]:
    """The statistics and the figures that decide a claim, those that are there."""
    if isinstance(claim, Figure):
        files = [places.figures / f"{claim.figure}.png"]
    else:
        read = list(read)
        files = [*statistics_files(read, places.figures), *figure_files(read, places.figures)]
    return [file for file in files if file.is_file()]


def cell_of(file: Path, places: Places) -> Cell | None:
    """The cell that makes a figure, or else one that looks at its case; None for a case that no notebook has."""
    chapter, case, name = file.relative_to(places.figures).parts
    params = places.params / f"{chapter}.yaml"
    if not params.is_file():
        return None
    notebook = places.root / _notebook_of(params, params.stat().st_mtime_ns)
    cells = _cells(notebook.read_text("utf-8"))
    cell = cells.get(f"{case}/{Path(name).stem}") or cells.get(case) or cells.get(SAVES_ALL)
    return Cell(notebook.name, cell) if cell else None


@lru_cache(maxsize=16)
def _notebook_of(params: Path, changed_ns: int) -> str:
    """The notebook that a chapter's parameters name; read again when the file changed."""
    return str(load_mapping(params)["notebook"])


SAVES_ALL = "save_cases"  # the method that draws what no cell draws


@lru_cache(maxsize=16)
def _cells(notebook: str) -> Mapping[str, str]:
    """By figure ("case/name"), by case and by SAVES_ALL the first cell whose code names it."""
    ids: dict[str, str] = {}
    known: dict[str, str] = {}  # what `case` and the like were set to, as cells run from top to bottom
    for cell in json.loads(notebook)["cells"]:
        if cell["cell_type"] == "code" and not cell["metadata"].get("tags"):
            for text in _texts(ast.parse("".join(cell["source"])), known):
                ids.setdefault(text, cell["id"])
    return ids


def _texts(tree: ast.Module, known: dict[str, str]) -> Iterator[str]:
    """The strings in a cell's code, those with a variable in them filled in, and the method that saves all cases."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                known[name] = text
                yield text
            case ast.Constant(value=str(text)):
                yield text
            case ast.Attribute(attr=attribute) if attribute == SAVES_ALL:
                yield attribute
    yield from (_filled(node, known) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr))


def _filled(text: ast.JoinedStr, known: Mapping[str, str]) -> str:
    def part(value: Any) -> str:
        match value:
            case ast.Constant(value=str(written)):
                return written
            case ast.FormattedValue(value=ast.Name(id=name)):
                return known.get(name, "")
        return ""

    return "".join(map(part, text.values))
