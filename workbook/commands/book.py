"""`workbook book`: what `make book` calls."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from workbook.commands.refusal import Refusal, checkout
from workbook.paths import Places


@click.command(short_help="Make the HTML book of the executed chapters.")
def book() -> None:
    """Make a static HTML book of the executed chapters, the labs and the scorecard, into build/book/.

    It needs no network, neither to make nor to read, search included. The chapters must have been executed (`make
    figures`); labs are in it if their student versions were built (`make assignments`). `make book` does all of it.
    """
    click.echo(f"the book: {made(checkout()) / 'index.html'}")


def made(places: Places) -> Path:
    """Make the book, and return the folder of its pages. Raises Refusal with what has to be done before."""
    from workbook.book.source import assemble

    if find_spec("jupyter_book") is None:
        raise Refusal("jupyter-book is not installed: make book installs it")
    source, html = places.build / "book" / "source", places.build / "book" / "html"
    try:
        assemble(places, places.build / "course" / "release", source)
    except FileNotFoundError as error:
        raise Refusal(f"{error.filename}: not there yet: make figures") from None
    program = Path(sys.executable).with_name("jupyter-book")
    command = [str(program), "build", "--quiet", "--path-output", str(html.parent), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        click.echo(done.stdout + done.stderr, err=True)
        raise SystemExit(1)
    shutil.rmtree(html, ignore_errors=True)
    shutil.move(html.parent / "_build" / "html", html)
    return html
