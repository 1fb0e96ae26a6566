"""`workbook claims`: the scorecard, and one claim from close by."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbook.commands.refusal import Refusal, checkout, choose

if TYPE_CHECKING:
    from workbook.paths import Places


@click.command(short_help="The scorecard: what the studies say, and what came out.")
@click.argument("sources", metavar="[SOURCE...]", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print every claim with its verdict as JSON.")
@click.option("--why", metavar="ID", help="Evaluate one claim: what it reads, its rulers, its negative control.")
@click.option(
    "--crate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write claims, evidence and verdicts to DIR as an RO-Crate.",
)
@click.option(
    "--text",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Print the sentences of SOURCE's text in FILE that no claim quotes.",
)
def claims(sources: Sequence[str], as_json: bool, why: str | None, crate: Path | None, text: Path | None) -> None:
    """Judge what the source documents say by the statistics in figures/.

    A SOURCE is the name of a file in claims/ without its ending; without any, all of them are judged.

    \b
    Each claim has a status, which says what part we had in it:
      predicted  nothing was adjusted to it: only these make headline numbers
      input      we put the document's number in
      fitted     chosen so that it comes out
      redrawn    a figure whose original is lost
      external   a cited fact, or the document's own sum
    \b
    and a verdict, computed each time with the rulers of claims/rulers.yaml:
      reproduced           the number came out, or the sentence is true
      differs              it did not; by how much
      source inconsistent  the document contradicts itself; the arithmetic is shown
      not testable         and why

    \b
    Examples:
      workbook claims
      workbook claims two-tcp --json
      workbook claims --why two-tcp.baseline.flow1.kb
      workbook claims --crate build/crate

    Exit status 1 if a claim that must be exact differs, 2 if a claims file can't be used.
    """
    from workbook.ledger import LedgerError, scorecard, source_names
    from workbook.ledger.crate import write_crate

    places = checkout()
    for source in sources:
        choose("SOURCE", source, source_names(places))
    try:
        if why is not None:
            return click.echo(_why(why, places))
        if text is not None:
            return click.echo(_uncovered(sources, text, places))
        card = scorecard(list(sources) or None, places)
    except LedgerError as error:
        raise Refusal(*str(error).splitlines()) from None
    if crate is not None:
        return click.echo(f"written: {write_crate(card, places, crate)}")
    click.echo(card.to_json() if as_json else card.to_table())
    if card.failed:
        raise SystemExit(1)


def _why(name: str, places: "Places") -> str:
    from workbook.ledger import scorecard, source_names
    from workbook.ledger.rulers import load_rulers
    from workbook.ledger.why import explain

    source = name.partition(".")[0]
    choose("--why: the source", source, source_names(places))
    judgments = {judgment.claim.id: judgment for judgment in scorecard([source], places).judgments}
    choose("--why", name, judgments)
    return explain(judgments[name], load_rulers(places.claims / "rulers.yaml"), places)


def _uncovered(sources: Sequence[str], text: Path, places: "Places") -> str:
    from workbook.ledger.coverage import uncovered_in

    if len(sources) != 1:
        raise Refusal("--text: give one SOURCE, the document that FILE has the text of")
    return "\n".join(uncovered_in(text.read_text("utf-8"), sources[0], places)) or "every sentence is quoted, or argued"
