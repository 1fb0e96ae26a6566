"""`workbook new`: a chapter from the example, names that can't be, and nothing overwritten."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from workbook.chapters.chapter import Chapter
from workbook.commands.cli import main
from workbook.ledger.book import load_book
from workbook.paths import REPO, Places


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A workbook with the chapters' parameters and notebooks, and no results."""
    for folder in ("params", "notebooks"):
        shutil.copytree(REPO.root / folder, tmp_path / folder)
    (tmp_path / "claims" / "sources").mkdir(parents=True)
    shutil.copy(REPO.root / "README.md", tmp_path)
    monkeypatch.setattr("workbook.paths.REPO", Places(tmp_path))
    return Places(tmp_path)


def new(name: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["new", name, *options])


def contents(places: Places) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in places.root.rglob("*") if path.is_file()}


def test_a_new_chapter_is_complete_and_on_the_entrance(places: Places) -> None:
    last = max(int(path.name[:2]) for path in places.notebooks.glob("[0-9][0-9]-*.ipynb"))
    made = new("my-study-2")
    assert made.exit_code == 0, made.output
    notebook = f"notebooks/{last + 1:02d}-my-study-2.ipynb"
    written = ["params/my-study-2.yaml", "claims/my-study-2.yaml", notebook, "claims/sources/my-study-2.bib"]
    assert made.stdout.splitlines() == [*(f"written: {path}" for path in written), "now: workbook figures my-study-2"]
    chapter = Chapter.load(places.params / "my-study-2.yaml")
    assert (chapter.title, chapter.notebook) == ("My study 2", notebook)
    book = load_book(places.claims / "my-study-2.yaml")
    assert {claim.status for claim in book.claims} == {"measured", "redrawn"}
    assert "@misc{my-study-2," in (places.claims / "sources/my-study-2.bib").read_text()
    assert "$" not in "".join((places.root / path).read_text() for path in written)
    row = f"\n| My study 2 | [{last + 1:02d}]({notebook}) | {chapter.about} |\n<!-- /chapters -->"
    assert row in (places.root / "README.md").read_text()
    cells = json.loads((places.notebooks / "00-start-here.ipynb").read_text())["cells"]
    [listed] = ["".join(cell["source"]) for cell in cells if cell["id"] == "chapters"]
    assert listed.endswith(f"- [My study 2]({Path(notebook).name}): How much throughput does a small buffer cost?")


def test_two_new_chapters_stand_one_after_the_other(places: Places) -> None:
    assert [new(name).exit_code for name in ("one", "two")] == [0, 0]
    [one], [two] = (list(places.notebooks.glob(f"*-{name}.ipynb")) for name in ("one", "two"))
    assert int(two.name[:2]) == int(one.name[:2]) + 1


@pytest.mark.parametrize(
    "name", ["", "My-study", "2-flows", "a b", "a_b", "a--b", "a-", "../a", "a/b", "class", "ü", "a\n", "a" * 41]
)
def test_a_name_that_cannot_be_one_is_refused_in_one_line(places: Places, name: str) -> None:
    before = contents(places)
    refused = new(name)
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"Error: NAME: {name!r} is not allowed; must be small letters")
    assert refused.stderr.count("\n") == 1
    assert contents(places) == before


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ("params/mine.yaml", "mine"),
        ("claims/rulers.yaml", "rulers"),
        ("claims/sources/mine.bib", "mine"),
        ("notebooks/03-mine.ipynb", "mine"),
        ("figures/sweeps/a.json", "sweeps"),
    ],
)
def test_nothing_is_overwritten(places: Places, there: str, name: str) -> None:
    (places.root / there).parent.mkdir(parents=True, exist_ok=True)
    (places.root / there).write_text("somebody's work")
    before = contents(places)
    refused = new(name)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith(f"Error: NAME: '{name}' is taken: ")
    assert contents(places) == before


def test_what_cannot_be_written_leaves_nothing_behind(places: Places) -> None:
    """The third file fails, as on a full disk."""
    shutil.rmtree(places.claims / "sources")
    before = contents(places)
    refused = new("mine")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert contents(places) == before


def test_a_hundredth_chapter_is_refused(places: Places) -> None:
    (places.notebooks / "99-last.ipynb").write_text("{}")
    assert new("mine").stderr == "Error: no number is left: the last chapter has 99; choose a free one with --number\n"


def test_a_chapter_may_take_a_free_place(places: Places) -> None:
    for path in places.notebooks.glob("06-*.ipynb"):
        path.unlink()
    assert new("mine", "--number", "6").exit_code == 0
    assert (places.notebooks / "06-mine.ipynb").is_file()
    assert Chapter.load(places.params / "mine.yaml").notebook == "notebooks/06-mine.ipynb"


@pytest.mark.parametrize("number", ["5", "0", "100"])
def test_a_place_that_is_taken_or_none_is_refused(places: Places, number: str) -> None:
    before = contents(places)
    refused = new("mine", "--number", number)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith(f"Error: --number: {number} is not allowed; must be 1 to 99, and none of 0, 1, 2")
    assert contents(places) == before
