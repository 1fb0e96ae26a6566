"""figures/CHAPTER/README.md: a chapter to be read where notebooks have no outputs, as on every forge.

It is the executed notebook without its code: the text, what its cells found in words, and the figures with captions.
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any, Final

import nbformat

from workbook.book.links import ELSEWHERE, LINK
from workbook.book.pictures import Picture, by_bytes
from workbook.chapters.chapter import Chapter
from workbook.export.files import replacing
from workbook.ledger import Scorecard
from workbook.ledger.verdict import VERDICTS
from workbook.paths import Places

README: Final = "README.md"
SECTION: Final = re.compile(r"^##+ ", re.MULTILINE)


def write_readmes(chapters: Sequence[Chapter], card: Scorecard, places: Places) -> None:
    """Write the page of every chapter that was executed here. Raises OSError."""
    for chapter in chapters:
        if places.executed(chapter.notebook).is_file():
            with replacing(places.figures / chapter.chapter / README) as temporary:
                temporary.write_text(readme_of(chapter, card, places), "utf-8")


def readme_of(chapter: Chapter, card: Scorecard, places: Places) -> str:
    """The text of the page."""
    notebook = nbformat.read(places.executed(chapter.notebook), as_version=4)
    known, here = by_bytes(chapter, places), PurePosixPath("figures") / chapter.chapter
    parts = [part for cell in notebook.cells for part in _parts(cell, known)]
    shown = [part for part, following in pairwise([*parts, "## "]) if not _is_empty(part, following)]
    made = f"Made by [its notebook]({chapter.notebook}) from [its parameters](params/{chapter.chapter}.yaml)"
    footer = f"---\n\n{'. '.join([*_verdicts(chapter, card), made])}."
    return "\n\n".join(_followed(part, chapter, here) for part in [*shown, footer]) + "\n"


def _parts(cell: Any, known: Mapping[str, Picture]) -> Iterator[str]:
    """What a cell says and shows."""
    if cell.cell_type == "markdown":
        first, *sections = SECTION.split(cell.source)
        headings = SECTION.findall(cell.source)
        yield from ([first.strip()] if first.strip() else [])
        yield from (f"{heading}{section.strip()}" for heading, section in zip(headings, sections, strict=True))
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "text/markdown" in data:
            yield data["text/markdown"].strip()
        elif "image/png" in data and (picture := known.get(sha256(b64decode(data["image/png"])).hexdigest())):
            place = f"{picture.path.parent.name}/{picture.path.name}"
            yield f"![{_escaped(picture.alt)}]({place})\n\n*{picture.caption.strip()}*"


def _is_empty(part: str, following: str) -> bool:
    """Is this a section that only speaks of what its cells show, and another one follows?"""
    return bool(SECTION.match(part)) and bool(SECTION.match(following)) and following.startswith("## ")


def _escaped(text: str) -> str:
    return text.replace("[", r"\[").replace("]", r"\]")


def _verdicts(chapter: Chapter, card: Scorecard) -> Iterator[str]:
    """The claims that are judged by this chapter, by verdict, with a link to them; one without has no line."""
    for verdicts in card.sources:
        if verdicts.source.key == chapter.chapter:
            counts = [f"{count} {verdict}" for verdict in VERDICTS if (count := verdicts.count(verdict))]
            yield f"[Claims](claims/{chapter.chapter}.yaml): {', '.join(counts)}"


def _followed(part: str, chapter: Chapter, here: PurePosixPath) -> str:
    """Links of the notebook, or from the workbook's root, as seen from the page."""
    notebooks = Path(chapter.notebook).parent

    def follow(link: re.Match[str]) -> str:
        target = link["target"]
        if ELSEWHERE.match(target):
            return link[0]
        from_root = target.startswith(("notebooks/", "params/", "claims/", "figures/"))
        return f"[{link['words']}]({relpath(target if from_root else notebooks / target, here)})"

    return LINK.sub(follow, part)
