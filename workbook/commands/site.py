"""`workbook site`: what `make site` and `make app` call."""

import shutil
import webbrowser
from pathlib import Path

import click

from workbook.commands.book import made
from workbook.commands.refusal import Refusal, checkout
from workbook.paths import Places


@click.command(short_help="Make the folder of pages with the engine in them.")
@click.option("--open", "opens", is_flag=True, help="Open the explorer in a browser when it is made.")
def site(opens: bool) -> None:
    """Make a static folder of pages in which the engine itself runs, into build/site/.

    It works from the disk and from any host under any path, and asks for nothing elsewhere. explore.html is the
    explorer; book/ is the book with living figures, where `make book` can make it.
    """
    from workbook.site.explorer import explorer

    places = checkout()
    folder = places.build / "site"
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "explore.html"
    page.write_text(explorer(), "utf-8")
    click.echo(f"the explorer: {page}")
    if opens:
        webbrowser.open(page.as_uri())
    try:
        shutil.copytree(_book(places), folder / "book", dirs_exist_ok=True)
    except Refusal as missing:
        click.echo(f"the book is not in it: {missing}; then make site again")
    else:
        click.echo(f"the book: {folder / 'book' / 'index.html'}")


def _book(places: Places) -> Path:
    """The book's pages: those that were made, unless a chapter was executed later."""
    html = places.build / "book" / "html"
    notebooks = [places.executed(path.name) for path in places.notebooks.glob("[0-9][0-9]-*.ipynb")]
    executed = [path.stat().st_mtime for path in notebooks if path.is_file()]
    index = html / "index.html"
    is_made = index.is_file() and index.stat().st_mtime >= max(executed, default=0)
    return html if is_made else made(places)
