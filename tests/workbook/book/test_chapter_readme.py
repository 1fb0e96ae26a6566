"""figures/CHAPTER/README.md: a chapter as a forge shows it."""

import re

import pytest

from workbook.book.chapter_readme import README
from workbook.paths import REPO

CHAPTERS = sorted(path.stem for path in REPO.params.glob("*.yaml"))
TARGET = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def page(chapter: str) -> str:
    return (REPO.figures / chapter / README).read_text("utf-8")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_can_be_read_without_running_anything(chapter: str) -> None:
    text = page(chapter)
    assert text.startswith("# ")
    assert len(re.findall(r"^!\[.{10,}\]\(\S+\.png\)$", text, re.MULTILINE)) >= 3
    assert len(re.findall(r"\*\*[^*]*\d[^*]*\*\*", text)) >= 2, "findings with numbers"
    assert "study.run()" not in text


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_link_of_it_leads_somewhere(chapter: str) -> None:
    folder = REPO.figures / chapter
    targets = TARGET.findall(page(chapter))
    assert targets
    assert [target for target in targets if not (folder / target.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("chapter", [name for name in CHAPTERS if (REPO.claims / f"{name}.yaml").is_file()])
def test_the_verdicts_stand_in_one_line(chapter: str) -> None:
    assert re.search(rf"^\[Claims\]\(\.\./\.\./claims/{chapter}\.yaml\): \d+ reproduced", page(chapter), re.MULTILINE)


def test_no_heading_stands_over_nothing() -> None:
    for chapter in CHAPTERS:
        lines = [line for line in page(chapter).splitlines() if line]
        headings = [i for i, line in enumerate(lines) if line.startswith("## ")]
        assert [lines[i] for i in headings if lines[i + 1].startswith("## ")] == []


def test_the_front_page_leads_to_them() -> None:
    text = (REPO.root / "README.md").read_text("utf-8")
    assert [name for name in CHAPTERS if f"(figures/{name}/{README})" not in text] == []
