"""A chapter as slides: its opening, a slide for each figure beside the words before it, and what to take away.

The words and the figures are the chapter's own: the notebook's cells, and what `study.save` left in figures/.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from workbook.book.pictures import Picture, provenance_in
from workbook.paths import REPO
from workbook.teaching.box.opening import cells_of, opening_of

CHAPTER: Final = re.compile(r'params_file = "params/([\w-]+)\.yaml"')
SAVED: Final = re.compile(r'study\.save\(.*"([\w.-]+)/([\w.-]+)"\)')
HEADING: Final = re.compile(r"^#+ (.*)\n*", re.MULTILINE)
LAST: Final = "**Take away.**"
MOST_BESIDE: Final = 90  # words: more of them get a slide of their own
NEXT: Final = "\n\n**Next.**"  # where the chapter leads to: a lecture goes its own way


class Slide(NamedTuple):
    """A heading, some words in Markdown, and perhaps a figure."""

    title: str
    text: str
    picture: Picture | None = None


def slides_of(notebook: Path) -> list[Slide]:
    """The slides of a chapter."""
    opening = opening_of(notebook)
    goals = "\n".join(f"- {goal}" for goal in opening.goals)
    first = [Slide(opening.title, opening.about), Slide(opening.lead, goals)]
    return [*first, Slide("Predict first", opening.rest.removeprefix("**Predict first.** ")), *_body(notebook)]


def _body(notebook: Path) -> Iterator[Slide]:
    """What follows the opening: a slide whenever a figure comes."""
    chapter, title, text = "", "", ""
    for cell in cells_of(notebook)[1:]:
        if not cell.is_code:
            if LAST in cell.source:
                yield Slide("Take away", cell.source.partition(NEXT)[0].removeprefix(f"{LAST} "))
            elif headings := HEADING.findall(cell.source):
                title, text = headings[-1], HEADING.sub("", cell.source)
            else:
                text = f"{text}\n\n{cell.source}".strip()
            continue
        if named := CHAPTER.search(cell.source):
            chapter = named[1]
        for picture in _pictures(chapter, cell.source):
            if len(text.split()) > MOST_BESIDE:
                yield Slide(title, text)
                text = ""
            yield Slide(title, text, picture)
            text = ""


def _pictures(chapter: str, source: str) -> Iterator[Picture]:
    """The figures that a cell saves, as far as they were drawn."""
    for case, stem in SAVED.findall(source):
        path = REPO.figures / chapter / case / f"{stem}.png"
        if path.is_file():
            yield Picture(chapter, case, stem, path, provenance_in(path.parent))
