"""`workbook site`: what `make site` calls."""

import shutil

import click

from workbook.commands.refusal import checkout


@click.command(short_help="Make the folder of pages with the engine in them.")
def site() -> None:
    """Make a static folder of pages in which the engine itself runs, into build/site/.

    It works from the disk and from any host under any path, and asks for nothing elsewhere. explore.html is the
    explorer. The book (`make book`) is in it if it was made.
    """
    from workbook.site.explorer import explorer

    places = checkout()
    folder, book = places.build / "site", places.build / "book" / "html"
    folder.mkdir(parents=True, exist_ok=True)
    if book.is_dir():
        shutil.copytree(book, folder / "book", dirs_exist_ok=True)
    (folder / "explore.html").write_text(explorer(), "utf-8")
    click.echo(f"the explorer: {folder / 'explore.html'}")
