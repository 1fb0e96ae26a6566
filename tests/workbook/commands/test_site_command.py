"""`workbook site`: the explorer, and the book if it can be made; if not, what is missing."""

import os
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbook.commands import book as book_command
from workbook.commands.cli import main
from workbook.paths import REPO, Places
from workbook.teaching.box.weeks import STUDENTS

EXPLORER = '<title>the explorer</title><body data-book=""><nav id="bn-ways"></nav>'


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A workbook with one chapter, whose explorer is quickly made."""
    monkeypatch.setattr("workbook.paths.REPO", Places(tmp_path))
    monkeypatch.setattr("workbook.site.explorer.explorer", lambda: EXPLORER)
    monkeypatch.setattr("workbook.site.door.door", lambda there: f"the front page with {', '.join(there)}")
    for name in ("params/two-tcp.yaml", "notebooks/02-two-tcp.ipynb"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text((REPO.root / name).read_text("utf-8"), "utf-8")
    return Places(tmp_path)


def printed(*options: str) -> list[str]:
    done = CliRunner().invoke(main, ["site", *options])
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


@pytest.mark.parametrize(
    ("installed", "missing"),
    [
        (None, "jupyter-book is not installed: make book installs it"),
        (True, "02-two-tcp.ipynb: not there yet: make figures"),
    ],
)
def test_without_a_book_one_line_says_how_to_get_it(
    places: Places, monkeypatch: pytest.MonkeyPatch, installed: bool | None, missing: str
) -> None:
    monkeypatch.setattr(book_command, "find_spec", lambda name: installed)
    _, door, book, course = printed()
    folder = places.build / "site"
    assert door == f"the front page: {folder / 'index.html'}"
    assert (folder / "index.html").read_text() == "the front page with explore.html"
    page = (folder / "explore.html").read_text()
    assert page.startswith('<title>the explorer</title><body data-book="">')
    assert '<a href="index.html">Home</a></nav>' in page
    assert course == "the course is not in it: make course; then make site again"
    assert book.startswith("the book is not in it: ")
    assert book.endswith(f"{missing}; then make site again")


def test_a_book_that_was_made_is_in_it_until_a_chapter_is_executed_again(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = places.build / "book" / "html" / "index.html"
    index.parent.mkdir(parents=True)
    index.write_text("<body>the book</body>")
    folder = places.build / "site"
    assert printed()[-2] == f"the book: {folder / 'book' / 'index.html'}"
    assert '<a href="../index.html"' in (folder / "book" / "index.html").read_text()
    assert (folder / "index.html").read_text() == "the front page with explore.html, book/index.html"
    assert '<body data-book="book/">' in (folder / "explore.html").read_text()
    executed = places.executed("02-two-tcp.ipynb")
    executed.parent.mkdir()
    executed.write_text("{}")
    os.utime(index, (1, 1))
    monkeypatch.setattr(book_command, "find_spec", lambda name: None)
    assert "jupyter-book is not installed" in printed()[-2]


def test_of_the_course_there_is_what_students_may_see(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_command, "find_spec", lambda name: None)
    for name in (
        STUDENTS,
        "index.html",
        "guide.html",
        "syllabus.html",
        "slides/week-1.html",
        "release/1-window/1.ipynb",
    ):
        (page := places.course / name).parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<body>{name}</body>")
    (places.course / "figures").mkdir()
    assert printed()[-1] == f"the course: {(course := places.build / 'site' / 'course') / 'index.html'}"
    assert (course / "index.html").read_text().endswith(f"{STUDENTS}</body>")
    assert (course / "release" / "1-window" / "1.ipynb").is_file()
    assert not (course / "guide.html").exists()
    assert "course/index.html" in (places.build / "site" / "index.html").read_text()


def test_the_explorer_is_made_again_only_if_something_of_it_changed(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_command, "find_spec", lambda name: None)
    printed()
    monkeypatch.setattr("workbook.site.explorer.explorer", lambda: "another")
    printed()
    page = places.build / "site" / "explore.html"
    assert page.read_text().startswith("<title>the explorer</title>")
    script = places.root / "workbook" / "site" / "js" / "page.js"
    script.parent.mkdir(parents=True)
    script.write_text("// changed")
    assert printed()[0].startswith("Making the explorer")
    assert page.read_text() == "another"


def test_make_app_opens_the_page_without_a_server(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    printed()
    assert opened == []
    printed("--open")
    assert opened == [(places.build / "site" / "index.html").as_uri()]
