"""`workbook site`: the explorer, and the book if it can be made; if not, what is missing."""

import os
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbook.commands import book as book_command
from workbook.commands.cli import main
from workbook.paths import REPO, Places


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A workbook with one chapter, whose explorer is quickly made."""
    monkeypatch.setattr("workbook.paths.REPO", Places(tmp_path))
    monkeypatch.setattr("workbook.site.explorer.explorer", lambda: "<title>the explorer</title>")
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
    _, explorer, book = printed()
    page = places.build / "site" / "explore.html"
    assert (explorer, page.read_text()) == (f"the explorer: {page}", "<title>the explorer</title>")
    assert book.startswith("the book is not in it: ")
    assert book.endswith(f"{missing}; then make site again")


def test_a_book_that_was_made_is_in_it_until_a_chapter_is_executed_again(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = places.build / "book" / "html" / "index.html"
    index.parent.mkdir(parents=True)
    index.write_text("the book")
    assert printed()[-1] == f"the book: {places.build / 'site' / 'book' / 'index.html'}"
    assert (places.build / "site" / "book" / "index.html").read_text() == "the book"
    executed = places.executed("02-two-tcp.ipynb")
    executed.parent.mkdir()
    executed.write_text("{}")
    os.utime(index, (1, 1))
    monkeypatch.setattr(book_command, "find_spec", lambda name: None)
    assert "jupyter-book is not installed" in printed()[-1]


def test_the_explorer_is_made_again_only_if_something_of_it_changed(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_command, "find_spec", lambda name: None)
    printed()
    monkeypatch.setattr("workbook.site.explorer.explorer", lambda: "another")
    printed()
    page = places.build / "site" / "explore.html"
    assert page.read_text() == "<title>the explorer</title>"
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
    assert opened == [(places.build / "site" / "explore.html").as_uri()]
