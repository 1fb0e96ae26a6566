"""The lab sheets through nbgrader itself: released, handed in by a class with all its accidents, graded, sent back."""

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.sheets import SHEETS, sheet
from workbook.commands.cli import main
from workbook.teaching.course import call_nbgrader, grade, release, scores, to_grade
from workbook.teaching.gradebook import Score, opened
from workbook.teaching.marking import Marked
from workbook.teaching.sandbox.channel import Limits

pytestmark = pytest.mark.browser

if find_spec("nbgrader") is None:
    pytest.skip("nbgrader is not installed: make assignments", allow_module_level=True)

SHEET = "4-tcp-udp"
CATCHES_EVERYTHING = "while True:\n    try:\n        sum(range(1000))\n    except:\n        pass"
ANOTHER_PROFILE = """
runs = {"published": mine.scenario(), "repaired": mine.scenario({"profile": "ns-2.35"})}
tcp_kbps = {name: float(metrics.throughput_kbps(simulate(run))[0]) for name, run in runs.items()}
"""


def hand_in(course: Path, student: str, answers: Mapping[str, str], student_id: str = "") -> None:
    """A released sheet with the student's id and answers, by the names of their cells."""
    notebook = json.loads((course / "release" / SHEET / f"{SHEET}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        about: dict[str, Any] = cell["metadata"].get("nbgrader", {})
        if "".join(cell["source"]) == 'STUDENT = ""':
            cell["source"] = f'STUDENT = "{student_id or student}"'
        elif about.get("grade_id") in answers:
            cell["source"] = answers[about["grade_id"]]
    folder = course / "submitted" / student / SHEET
    folder.mkdir(parents=True)
    (folder / f"{SHEET}.ipynb").write_text(json.dumps(notebook), "utf-8")


SOLVED = {cell.name: cell.source for cell in sheet(SHEET) if cell.is_answer}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    assert release(folder) == SHEETS
    return folder


def test_students_get_neither_solutions_nor_hidden_tests(course: Path) -> None:
    for name in SHEETS:
        released = (course / "release" / name / f"{name}.ipynb").read_text("utf-8")
        assert "BEGIN SOLUTION" not in released
        assert "HIDDEN TESTS" not in released
        assert "raise NotImplementedError()" in released
        answers = {cell.source.partition("### BEGIN SOLUTION\n")[2] for cell in sheet(name) if cell.is_answer}
        lines = {line.strip() for answer in answers for line in answer.splitlines() if len(line) > 60}
        assert [line for line in lines if json.dumps(line)[1:-1] in released] == []


LIMITS = Limits(cell_cpu_s=10)


def graded_now(course: Path) -> list[Marked]:
    return list(grade(course, to_grade(course, again=False), limits=LIMITS))


@pytest.fixture(scope="module")
def graded(course: Path) -> dict[str, Score]:
    """A class hands in: one student first, the others later; then everything is graded."""
    hand_in(course, "anna", SOLVED)
    graded_now(course)
    hand_in(course, "boris", {})
    accidents = {"equal": CATCHES_EVERYTHING, "price": "raise RuntimeError('a slip')", "starving": "exit()"}
    hand_in(course, "clara", SOLVED | accidents)
    hand_in(course, "dora", SOLVED | {"repaired": ANOTHER_PROFILE})
    hand_in(course, "emil", SOLVED, student_id="anna")
    hand_in(course, "fritz", SOLVED)
    (course / "submitted" / "fritz" / SHEET / f"{SHEET}.ipynb").write_text("{")
    assert {marked.student for marked in graded_now(course)} == {"boris", "clara", "dora", "emil", "fritz"}
    return {score.student: score for score in scores(course) if score.sheet == SHEET}


@pytest.mark.parametrize(
    ("student", "points"),
    [
        pytest.param("anna", 20, id="all solved"),
        pytest.param("boris", 0, id="untouched"),
        pytest.param("clara", 20 - 2 - 3 - 3, id="a loop that catches everything, an exception, an exit"),
        pytest.param("dora", 20 - 3, id="a misconception"),
        pytest.param("emil", 0, id="anna's sheet"),
        pytest.param("fritz", None, id="no notebook"),
    ],
)
def test_everybody_gets_what_is_due(graded: dict[str, Score], student: str, points: float | None) -> None:
    assert graded[student] == Score(student, SHEET, points, 20)


def test_everybody_gets_feedback(graded: dict[str, Score], course: Path) -> None:
    pages = {who: (course / "feedback" / who / SHEET / f"{SHEET}.html").read_text("utf-8") for who in graded}
    assert "this cell was stopped: it computed for more than 10 s" in pages["clara"]
    assert "handed in by &#x27;emil&#x27;" in pages["emil"]
    assert "which is not right" in pages["dora"]
    assert "not a notebook" in pages["fritz"]


def test_releasing_again_leaves_the_scores_and_the_command_prints_them(graded: dict[str, Score], course: Path) -> None:
    """Sheets that were not handed in are blank, in the table too."""
    release(course)
    printed = CliRunner().invoke(main, ["grade", "--course", str(course)])
    assert printed.exit_code == 0
    assert "anna   4-tcp-udp         20 of 20\n" in printed.output
    assert "anna   1-window           - of 20\n" in printed.output
    assert "anna,1-window,,20\n" in (course / "grades.csv").read_text().replace("\r", "")


def test_the_gradebook_goes_on_to_work_with_nbgrader(graded: dict[str, Score], course: Path) -> None:
    """Points that a teacher gives by hand count, and feedback pages that nbgrader makes have no scripts."""
    with opened(course) as book:
        book.find_grade("equal-check", SHEET, SHEET, "dora").extra_credit = 1
        book.db.commit()
    assert Score("dora", SHEET, 18, 20) in scores(course)
    call_nbgrader(course, "generate_feedback", f"--assignment={SHEET}", "--student=dora", "--force")
    assert "which is not right" in (course / "feedback" / "dora" / SHEET / f"{SHEET}.html").read_text("utf-8")
