"""A class of ten made-up students, to see what grading does before a real one hands in."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

Notebook = dict[str, Any]
MARKS: Final = re.compile(r"### (?:BEGIN|END) SOLUTION\n?")
NO_STUDENT: Final = 'STUDENT = ""'
HOSTILE: Final = """
import os, pathlib, workbook.teaching.check as check
check.close = check.near = check.each = check.choice = lambda *_, **__: None
pathlib.Path("../../../gradebook.db").write_text("20 of 20")
print(open("../../../source").read())
"""
ENDLESS: Final = "while True:\n    pass"
ANOTHERS_NUMBERS: Final = 'mine = variant_of("somebody-else", mine.lab)'


class Student(NamedTuple):
    """A made-up student, and what becomes of the sheet in these hands."""

    name: str
    story: str
    work: Callable[[Notebook, str], str] | None  # (solved sheet, student id) -> the file; nothing is handed in


def right(sheet: Notebook, student: str) -> str:
    """The solutions."""
    return json.dumps(named(sheet, student))


def with_anothers_numbers(sheet: Notebook, student: str) -> str:
    """All computed well, but with a neighbor's network."""
    return json.dumps(after_tools(named(sheet, student), ANOTHERS_NUMBERS))


def half(sheet: Notebook, student: str) -> str:
    """The second half of the answers is as it was released."""
    answers = answers_of(named(sheet, student))
    for cell in answers[len(answers) // 2 :]:
        cell["source"] = "raise NotImplementedError()"
    return json.dumps(sheet)


def empty(sheet: Notebook, student: str) -> str:
    """Nothing but the student's id."""
    for cell in answers_of(named(sheet, student)):
        cell["source"] = "raise NotImplementedError()"
    return json.dumps(sheet)


def broken(sheet: Notebook, student: str) -> str:
    """A file that was cut off."""
    return right(sheet, student)[:2000]


def hostile(sheet: Notebook, student: str) -> str:
    """An untouched sheet that attacks the grader instead."""
    empty(sheet, student)
    return json.dumps(after_tools(sheet, HOSTILE))


def endless(sheet: Notebook, student: str) -> str:
    """One answer never ends; the others are right."""
    answers_of(named(sheet, student))[1]["source"] = ENDLESS
    return json.dumps(sheet)


def annas(sheet: Notebook, student: str) -> str:
    """Anna's sheet, as she handed it in."""
    return right(sheet, "anna")


CLASS: Final = (
    Student("anna", "all right", right),
    Student("boris", "all right", right),
    Student("clara", "a neighbor's numbers", with_anothers_numbers),
    Student("dora", "half of it", half),
    Student("emil", "untouched", empty),
    Student("fritz", "not handed in", None),
    Student("gina", "a broken file", broken),
    Student("hugo", "attacks the grader", hostile),
    Student("ida", "one endless loop", endless),
    Student("jan", "anna's sheet", annas),
)


def hand_in(course: Path, sheet: str, suffix: str = "") -> None:
    """Let the class hand in a sheet of a course; `suffix` behind each name makes it another class."""
    solved = json.loads((course / "source" / sheet / f"{sheet}.ipynb").read_text("utf-8"))
    for cell in answers_of(solved):
        cell["source"] = MARKS.sub("", "".join(cell["source"]))
    for student in CLASS:
        if student.work:
            name = student.name + suffix
            path = course / "submitted" / name / sheet / f"{sheet}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(student.work(deepcopy(solved), name), "utf-8")


def answers_of(sheet: Notebook) -> list[Notebook]:
    """The cells that a student fills in."""
    return [cell for cell in sheet["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]


def named(sheet: Notebook, student: str) -> Notebook:
    """The sheet with the student's id in its first cell."""
    for cell in sheet["cells"]:
        if "".join(cell["source"]) == NO_STUDENT:
            cell["source"] = f"STUDENT = {student!r}"
    return sheet


def after_tools(sheet: Notebook, source: str) -> Notebook:
    """The sheet with a cell more, behind the one that draws the student's numbers."""
    names = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in sheet["cells"]]
    cell: Notebook = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    sheet["cells"].insert(names.index("tools") + 1, cell)
    return sheet
