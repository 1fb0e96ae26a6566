"""The book's source, made of what the chapters, labs and claims left behind; jupyter-book turns it into HTML."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml

from workbook.book.bibliography_page import NAME as BIBLIOGRAPHY
from workbook.book.bibliography_page import write_bibliography
from workbook.book.chapter_page import write_chapter
from workbook.book.figures_page import write_figures
from workbook.book.glossary_page import write_glossary
from workbook.book.living_pages import EXTRA
from workbook.book.reference_pages import write_references
from workbook.book.scorecard_page import write_scorecard
from workbook.chapters.chapter import Chapter
from workbook.ledger import scorecard
from workbook.ledger.table import claims_by_figure
from workbook.paths import Places

TITLE: Final = "The bottleneck workbook"
CONFIG: Final[dict[str, object]] = {
    "title": TITLE,
    "author": "",
    "logo": "",
    "only_build_toc_files": True,
    "execute": {"execute_notebooks": "off"},  # the chapters were executed by papermill
    "html": {"use_repository_button": False, "use_issues_button": False, "home_page_in_navbar": True},
    "sphinx": {
        "extra_extensions": ["sphinx.ext.autodoc", "sphinx.ext.napoleon"],  # the library's pages, from its docstrings
        "config": {
            "nb_ipywidgets_js": {},  # no widgets that would be fetched from elsewhere
            "html_show_copyright": False,
            "html_extra_path": [EXTRA],
            "html_theme_options": {"navbar_persistent": []},  # the search field stands at the side already
            "numfig": False,
            "language": "en",
            "napoleon_google_docstring": False,
            "napoleon_use_rtype": False,
            "napoleon_use_ivar": True,  # a property that a class lists among its attributes has one entry, not two
            "python_use_unqualified_type_names": True,
        },
    },
}
TEACHING: Final = ("teaching", "littlest-jupyterhub")
GUIDES: Final = ("your-own-study",)
"""What in docs/ says how to do something; the rest says why things are as they are."""
DRAWN: Final = re.compile(r"```mermaid\n.*?\n```", re.DOTALL)
INTO_SOURCES: Final = re.compile(r"\[([^\]]*)\]\(\.\./[^)]*\)")
WELCOME: Final = f"""\
# {TITLE}

What happens when several senders share one slow link? Published studies of it, simulated **packet by packet**:
their figures, tables and numbers as they come out of the model, each claim with a computed verdict.

- The **chapters** are the executed notebooks. The code is folded away: unfold it where you want to know how.
- Under each figure is a link to its parameters and to where it came from.
- The **scorecard** says, number by number, what of the sources came out.
- The **labs** are sheets for a course, as students get them.
- **Your own study** leads from a question of yours to a chapter with figures and claims.
- The **reference** explains the words, what a scenario file may hold, and what the library `simcore` offers.
- **Why it is so** tells what was tried, measured and rejected.
"""


def assemble(places: Places, labs: Path, folder: Path) -> None:
    """Write the source of the book into `folder`, anew; `labs` holds the students' versions of the sheets.

    Raises OSError if a chapter was not executed yet.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages, files = folder / "pages", folder / "files"
    pages.mkdir(parents=True)
    files.mkdir()
    (folder / EXTRA).mkdir()
    chapters = sorted(map(Chapter.load, places.params.glob("*.yaml")), key=lambda chapter: chapter.notebook)
    sheets = [Path(shutil.copy(sheet, pages)).stem for sheet in sorted(labs.glob("*/*.ipynb"))]
    linked = {Path(each.notebook).name: f"{each.chapter}.ipynb" for each in chapters}
    linked |= {f"{sheet}.ipynb": f"{sheet}.ipynb" for sheet in sheets}
    for chapter in chapters:
        write_chapter(chapter, places, linked, pages / f"{chapter.chapter}.ipynb", folder)
    card = scorecard(places=places)
    decides = claims_by_figure(card.judgments, places)
    for chapter in chapters:
        write_figures(chapter, places, decides, pages / f"figures-{chapter.chapter}.md", files)
        shutil.copy(places.params / f"{chapter.chapter}.yaml", files)
        shutil.copy(places.root / chapter.notebook, files)
    sources = write_scorecard(card, pages)
    references = [write_glossary(pages), *write_references(pages), BIBLIOGRAPHY]
    entries = write_bibliography(places.claims / "sources", pages, files)
    documents = [_write_document(page, pages) for page in sorted(places.docs.glob("*.md"))]
    guides = [name for name in documents if name in GUIDES]
    reasons = [name for name in documents if name not in (*GUIDES, *TEACHING)]
    (folder / "index.md").write_text(WELCOME, "utf-8")
    (folder / "_config.yml").write_text(yaml.safe_dump(CONFIG | {"bibtex_bibfiles": list(map(str, entries))}), "utf-8")
    parts = {"Labs": [*sheets, *TEACHING], "Your own study": guides, "Reference": references, "Why it is so": reasons}
    (folder / "_toc.yml").write_text(yaml.safe_dump(_contents(chapters, sources, parts), sort_keys=False), "utf-8")


def _write_document(page: Path, folder: Path) -> str:
    """Copy a page of docs/: links to sources, which are not in the book, as plain words, and no charts."""
    text = DRAWN.sub(f"*(The picture is in docs/{page.name}, where a forge draws it.)*", page.read_text("utf-8"))
    (folder / page.name).write_text(INTO_SOURCES.sub(r"\1", text), "utf-8")
    return page.stem


def _contents(chapters: list[Chapter], sources: list[str], others: Mapping[str, list[str]]) -> dict[str, object]:
    """The table of contents; `others` are parts of plain pages, left out where they are empty."""

    def files(*names: str) -> list[dict[str, object]]:
        return [{"file": f"pages/{name}"} for name in names]

    entries = [{"file": f"pages/{each.chapter}", "sections": files(f"figures-{each.chapter}")} for each in chapters]
    scores = [{"file": "pages/scorecard", "sections": files(*sources)}]
    parts = [{"caption": "Chapters", "chapters": entries}, {"caption": "Scorecard", "chapters": scores}]
    parts += [{"caption": caption, "chapters": files(*names)} for caption, names in others.items() if names]
    return {"format": "jb-book", "root": "index", "parts": parts}
