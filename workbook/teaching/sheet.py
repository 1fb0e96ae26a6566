"""A lab sheet as cells: what its author wrote, what was released, and what a student handed in."""

import ast
import builtins
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

LARGEST_SHEET: Final = 20 << 20  # bytes
QUESTION: Final = re.compile(r"\*\*(Question \d+|Prediction)\b")
WHY: Final = re.compile(r"^# Why: (.*(?:\n# .*)*)", re.MULTILINE)


class SheetError(Exception):
    """A file that is no sheet; the message is one line for a person."""


class Cell(NamedTuple):
    """A cell of a notebook, with what nbgrader knows of it."""

    source: str
    is_code: bool
    name: str  # nbgrader's grade_id, or empty
    question: str  # the one that was asked last before it
    points: float
    is_graded: bool
    is_locked: bool
    is_answer: bool


class Asked(NamedTuple):
    """A cell that a player runs, and the names that a grader wants to know after it."""

    name: str
    source: str
    asks: list[str]


def cells_of(path: Path) -> list[Cell]:
    """The cells of a notebook. Raises SheetError for what is none, and OSError."""
    if path.stat().st_size > LARGEST_SHEET:
        raise SheetError(f"{path.name}: larger than {LARGEST_SHEET >> 20} MB; clear its outputs")
    try:
        content = json.loads(path.read_bytes())
    except json.JSONDecodeError as error:
        raise SheetError(f"{path.name}: not a notebook: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise SheetError(f"{path.name}: not a notebook") from None
    version = content.get("nbformat") if isinstance(content, dict) else None
    if version != 4:
        raise SheetError(f"{path.name}: a notebook of format {version!r}; must be 4, as JupyterLab saves it")
    return _cells(content.get("cells"), path.name)


def _cells(content: object, where: str) -> list[Cell]:
    if not isinstance(content, list):
        raise SheetError(f"{where}: a notebook without cells")
    cells, question = [], ""
    for number, each in enumerate(content, 1):
        try:
            cell = _cell(each, question)
        except (KeyError, TypeError, AttributeError, ValueError):
            raise SheetError(f"{where}: cell {number} is no cell of a notebook") from None
        for title in QUESTION.findall(cell.source if not cell.is_code else ""):
            question = title
        cells.append(cell)
    return cells


def _cell(content: Mapping[str, Any], question: str) -> Cell:
    source, about = content["source"], content["metadata"].get("nbgrader", {})
    text = source if isinstance(source, str) else "".join(source)
    text.encode()  # a lone surrogate is no text
    return Cell(
        source=text,
        is_code=content["cell_type"] == "code",
        name=str(about.get("grade_id", "")),
        question=question,
        points=float(about.get("points") or 0),
        is_graded=bool(about.get("grade")),
        is_locked=bool(about.get("locked")),
        is_answer=bool(about.get("solution")),
    )


def asked_of(source: str) -> list[str]:
    """The names that a graded cell takes from the student, beside STUDENT: those it reads and never sets itself."""
    names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    defined = {node.id for node in names if isinstance(node.ctx, ast.Store)} | set(_bound(ast.walk(ast.parse(source))))
    return sorted(read - defined - set(dir(builtins)) - {"STUDENT"})


def _bound(nodes: Iterable[ast.AST]) -> Iterable[str]:
    for node in nodes:
        if isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def why(source: str) -> str:
    """What the hidden tests of a graded cell say for the feedback: its comment that begins with `Why:`."""
    match = WHY.search(source)
    return match[1].replace("\n# ", " ") if match else ""


def to_play(submitted: Sequence[Cell], released: Sequence[Cell], master: Sequence[Cell]) -> list[Asked]:
    """A student's cells as they are run: what is locked is as it was released, whatever was made of it.

    A graded cell that is gone is asked for at the end.
    """
    locked = {cell.name: cell.source for cell in released if cell.is_locked}
    asks = {cell.name: [*asked_of(cell.source), "STUDENT"] for cell in master if cell.is_graded}
    there = [
        Asked(cell.name, locked.get(cell.name, cell.source), asks.get(cell.name, []))
        for cell in submitted
        if cell.is_code
    ]
    gone = set(asks) - {cell.name for cell in there}
    return there + [Asked(name, locked[name], asks[name]) for name in asks if name in gone]


def notes_on(submitted: Sequence[Cell], master: Sequence[Cell]) -> list[str]:
    """What somebody did to a sheet that nobody should: a line for each cell that was copied or is gone."""
    names = [cell.name for cell in submitted]
    return [
        f"the cell {cell.name!r} "
        + ("is gone" if cell.name not in names else f"is there {names.count(cell.name)} times")
        for cell in master
        if cell.name and names.count(cell.name) != 1
    ]
