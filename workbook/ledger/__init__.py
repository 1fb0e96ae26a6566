"""The ledger: says of every statement of every source document whether it came out, and why not.

`claim` and `book` read what is said, `results` what we computed; `expression` brings the two together,
`verdict` judges one claim, `scorecard` adds up all of them, `picture` draws that.
"""

from collections.abc import Sequence

from workbook.ledger.book import load_book
from workbook.ledger.claim import Book
from workbook.ledger.error import LedgerError, for_each
from workbook.ledger.picture import draw_scorecard
from workbook.ledger.results import load_results
from workbook.ledger.scorecard import Scorecard, Verdicts
from workbook.ledger.verdict import Evidence, judge
from workbook.paths import REPO, Places

__all__ = ["LedgerError", "Scorecard", "draw_scorecard", "scorecard"]


def scorecard(sources: Sequence[str] | None = None, places: Places = REPO) -> Scorecard:
    """Judge every claim of the named sources (the stems of the files under claims/), or of all sources.

    Raises:
        LedgerError: a claims file is malformed or names a result that does not exist; a line for each.
    """
    stems = sorted(path.stem for path in places.claims.glob("*.yaml")) if sources is None else sources
    books = for_each(load_book, [places.claims / f"{stem}.yaml" for stem in stems])
    evidence = Evidence(load_results(places.figures), places.figures)

    def judged(book: Book) -> Verdicts:
        return Verdicts(book.source, for_each(lambda claim: judge(claim, evidence), book.claims))

    return Scorecard(for_each(judged, books))
