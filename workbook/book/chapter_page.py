"""A chapter's page: its executed notebook, the code folded away, each figure with links to where it came from."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat

from workbook.book.claim_links import follow_claims, place_of
from workbook.book.links import follow
from workbook.book.living_pages import write_living
from workbook.book.pictures import Picture, by_bytes
from workbook.chapters.chapter import Chapter
from workbook.paths import Places

MACHINERY = {"parameters", "injected-parameters"}  # tags of cells that tell a reader nothing


def write_chapter(chapter: Chapter, places: Places, pages: Mapping[str, str], page: Path, book: Path) -> None:
    """Write the page of a chapter that was executed, with links to `pages`, and its living figures into `book`.

    Raises OSError if it was not executed.
    """
    notebook = nbformat.read(places.executed(chapter.notebook), as_version=4)
    follow(notebook, pages)
    for cell in notebook.cells:
        write_living(cell, chapter.chapter, book)
    known = by_bytes(chapter, places)
    cells = [cell for cell in notebook.cells if not MACHINERY & set(cell.metadata.get("tags", []))]
    notebook.cells = [part for cell in cells for part in _with_links(cell, known, pages)]
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(_about(chapter)))
    nbformat.write(notebook, page)


def _about(chapter: Chapter) -> str:
    return (
        f"```{{admonition}} Where this comes from\n:class: tip\n"
        f"Executed from {{download}}`{Path(chapter.notebook).name} <../files/{Path(chapter.notebook).name}>` with the "
        f"parameters of {{download}}`{chapter.chapter}.yaml <../files/{chapter.chapter}.yaml>`. "
        f"[All figures of this chapter](figures-{chapter.chapter}.md), each with its scenario.\n```"
    )


def _with_links(cell: Any, known: Mapping[str, Picture], pages: Mapping[str, str]) -> Iterator[Any]:
    """The cell, its place before it, and a line about each figure it shows."""
    if cell.cell_type == "code":
        cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
        follow_claims(cell, pages)
        yield place_of(cell)
    yield cell
    shown = list(_shown(cell, known))
    if shown:
        lines = [f"- {each.caption} [Parameters and provenance](#{each.anchor})" for each in shown]
        yield nbformat.v4.new_markdown_cell("\n".join(lines))


def _shown(cell: Any, known: Mapping[str, Picture]) -> Iterator[Picture]:
    for output in cell.get("outputs", []):
        drawn = output.get("data", {}).get("image/png")
        if drawn is not None and (picture := known.get(sha256(b64decode(drawn)).hexdigest())):
            yield picture
