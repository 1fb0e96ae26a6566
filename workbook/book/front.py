"""The workbook's entrance: what README.md and the map say of chapters and scores is written here, never by hand."""

import re
from collections.abc import Iterator
from pathlib import Path

from workbook.book import start
from workbook.book.chapter_readme import README
from workbook.chapters.chapter import Chapter
from workbook.export.files import replacing
from workbook.ledger import Scorecard
from workbook.paths import Places


def renew_chapters(places: Places) -> None:
    """Write the lists of all chapters into the map, and their table into README.md.

    Raises ChapterError for a file that is no chapter, and OSError.
    """
    start.renew(places.notebooks / start.MAP.name)
    _write_block("chapters", "\n".join(_rows(places)), places)


def renew_scores(card: Scorecard, places: Places) -> None:
    """Write the scores into README.md. Raises OSError."""
    _write_block("scorecard", card.to_markdown(), places)


def _rows(places: Places) -> Iterator[str]:
    chapters = map(Chapter.load, places.params.glob("*.yaml"))
    yield from ("| chapter: read it | notebook | what it reproduces |", "|---|---|---|")
    for chapter in sorted(chapters, key=lambda each: each.notebook):
        number = Path(chapter.notebook).name.partition("-")[0]
        page = places.figures / chapter.chapter / README
        title = f"[{chapter.title}](figures/{chapter.chapter}/{README})" if page.is_file() else chapter.title
        yield f"| {title} | [{number}]({chapter.notebook}) | {chapter.about} |"


def _write_block(name: str, text: str, places: Places) -> None:
    """Put a text between the README's lines `<!-- name -->` and `<!-- /name -->`."""
    readme = places.root / "README.md"
    block = re.compile(rf"(?<=<!-- {name} -->\n).*(?=\n<!-- /{name} -->)", re.DOTALL)
    with replacing(readme) as temporary:
        temporary.write_text(block.sub(lambda _: text, readme.read_text("utf-8")), "utf-8")
