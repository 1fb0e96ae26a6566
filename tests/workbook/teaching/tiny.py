"""A course with one tiny sheet, for what the real ones are too slow for. Three questions, 1 + 2 + 4 points."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbook.teaching.marking import Marked, marked
from workbook.teaching.sandbox.channel import Sandbox

SHEET: Final = "1-tiny"
KEY: Final = 42.5
SOLVED: Final = {"number": f"number = {KEY}", "double": "def double(x):\n    return 2 * x", "last": "last = 'c'"}
GRADED: Final = {
    "number-check": (1, "check.number(number)", f"# Why: the key is the key.\ncheck.close(number, {KEY})"),
    "double-check": (2, "check.function(double)", "assert double(21) == 42, f'double(21) is {double(21)}'"),
    "last-check": (4, "check.choice(last, ['a', 'b', 'c'])", "check.choice(last, ['a', 'b', 'c'], key='c')"),
}


def hand_in(course: Path, student: str, answers: Mapping[str, str] = {}, own_id: str | None = None) -> Path:
    """The sheet with a student's answers in place of right ones, and the source and the release if need be."""
    for kind in ("source", "release"):
        _write(course / kind, _notebook({}, "", hidden=kind == "source"))
    return _write(course / "submitted" / student, _notebook(SOLVED | dict(answers), own_id or student, hidden=False))


def grade(course: Path, student: str, box: Sandbox) -> Marked:
    """Grade what the student handed in."""
    return marked(course, student, SHEET, box)


def lost(found: Marked) -> dict[str, str]:
    """What was said of each question that earned nothing."""
    return {mark.cell: mark.said for mark in found.marks if mark.points == 0}


def _notebook(answers: Mapping[str, str], student: str, *, hidden: bool) -> dict[str, Any]:
    cells = [code(f'STUDENT = "{student}"'), code("from workbook.teaching import check", "tools", locked=True)]
    for number, (name, (points, shown, tests)) in enumerate(GRADED.items(), 1):
        answer, source = name.removesuffix("-check"), f"from workbook.teaching import check\n\n{shown}"
        if hidden:
            source += f"\n### BEGIN HIDDEN TESTS\n{tests}\n### END HIDDEN TESTS"
        cells.append({"cell_type": "markdown", "metadata": {}, "source": f"**Question {number}** ({points} points)"})
        solution = (
            f"### BEGIN SOLUTION\n{SOLVED[answer]}\n### END SOLUTION" if hidden else "raise NotImplementedError()"
        )
        cells.append(code(answers.get(answer, solution), answer, solution=True))
        cells.append(code(source, name, locked=True, grade=True, points=points))
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


def code(source: str, name: str = "", **about: Any) -> dict[str, Any]:
    """A code cell, with what nbgrader knows of it if it has a name."""
    metadata = {"nbgrader": {"grade_id": name} | about} if name else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def _write(folder: Path, notebook: Mapping[str, Any]) -> Path:
    path = folder / SHEET / f"{SHEET}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), "utf-8")
    return path
