"""A chapter as slides: its opening, a slide for each figure beside the words before it, and what to take away.

The words and the figures are the chapter's own: the notebook's cells, and what `study.save` left in figures/.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from workbook.book.pictures import Picture, provenance_in
from workbook.paths import REPO
from workbook.teaching.box.opening import cells_of, opening_of

CHAPTER: Final = re.compile(r'params_file = "params/([\w-]+)\.yaml"')
HEADING: Final = re.compile(r"^#+ (.*)\n*", re.MULTILINE)
LAST: Final = "**Take away.**"
MOST_BESIDE: Final = 90  # words: more of them get a slide of their own
NEXT: Final = re.compile(r"\n\n\*\*(Next|Go on)\.\*\*")  # where the chapter leads to: a lecture goes its own way


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
    known: dict[str, str] = {}
    for cell in cells_of(notebook)[1:]:
        if not cell.is_code:
            if LAST in cell.source:
                yield Slide("Take away", NEXT.split(cell.source)[0].removeprefix(f"{LAST} "))
            elif headings := HEADING.findall(cell.source):
                title, text = headings[-1], HEADING.sub("", cell.source)
            else:
                text = f"{text}\n\n{cell.source}".strip()
            continue
        if named := CHAPTER.search(cell.source):
            chapter = named[1]
        for picture in _pictures(chapter, saved_in(cell.source, known)):
            if len(text.split()) > MOST_BESIDE:
                yield Slide(title, text)
                text = ""
            yield Slide(title, text, picture)
            text = ""


def _pictures(chapter: str, saved: Iterable[str]) -> Iterator[Picture]:
    """The figures of these names, as far as they were drawn."""
    for name in saved:
        case, _, stem = name.partition("/")
        path = REPO.figures / chapter / case / f"{stem}.png"
        if path.is_file():
            yield Picture(chapter, case, stem, path, provenance_in(path.parent))


def saved_in(source: str, known: dict[str, str]) -> Iterator[str]:
    """The names under which a cell saves figures; `known` are words that cells so far gave names to."""
    for statement in ast.parse(source).body:
        yield from _saved(statement, known)


def _saved(statement: ast.stmt, known: dict[str, str]) -> Iterator[str]:
    match statement:
        case ast.Assign([ast.Name(name)], ast.Constant(str(word))):
            known[name] = word
        case ast.For(ast.Name(name), ast.List(words) | ast.Tuple(words), body):
            for each in words:
                if isinstance(each, ast.Constant):
                    known[name] = str(each.value)
                    for inner in body:
                        yield from _saved(inner, known)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("study"), "save"), [_, ast.Constant(str(word))])):
            yield word
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("study"), "save"), [_, ast.JoinedStr(parts)])):
            yield "".join(_word(part, known) for part in parts)


def _word(part: ast.expr, known: dict[str, str]) -> str:
    """What a part of an f-string says, as far as names have words."""
    match part:
        case ast.Constant(word):
            return str(word)
        case ast.FormattedValue(ast.Name(name)):
            return known.get(name, "")
    return ""
