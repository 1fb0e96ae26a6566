"""`workbook figures`: what `make figures` calls."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from workbook.commands.refusal import Refusal, checkout

if TYPE_CHECKING:
    from workbook.build.build import Event
    from workbook.paths import Places


@click.command(short_help="Make the chapters' figures and numbers.")
@click.argument("chapters", metavar="[CHAPTER...]", nargs=-1)
@click.option("--force", is_flag=True, help="Make them even if nothing changed.")
def figures(chapters: Sequence[str], force: bool) -> None:
    """Make the figures and numbers of chapters, or of all chapters, into figures/.

    A CHAPTER is the name of a file in params/ without its ending. Its notebook is executed (the result is kept in
    build/notebooks/), several side by side. A chapter is left alone if nothing changed that it depends on: the
    sources, its notebook, its parameters, requirements.lock, and what it made before.

    \b
    Examples:
      workbook figures
      workbook figures two-tcp --force

    If a notebook fails, one line names the cell and the partial notebook, which is kept; the chapter's old figures
    stay, and the other chapters are finished. Exit status 1 then, and 2 if a chapter can't be run at all.

    At the end the claims of the source documents are judged by the new numbers (see `workbook claims`), the scorecard
    is drawn, and README, the map and docs/architecture.md are brought up to date; a printed number that must come out
    exactly and did not is exit status 1 too.
    """
    from workbook.build.build import build, load_chapters
    from workbook.build.notebook import NotebookError
    from workbook.chapters.chapter import ChapterError
    from workbook.export.files import locked

    places = checkout()
    try:
        chosen = load_chapters(chapters, places)
    except (ChapterError, NotebookError) as error:
        raise Refusal(error) from None
    try:
        with locked(places.root):
            failed = _shown(build(chosen, places, force=force))
    except BlockingIOError:
        raise Refusal(f"{places.root}: another build is at work in this folder; wait for its end") from None
    if failed or not _claims_judged(places):
        raise SystemExit(1)


def _shown(events: "Iterator[Event]") -> bool:
    """Show what happens; whether a chapter failed."""
    from workbook.build.progress import Progress

    progress = Progress(live=sys.stdout.isatty())
    failed = False
    for event in events:
        progress.show(event)
        failed |= event.kind == "failed"
    return failed


def _claims_judged(places: "Places") -> bool:
    """Draw the scorecard, renew README, map and architecture; whether every number that must be exact is."""
    from workbook.book.architecture import renew_architecture
    from workbook.book.chapter_readme import write_readmes
    from workbook.book.front import renew_chapters, renew_scores
    from workbook.chapters.chapter import Chapter
    from workbook.ledger import LedgerError, draw_scorecard, scorecard
    from workbook.ledger.verdict import VERDICTS

    try:
        card = scorecard(places=places)
    except LedgerError as error:
        raise Refusal(*str(error).splitlines()) from None
    draw_scorecard(card, places.figures)
    write_readmes([Chapter.load(path) for path in sorted(places.params.glob("*.yaml"))], card, places)
    renew_chapters(places)
    renew_scores(card, places)
    renew_architecture(places)
    counts = [f"{sum(j.verdict == verdict for j in card.judgments)} {verdict}" for verdict in VERDICTS]
    click.echo(f"claims: {', '.join(counts)}; more with `workbook claims`")
    for judgment in card.failed:
        click.echo(f"Error: {judgment.claim.id}: {judgment.reason}", err=True)
    return not card.failed
