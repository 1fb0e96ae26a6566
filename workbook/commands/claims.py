"""`workbook claims`: the scorecard."""

from collections.abc import Sequence

import click

from workbook.commands.refusal import Refusal, choose


@click.command(short_help="The scorecard: what the studies say, and what came out.")
@click.argument("sources", metavar="[SOURCE...]", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print every claim with its verdict as JSON.")
def claims(sources: Sequence[str], as_json: bool) -> None:
    """Judge what the source documents say by the statistics in figures/.

    A SOURCE is the name of a file in claims/ without its ending; without any, all of them are judged.

    \b
    The verdicts, computed each time:
      reproduced           the number came out, or the sentence is true
      differs              it did not; by how much
      source inconsistent  the document contradicts itself; the arithmetic is shown
      not testable         and why

    \b
    Examples:
      workbook claims
      workbook claims two-tcp --json

    Exit status 1 if a claim that must be exact differs, 2 if a claims file can't be used.
    """
    from workbook.ledger import LedgerError, scorecard
    from workbook.paths import REPO

    for source in sources:
        choose("SOURCE", source, sorted(path.stem for path in REPO.claims.glob("*.yaml")))
    try:
        card = scorecard(list(sources) or None)
    except LedgerError as error:
        raise Refusal(*str(error).splitlines()) from None
    click.echo(card.to_json() if as_json else card.to_table())
    if card.failed:
        raise SystemExit(1)
