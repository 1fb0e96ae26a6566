"""Fills the box: syllabus, slides, figures to turn, the guide, the release, and a class that was graded."""

import shutil
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Final

from workbook.paths import REPO
from workbook.site.living import living
from workbook.teaching import course as folders
from workbook.teaching import gradebook
from workbook.teaching.box.example import CLASS, hand_in
from workbook.teaching.box.opening import opening_of
from workbook.teaching.box.pages import html_of, page, slide_show, table
from workbook.teaching.box.slides import slides_of
from workbook.teaching.box.weeks import STUDENTS, WEEKS, Week

EXAMPLE: Final = "example"
FIRST_LAB: Final = "1-window"


def syllabus() -> str:
    """What is taught in which week, and what students can do afterwards."""
    weeks = "".join(f"<h2>Week {week.number}: {escape(week.title)}</h2>\n{_goals(week)}" for week in WEEKS)
    return page("TCP at a bottleneck: six weeks", weeks)


def _goals(week: Week) -> str:
    notebooks = [REPO.notebooks / f"{name}.ipynb" for name in week.chapters] + [
        REPO.labs / f"{name}.ipynb" for name in week.labs
    ]
    return "".join(_listed(notebook) for notebook in notebooks)


def _listed(notebook: Path) -> str:
    opening = opening_of(notebook)
    kind = "" if notebook.parent == REPO.labs else "Lecture: "
    goals = "".join(f"<li>{html_of(goal)}</li>" for goal in opening.goals)
    return f"<h3>{kind}{escape(opening.title)}</h3>\n<p>{escape(opening.lead)}</p><ul>{goals}</ul>\n"


def slides(week: Week) -> str:
    """The lecture of a week."""
    lecture = [slide for name in week.chapters for slide in slides_of(REPO.notebooks / f"{name}.ipynb")]
    return slide_show(f"Week {week.number}: {week.title}", lecture, f"../figures/week-{week.number}.html")


def guide() -> str:
    """How to teach with it, and the instructor's notes on all labs."""
    notes = sorted((REPO.labs / "instructor").glob("*.md"))
    texts = [(REPO.docs / "teaching.md"), REPO.labs / "README.md", *notes]
    return page("The instructor's guide", "\n<hr>\n".join(html_of(path.read_text("utf-8")) for path in texts))


def grades(course: Path) -> str:
    """What the made-up class got, with links to the pages that each would get back."""
    points = {score.student: score for score in folders.scores(course) if score.sheet == FIRST_LAB}
    rows = []
    for student in CLASS:
        got = points[student.name].points
        back = course / "feedback" / student.name / FIRST_LAB / f"{FIRST_LAB}.html"
        link = f'<a href="{back.relative_to(course)}">feedback</a>' if back.exists() else ""
        result = "-" if got is None else f"{got:g} of {points[student.name].of:g}"
        rows.append((student.name, escape(student.story), result, link))
    return page(f"A made-up class: lab {FIRST_LAB}", table(("student", "handed in", "points", ""), rows))


def example(course: Path, grade: Callable[[Path], object]) -> Path:
    """Let the made-up class hand in lab 1 in a course of its own, and grade it; returns that course."""
    folder = course / EXAMPLE
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for kind in ("source", "release"):
        shutil.copytree(course / kind, folder / kind)
    for name in ("nbgrader_config.py", "gradebook.db"):  # the gradebook knows the sheets, and in a new course nobody
        shutil.copy(course / name, folder)
    hand_in(folder, FIRST_LAB)
    with gradebook.opened(folder) as book:
        for student in CLASS:  # also who hands nothing in
            book.update_or_create_student(student.name)
    grade(folder)
    _write(folder / "grades.html", grades(folder))
    return folder


def fill(course: Path, grade: Callable[[Path], object]) -> Iterator[str]:
    """Make all of it, and say what is there as it comes; `grade` grades a course, which may not be possible here.

    Raises CourseError; what was said to be there is there.
    """
    sheets = folders.release(course)
    yield f"release/: {len(sheets)} lab sheets as students get them"
    _write(course / "syllabus.html", syllabus())
    _write(course / "guide.html", guide())
    yield "syllabus.html, guide.html"
    for week in WEEKS:
        _write(course / "slides" / f"week-{week.number}.html", slides(week))
    yield f"slides/: {len(WEEKS)} lectures"
    for week in WEEKS:
        _write(course / "figures" / f"week-{week.number}.html", living(*week.living).html)
        yield f"figures/week-{week.number}.html: {week.living.chapter}, {week.living.case}, with sliders"
    _write(course / "index.html", index())
    _write(course / STUDENTS, index(for_students=True))
    yield "index.html leads to all of it"
    yield f"{example(course, grade).name}/grades.html: a made-up class of {len(CLASS)}, graded"


def index(for_students: bool = False) -> str:
    """The way to everything, or to what may be seen by all: neither the guide nor what was handed in."""
    weeks = [
        (
            str(week.number),
            escape(week.title),
            f'<a href="slides/week-{week.number}.html">slides</a>, '
            f'<a href="figures/week-{week.number}.html">a figure to turn</a>',
            ", ".join(f'<a href="release/{lab}/{lab}.ipynb">{lab}</a>' for lab in week.labs),
        )
        for week in WEEKS
    ]
    ways = ['<a href="syllabus.html">Syllabus</a>']
    if not for_students:
        ways.append('<a href="guide.html">instructor\'s guide</a>')
        ways.append(f'<a href="{EXAMPLE}/grades.html">a made-up class, graded</a>')
    more = f"<p>{', '.join(ways)}.</p>\n"
    return page("TCP at a bottleneck: a course of six weeks", more + table(("week", "about", "lecture", "lab"), weeks))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
