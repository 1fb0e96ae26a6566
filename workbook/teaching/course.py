"""A course in nbgrader's folders: sheets with solutions (source/), as students get them (release/), handed in
(submitted/<student>/<sheet>/<sheet>.ipynb), graded (autograded/) and sent back (feedback/).

nbgrader is called as its users call it, on the command line: it comes with the studio's packages only.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from workbook.paths import REPO

LOG = "nbgrader.log"
# The shield stops a cell before nbgrader has to: after that the kernel may be lost.
CONFIG = """c = get_config()
c.Execute.timeout = 40
c.Execute.extra_arguments = ["--IPKernelApp.extensions=workbook.teaching.shield"]
"""


class CourseError(Exception):
    """A course that can't be released or graded; the message is one line for a person."""


class Score(NamedTuple):
    """What a student got for a sheet."""

    student: str
    sheet: str
    points: float
    of: float


def release(course: Path) -> list[str]:
    """Make the students' versions of all sheets, without solutions and hidden tests, in `course`/release.

    What students have handed in, and their grades, are left alone. Raises CourseError.
    """
    sheets = sorted(REPO.labs.glob("*.ipynb"))
    for sheet in sheets:
        (course / "source" / sheet.stem).mkdir(parents=True, exist_ok=True)
        shutil.copy(sheet, course / "source" / sheet.stem)
    (course / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    _nbgrader(course, "generate_assignment", "--assignment=*", "--force")
    return [sheet.stem for sheet in sheets]


def grade(course: Path, *, again: bool) -> list[Score]:
    """Grade what was handed in, and write the feedback; `again`: also what was graded before.

    Returns the scores of everything that is graded; `course`/grades.csv has them too. Raises CourseError.
    """
    if not (course / "nbgrader_config.py").exists():
        raise CourseError(f"{course}: no course; `workbook assignments --course {course}` makes one")
    if not any(course.glob("submitted/*/*/*.ipynb")):
        raise CourseError(f"{course}: nothing handed in; must be submitted/<student>/<sheet>/<sheet>.ipynb")
    force = ["--force"] if again else []
    _nbgrader(course, "autograde", "--assignment=*", *force)
    _nbgrader(course, "generate_feedback", "--assignment=*", *force)
    _nbgrader(course, "export", "--to=grades.csv")
    return _scores(course)


def _scores(course: Path) -> list[Score]:
    with (course / "grades.csv").open(encoding="utf-8", newline="") as table:
        rows = [(row["student_id"], row["assignment"], row["score"], row["max_score"]) for row in csv.DictReader(table)]
    graded = [row for row in rows if (course / "autograded" / row[0] / row[1]).exists()]
    return sorted(Score(student, sheet, float(points), float(of)) for student, sheet, points, of in graded)


def _nbgrader(course: Path, *arguments: str) -> None:
    if find_spec("nbgrader") is None:
        raise CourseError("nbgrader is not installed; `make assignments` installs it, once")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    (course / LOG).write_text(done.stdout, "utf-8")
    if done.returncode:
        raise CourseError(f"nbgrader {arguments[0]}: {_first_error(done.stdout.splitlines())}; see {course / LOG}")


def _first_error(lines: Sequence[str]) -> str:
    errors = (line.partition("| ERROR]")[2].strip() for line in lines)
    return next((error for error in errors if error), "it failed")


def _environment() -> dict[str, str]:
    """nbgrader calls alembic by its name, and looks for the kernel: both are those of this Python."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return os.environ | {"PATH": path, "JUPYTER_PREFER_ENV_PATH": "1"}
