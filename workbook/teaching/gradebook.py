"""Scores in nbgrader's gradebook, so that its formgrader, its exports and grading by hand go on to work."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from workbook.teaching.marking import Marked

Gradebook = Any  # nbgrader's, which comes with the studio's packages only
COLUMNS: Final = ("student_id", "assignment", "score", "max_score")


class Score(NamedTuple):
    """What a student got for a sheet; `points` are None where nothing was handed in, or nothing could be graded."""

    student: str
    sheet: str
    points: float | None
    of: float


@contextmanager
def opened(course: Path) -> Iterator[Gradebook]:
    """The gradebook of a course."""
    with import_module("nbgrader.api").Gradebook(f"sqlite:///{course.resolve() / 'gradebook.db'}") as book:
        yield book


def enter(book: Gradebook, marked: Marked) -> None:
    """Write the points of a sheet. One that could not be graded has none, whatever it had before."""
    book.update_or_create_student(marked.student)
    if _asked_before(book, marked) != {mark.cell for mark in marked.marks}:  # also if the teacher changed the sheet
        book.remove_submission(marked.sheet, marked.student)
    if marked.problem:
        return
    with book.db.no_autoflush:  # nbgrader makes a submission piece by piece
        book.update_or_create_submission(marked.sheet, marked.student)
    for mark in marked.marks:
        book.find_grade(mark.cell, marked.sheet, marked.sheet, marked.student).auto_score = mark.points
    book.db.commit()


def _asked_before(book: Gradebook, marked: Marked) -> set[str]:
    """The graded cells of what this student handed in before; those of now if there was nothing."""
    for before in book.student_submissions(marked.student):
        if before.assignment.name == marked.sheet:
            return {grade.cell.name for notebook in before.notebooks for grade in notebook.grades}
    return {mark.cell for mark in marked.marks}


def scores(book: Gradebook) -> list[Score]:
    """Every student and every sheet, as the gradebook has them now: with what was graded by hand."""
    sheets = {each.name: float(each.max_score) for each in book.assignments}
    points = {
        (each.student.id, sheet): float(each.score) for sheet in sheets for each in book.assignment_submissions(sheet)
    }
    students = sorted(each.id for each in book.students)
    return [Score(who, sheet, points.get((who, sheet)), sheets[sheet]) for who in students for sheet in sorted(sheets)]


def write_csv(scores: list[Score], path: Path) -> None:
    """The scores as a table; what was not handed in is blank."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for score in scores:
            points = "" if score.points is None else f"{score.points:g}"
            table.writerow((score.student, score.sheet, points, f"{score.of:g}"))
