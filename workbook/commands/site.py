"""`workbook site`: what `make site` and `make app` call."""

import shutil
import webbrowser
from hashlib import sha256
from pathlib import Path
from typing import Final

import click

from workbook.commands.book import made
from workbook.commands.refusal import Refusal, checkout
from workbook.paths import Places

PAGES: Final = ("workbook/site", "workbook/explore", "workbook/export")  # whose scripts and looks the explorer has
WEB: Final = (".js", ".css", ".html")


@click.command(short_help="Make the folder of pages with the engine in them.")
@click.option("--open", "opens", is_flag=True, help="Open the front page in a browser when it is made.")
def site(opens: bool) -> None:
    """Make a static folder of pages in which the engine itself runs, into build/site/.

    It works from the disk and from any host under any path, and asks for nothing elsewhere. index.html is the front
    page; explore.html is the explorer; book/ is the book with living figures, where `make book` can make it; course/
    is what students may see of the course that `make course` made.
    """
    places = checkout()
    folder = places.build / "site"
    _make_explorer(folder / "explore.html", places)
    _join(folder)
    click.echo(f"the front page: {folder / 'index.html'}")
    if opens:
        webbrowser.open((folder / "index.html").as_uri())
    try:
        _copy(_book(places), folder / "book")
    except Refusal as missing:
        click.echo(f"the book is not in it: {missing}; then make site again")
    else:
        click.echo(f"the book: {folder / 'book' / 'index.html'}")
    click.echo(_course(places.course, folder / "course"))
    _join(folder)


def _join(folder: Path) -> None:
    """Write the front page, and let the explorer know what else is there."""
    from workbook.site.door import DOORS, door, joined

    there = [way.page for way in DOORS if (folder / way.page).is_file()]
    (folder / "index.html").write_text(door(there), "utf-8")
    explorer = folder / "explore.html"
    others = [page for page in there if page != explorer.name]
    explorer.write_text(joined(explorer.read_text("utf-8"), others, "index.html"), "utf-8")


def _copy(pages: Path, into: Path) -> None:
    """Copy pages, each with a way back to the front page, but those that are figures in other pages."""
    from workbook.site.door import with_way_back

    shutil.copytree(pages, into, dirs_exist_ok=True)
    for page in into.rglob("*.html"):
        text = page.read_text("utf-8")
        if 'class="bn-page' not in text:
            page.write_text(with_way_back(text, len(page.relative_to(into).parts)), "utf-8")


def _course(course: Path, into: Path) -> str:
    """Copy what students may see of the course, if there is one; what to say of it."""
    from workbook.site.door import with_way_back
    from workbook.teaching.box.weeks import PUBLIC, STUDENTS

    if not (course / STUDENTS).is_file():
        return "the course is not in it: make course; then make site again"
    into.mkdir(exist_ok=True)
    for each in (course / name for name in PUBLIC):
        if each.is_dir():
            shutil.copytree(each, into / each.name, dirs_exist_ok=True)
        else:
            shutil.copy(each, into)
    (into / "index.html").write_text(with_way_back((course / STUDENTS).read_text("utf-8"), 1), "utf-8")
    return f"the course: {into / 'index.html'}"


def _make_explorer(page: Path, places: Places) -> None:
    """Write the explorer's page, unless it was made from what there is now."""
    from workbook.site.explorer import explorer

    stamp, sources = places.build / "explorer.made", _sources(places)
    if page.is_file() and stamp.is_file() and stamp.read_text("utf-8") == sources:
        return
    click.echo("Making the explorer, which takes a minute, once ...")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(explorer(), "utf-8")
    stamp.write_text(sources, "utf-8")


def _sources(places: Places) -> str:
    """A hash of all that decides what the explorer's page is."""
    from workbook.imports import imported_files

    digest = sha256()
    files = [*imported_files(["workbook.site.explorer"], places.root), *places.params.glob("*.yaml"), places.lock]
    files += places.params.joinpath("stories").glob("*.yaml")
    files += [path for name in PAGES for path in places.root.joinpath(name).rglob("*.*") if path.suffix in WEB]
    for path in sorted({path for path in files if path.is_file()}):
        digest.update(path.relative_to(places.root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _book(places: Places) -> Path:
    """The book's pages: those that were made, unless a chapter was executed later."""
    html = places.build / "book" / "html"
    notebooks = [places.executed(path.name) for path in places.notebooks.glob("[0-9][0-9]-*.ipynb")]
    executed = [path.stat().st_mtime for path in notebooks if path.is_file()]
    index = html / "index.html"
    is_made = index.is_file() and index.stat().st_mtime >= max(executed, default=0)
    return html if is_made else made(places)
