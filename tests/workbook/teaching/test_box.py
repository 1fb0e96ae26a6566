"""The course in a box: lectures from chapters, pages that need nothing else, and a class that was made up."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.sheets import SHEETS, sheet
from tests.workbook.teaching.tiny import SHEET, grade, hand_in
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO
from workbook.site.living import SLIDERS
from workbook.teaching import course
from workbook.teaching.box import contents, example
from workbook.teaching.box.opening import cells_of
from workbook.teaching.box.slides import MOST_BESIDE, saved_in, slides_of
from workbook.teaching.box.weeks import WEEKS, Week
from workbook.teaching.gradebook import Score
from workbook.teaching.sandbox.channel import Sandbox

LOADED = re.compile(r'(?:src|href)="(?!data:image/png;base64,|\.\./figures/week-\d\.html")')


def test_every_lab_has_its_week_and_every_week_its_chapters_and_figure() -> None:
    assert [lab for week in WEEKS for lab in week.labs] == SHEETS
    for week in WEEKS:
        assert all((REPO.notebooks / f"{name}.ipynb").is_file() for name in week.chapters)
        assert week.living.case in Chapter.load(REPO.params / f"{week.living.chapter}.yaml").cases
        assert {*week.living.sliders} <= SLIDERS.keys()


@pytest.mark.parametrize("week", WEEKS, ids=lambda week: f"week {week.number}")
def test_a_lecture_has_the_chapters_words_and_figures_and_loads_nothing(week: Week) -> None:
    html = contents.slides(week)
    assert not LOADED.search(html)
    assert html.count("<img ") >= 5
    for name in week.chapters:
        told = slides_of(REPO.notebooks / f"{name}.ipynb")
        assert told[1].text.count("- ") >= 3
        assert (told[0].picture, told[-1].title) == (None, "Take away")
        assert "chapter" not in told[-1].text.lower()  # where it leads to is not the lecture's way
        assert not [slide.title for slide in told if slide.picture and len(slide.text.split()) > MOST_BESIDE]


def test_every_chapter_has_its_week() -> None:
    taught = {name for week in WEEKS for name in week.chapters}
    assert taught == {path.stem for path in REPO.notebooks.glob("0[1-9]-*.ipynb")}


def test_figures_are_found_by_the_names_under_which_cells_save_them() -> None:
    known: dict[str, str] = {}
    assert [*saved_in('case = "single"\nstudy.save(f(case), f"{case}/run")\nstudy.write("no/figure", 1)', known)] == [
        "single/run"
    ]
    assert [*saved_in('study.save(f(case),\n    f"{case}/runs")', known)] == ["single/runs"]  # as the cell before said
    assert [*saved_in('for each in ("a", "b"):\n    study.save(f(each), f"all/{each}")', known)] == ["all/a", "all/b"]


@pytest.mark.parametrize("week", WEEKS, ids=lambda week: f"week {week.number}")
def test_every_figure_that_a_chapter_saves_is_in_its_lecture(week: Week) -> None:
    for name in week.chapters:
        saved = sum(
            cell.source.count("study.save(") for cell in cells_of(REPO.notebooks / f"{name}.ipynb") if cell.is_code
        )
        assert sum(slide.picture is not None for slide in slides_of(REPO.notebooks / f"{name}.ipynb")) == saved > 0


def test_the_syllabus_has_the_goals_of_all_labs_and_the_guide_all_notes() -> None:
    syllabus, guide = contents.syllabus(), contents.guide()
    assert syllabus.count("<h2>Week ") == len(WEEKS)
    assert syllabus.count("<h3>Lab ") == guide.count("for instructors: ") == len(SHEETS)
    assert syllabus.count("<li>") >= 3 * len(SHEETS)
    assert not re.search(r'(?:src|href)="(?!http)', syllabus + guide)


def test_who_is_right_hands_in_the_solutions_with_what_stands_before_them(tmp_path: Path) -> None:
    folder = tmp_path / "source" / "1-window"
    folder.mkdir(parents=True)
    shutil.copy(REPO.labs / "1-window.ipynb", folder)
    example.hand_in(tmp_path, "1-window")
    handed_in = (tmp_path / "submitted/anna/1-window/1-window.ipynb").read_text("utf-8")
    answers = [cell.source for cell in sheet("1-window") if cell.is_answer]
    lines = {line for answer in answers for line in answer.splitlines() if "### " not in line}
    assert [line for line in lines if json.dumps(line)[1:-1] not in handed_in] == []
    assert "### " not in "".join(cell["source"] for cell in example.answers_of(json.loads(handed_in)))


def test_the_made_up_class_gets_what_is_due(tmp_path: Path, box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a sheet of three questions, for 1, 2 and 4 points; the example's own is lab 1."""
    hand_in(tmp_path, "anna")
    example.hand_in(tmp_path, SHEET)
    handed_in = sorted(folder.name for folder in (tmp_path / "submitted").iterdir())
    found = {student: grade(tmp_path, student, box) for student in handed_in}
    points = {who: None if each.problem else sum(mark.points for mark in each.marks) for who, each in found.items()}
    right = dict.fromkeys(("anna", "boris", "clara"), 7)
    assert points == right | {"dora": 1, "emil": 0, "gina": None, "hugo": 0, "ida": 5, "jan": 0}
    assert not (tmp_path / "gradebook.db").exists()

    monkeypatch.setattr(contents, "FIRST_LAB", SHEET)
    scores = [Score(student.name, SHEET, points.get(student.name), 7) for student in example.CLASS]
    monkeypatch.setattr(course, "scores", lambda folder: scores)
    page = contents.grades(tmp_path)
    assert "<td>fritz</td><td>not handed in</td><td>-</td>" in page
    assert "<td>ida</td><td>one endless loop</td><td>5 of 7</td>" in page
