"""`workbook new`: a chapter of one's own."""

import click

from workbook.commands.refusal import Refusal, checkout


@click.command(short_help="A chapter of your own, from an example that runs.")
@click.argument("name", metavar="NAME")
@click.option("--number", metavar="N", type=int, help="Its place among the chapters.  [default: after the last]")
def new(name: str, number: int | None) -> None:
    """Make a chapter: NAME's parameters, claims, notebook and bibliography entry, from a small, complete example.

    \b
    Example:
      workbook new small-buffers
      workbook figures small-buffers     (its figures and numbers, its verdicts, README and map)
      make lab                           (to change its notebook)

    NAME is small letters and digits, with single hyphens between them. What is there already is never overwritten.
    The notebook gets the next number, or one that is free; README's table and the map know the chapter at once, and so
    do the book, the explorer and the ledger.

    Exit status 2 for a name or a number that can't be used; then nothing was written.
    """
    from workbook.book.front import renew_chapters
    from workbook.chapters.chapter import ChapterError
    from workbook.chapters.new import create

    places = checkout()
    try:
        files = create(name, places, number)
        renew_chapters(places)
    except ChapterError as error:
        raise Refusal(error) from None
    for path in files:
        click.echo(f"written: {path.relative_to(places.root)}")
    click.echo(f"now: workbook figures {name}")
