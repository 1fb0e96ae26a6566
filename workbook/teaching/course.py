"""A course in nbgrader's folders: sheets with solutions (source/), as students get them (release/), handed in
(submitted/<student>/<sheet>/<sheet>.ipynb), graded (autograded/) and sent back (feedback/).

nbgrader releases, and keeps the gradebook; it comes with the studio's packages only. It never runs what students wrote:
that is done in sandboxes (`workbook.teaching.sandbox`), several sheets at a time.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from workbook.paths import REPO
from workbook.teaching import gradebook
from workbook.teaching.autograded import autograded
from workbook.teaching.feedback import page
from workbook.teaching.gradebook import Score
from workbook.teaching.marking import Marked, marked
from workbook.teaching.sandbox.channel import LIMITS, Limits, Sandbox, StoppedError
from workbook.teaching.sheet import cells_of

LOG: Final = "nbgrader.log"
MOST_AT_ONCE: Final = 4
# nbgrader's own autograde would run students' code without a sandbox: it finds no kernel. Its pages keep no script.
CONFIG: Final = """c = get_config()
c.Execute.kernel_name = "none-use-workbook-grade"
c.HTMLExporter.sanitize_html = True
"""


class CourseError(Exception):
    """A course that can't be released or graded; the message is one line for a person."""


class HandedIn(NamedTuple):
    """A sheet that a student handed in."""

    student: str
    sheet: str


def release(course: Path) -> list[str]:
    """Make the students' versions of all sheets, without solutions and hidden tests, in `course`/release.

    What students have handed in, and their grades, are left alone. Raises CourseError.
    """
    sheets = sorted(REPO.labs.glob("*.ipynb"))
    for sheet in sheets:
        (course / "source" / sheet.stem).mkdir(parents=True, exist_ok=True)
        shutil.copy(sheet, course / "source" / sheet.stem)
    (course / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    call_nbgrader(course, "generate_assignment", "--assignment=*", "--force")
    return [sheet.stem for sheet in sheets]


def to_grade(course: Path, *, again: bool) -> list[HandedIn]:
    """What was handed in since it was graded last; `again`: all of it. Raises CourseError."""
    if not (course / "nbgrader_config.py").exists():
        raise CourseError(f"{course}: no course; `workbook assignments --course {course}` makes one")
    released = {path.name for path in course.glob("release/*")}
    notebooks = [HandedIn(path.parts[-3], path.parts[-2]) for path in sorted(course.glob("submitted/*/*/*.ipynb"))]
    sheets = [each for each in dict.fromkeys(notebooks) if each.sheet in released]
    if not sheets:
        raise CourseError(f"{course}: nothing handed in; must be submitted/<student>/<sheet>/<sheet>.ipynb")
    _require_nbgrader()
    return [each for each in sheets if again or _is_newer(course, each)]


def _is_newer(course: Path, each: HandedIn) -> bool:
    handed_in, back = _file(course, "submitted", each, "ipynb"), _file(course, "feedback", each, "html")
    return not (back.exists() and handed_in.exists() and back.stat().st_mtime > handed_in.stat().st_mtime)


def _file(course: Path, kind: str, each: HandedIn, suffix: str) -> Path:
    return course / kind / each.student / each.sheet / f"{each.sheet}.{suffix}"


def grade(
    course: Path, sheets: Sequence[HandedIn], *, isolated: bool = True, limits: Limits = LIMITS
) -> Iterator[Marked]:
    """Grade sheets, several at a time, and yield each when its score and its feedback are written.

    Raises CourseError if this system has no sandbox: nothing is run then.
    """
    at_once = max(1, min(MOST_AT_ONCE, os.cpu_count() or 1, len(sheets)))
    pool = ProcessPoolExecutor(at_once, get_context("spawn"), _warm_up, (isolated, limits))
    with pool, gradebook.opened(course) as book:
        for done in as_completed([pool.submit(_marked, course.resolve(), each) for each in sheets]):
            marked = done.result()
            gradebook.enter(book, marked)
            _send_back(course, marked)
            yield marked


def scores(course: Path) -> list[Score]:
    """The scores of all students, also as `course`/grades.csv."""
    with gradebook.opened(course) as book:
        result = gradebook.scores(book)
    gradebook.write_csv(result, course / "grades.csv")
    return result


_BOX: list[Sandbox] = []  # of this process of the pool: it ends with it


def _warm_up(isolated: bool, limits: Limits) -> None:
    _BOX.append(Sandbox(isolated=isolated, limits=limits))


def _marked(course: Path, each: HandedIn) -> Marked:
    try:
        _BOX[0].check()
    except StoppedError as error:
        raise CourseError(f"no sandbox here: {error}; `workbook grade --help` says what to do") from None
    return marked(course, each.student, each.sheet, _BOX[0])


def _send_back(course: Path, marked: Marked) -> None:
    each = HandedIn(marked.student, marked.sheet)
    back = _file(course, "feedback", each, "html")
    back.parent.mkdir(parents=True, exist_ok=True)
    back.write_text(page(marked), "utf-8", errors="replace")
    for_formgrader = _file(course, "autograded", each, "ipynb")
    for_formgrader.parent.mkdir(parents=True, exist_ok=True)
    if marked.problem:
        return for_formgrader.unlink(missing_ok=True)
    submitted, master = (
        cells_of(_file(course, "submitted", each, "ipynb")),
        cells_of(course / "source" / marked.sheet / f"{marked.sheet}.ipynb"),
    )
    for_formgrader.write_text(autograded(marked, submitted, master), "utf-8")
    return None


def _require_nbgrader() -> None:
    if find_spec("nbgrader") is None:
        raise CourseError("nbgrader is not installed; `make assignments` installs it, once")


def call_nbgrader(course: Path, *arguments: str) -> None:
    """Call nbgrader in a course, as on the command line. Raises CourseError."""
    _require_nbgrader()
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
