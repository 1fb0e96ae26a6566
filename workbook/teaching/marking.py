"""Marks a sheet: a player runs it, and here, where no student's code is, hidden tests compare the answers with keys."""

import builtins
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from simcore.rules.congestion.registry import CONTROLS
from workbook.teaching import check
from workbook.teaching.answers import Answers
from workbook.teaching.check import Compared
from workbook.teaching.sandbox.channel import Sandbox
from workbook.teaching.sheet import Cell, SheetError, asked_of, cells_of, notes_on, to_play, why
from workbook.teaching.student import StudentError, student_id


class Mark(NamedTuple):
    """What one graded cell earned."""

    cell: str
    question: str
    points: float
    of: float
    said: str  # what is wrong, empty if it is right
    compared: list[Compared]
    why: str


class Marked(NamedTuple):
    """A sheet that was graded, or why it could not be."""

    student: str
    sheet: str
    marks: list[Mark]
    notes: list[str]
    problem: str  # empty unless nothing of it could be graded


def marked(course: Path, student: str, sheet: str, box: Sandbox) -> Marked:
    """Grade what a student handed in for a sheet. Whatever is wrong with it is in the result, and costs nobody else."""
    try:
        master, released = (cells_of(course / kind / sheet / f"{sheet}.ipynb") for kind in ("source", "release"))
        submitted = cells_of(course / "submitted" / student / sheet / f"{sheet}.ipynb")
    except (SheetError, OSError) as error:
        return Marked(student, sheet, [], [], str(error))
    with box.player() as channel:
        answers = Answers.of(channel, to_play(submitted, released, master))
        notes = notes_on(submitted, master)
        if answers.stopped:
            notes.append(f"not all of it was run: {answers.stopped}")
        stranger = _stranger(student, answers)
        with _restored_controls():
            marks = [_mark(cell, student, answers, stranger, master) for cell in master if cell.is_graded]
    return Marked(student, sheet, marks, [*notes, *([stranger] if stranger else [])], "")


def _stranger(student: str, answers: Answers) -> str:
    """Why nothing of it counts: the sheet's numbers are those of somebody else, or of nobody."""
    given = [asked["STUDENT"] for asked in answers.asked.values() if "STUDENT" in asked]
    if not given:
        return ""
    try:
        if student_id(given[0]) == student_id(student):
            return ""
    except StudentError as error:
        return f"STUDENT: {error}; nothing is graded"
    foreign = f"STUDENT is {given[0]!r}, and it was handed in by {student!r}"
    return f"{foreign}: everybody has numbers of their own; nothing is graded"


@contextmanager
def _restored_controls() -> Iterator[None]:
    """Forget afterwards which controls a sheet has registered."""
    before = dict(CONTROLS)
    try:
        yield
    finally:
        CONTROLS.clear()
        CONTROLS.update(before)


def _mark(cell: Cell, student: str, answers: Answers, stranger: str, master: Sequence[Cell]) -> Mark:
    """Run a graded cell, hidden tests and all, with nothing of the student's but the answers."""
    given = answers.asked.get(cell.name, {})
    problem, compared = stranger, []
    if not stranger:
        with check.comparing() as compared:
            problem = _missing(cell, given, answers, master) or _wrong(cell, given | {"STUDENT": student_id(student)})
    points = 0 if problem else cell.points
    return Mark(cell.name, cell.question, points, cell.points, problem, compared, why(cell.source))


def _missing(cell: Cell, given: dict[str, Any], answers: Answers, master: Sequence[Cell]) -> str:
    """Which of the names that it asks for were never set, and why."""
    missing = [name for name in asked_of(cell.source) if name not in given]
    if not missing:
        return ""
    cells = [each.name for each in master if each.is_answer and cell.name.startswith(f"{each.name}-")]
    error = next((answers.errors[name] for name in cells if name in answers.errors), "")
    if error == "NotImplementedError":
        return "not answered"
    because = f"its cell failed with {error}" if error else answers.stopped or "no cell sets it"
    return f"{', '.join(missing)}: not there; {because}"


def _wrong(cell: Cell, names: dict[str, Any]) -> str:
    """What the tests say against the answers; empty if nothing."""
    try:
        exec(compile(cell.source, cell.name, "exec"), {"__name__": "__main__", "__builtins__": builtins, **names})
    except AssertionError as error:
        return str(error) or "not right"
    except Exception as error:  # an answer of a form that nobody thought of
        return f"an answer of a form that can't be graded: {type(error).__name__}: {str(error)[:200]}"
    return ""
