"""The ledger: says of every statement of every source document whether it came out, and why not.

`claim`, `book` and `rulers` read what is said and what its words mean, `results` what we computed; `expression` brings
them together, `verdict` finds the outcome, `judgment` adds the negative control and other readings (`instead`),
`scorecard` counts; `picture`, `table`, `why` and `crate` show it, and
`wording` and `coverage` hold the quotes to the documents' texts.
"""

from simcore.extras import require

require("workbook")
require("plots")

from collections.abc import Sequence

from workbook.ledger.book import load_book
from workbook.ledger.claim import Book
from workbook.ledger.error import LedgerError, for_each
from workbook.ledger.judgment import judge, judged_together
from workbook.ledger.picture import draw_scorecard
from workbook.ledger.results import load_results
from workbook.ledger.rulers import load_rulers
from workbook.ledger.scorecard import Scorecard, Verdicts
from workbook.ledger.verdict import Evidence
from workbook.paths import REPO, Places

__all__ = ["LedgerError", "Scorecard", "draw_scorecard", "scorecard", "source_names"]


def source_names(places: Places = REPO) -> list[str]:
    """The stems of the files under claims/ that hold a source document's claims."""
    return sorted(path.stem for path in places.claims.glob("*.yaml") if path.stem not in ("rulers", "uncovered"))


def scorecard(sources: Sequence[str] | None = None, places: Places = REPO) -> Scorecard:
    """Judge every claim of the named sources (see `source_names`), or of all sources.

    Raises:
        LedgerError: a claims file is malformed or names a result that does not exist; a line for each.
    """
    stems = source_names(places) if sources is None else sources
    books = for_each(load_book, [places.claims / f"{stem}.yaml" for stem in stems])
    rulers = load_rulers(places.claims / "rulers.yaml")
    evidence = Evidence(load_results(places.figures), places.figures, rulers)

    def judged(book: Book) -> Verdicts:
        judgments = for_each(lambda claim: judge(claim, evidence, book.source), book.claims)
        return Verdicts(book.source, judged_together(judgments, evidence))

    return Scorecard(for_each(judged, books))
