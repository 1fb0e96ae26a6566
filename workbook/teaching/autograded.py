"""A graded sheet as nbgrader's formgrader shows it: the student's cells, and what the grader said of each question."""

from collections.abc import Iterator, Sequence
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from workbook.teaching.marking import Marked
from workbook.teaching.sheet import Cell


def autograded(marked: Marked, submitted: Sequence[Cell], master: Sequence[Cell]) -> str:
    """The notebook as text. Outputs and pictures of the student's are left out, and of a copied cell the copies."""
    return str(nbformat.writes(new_notebook(cells=list(_cells(marked, submitted, master)))))


def _cells(marked: Marked, submitted: Sequence[Cell], master: Sequence[Cell]) -> Iterator[NotebookNode]:
    feedback = {mark.cell: mark.said or "Right." for mark in marked.marks}
    known = {cell.name: cell for cell in master if cell.name}
    for cell in submitted:
        about = known.pop(cell.name, None)
        if not cell.is_code:
            yield new_markdown_cell(cell.source)
        elif about is None:
            yield new_code_cell(cell.source)
        else:
            source = about.source if about.is_locked else cell.source
            outputs = [new_output("stream", text=feedback[cell.name])] if cell.name in feedback else []
            yield new_code_cell(source, outputs=outputs, metadata={"nbgrader": _metadata(about)})


def _metadata(cell: Cell) -> dict[str, Any]:
    """What nbgrader knows of a cell, in the third version of its schema."""
    points = {"points": cell.points} if cell.is_graded else {}
    return points | {
        "grade_id": cell.name,
        "grade": cell.is_graded,
        "locked": cell.is_locked,
        "solution": cell.is_answer,
        "task": False,
        "cell_type": "code",
        "schema_version": 3,
    }
