"""Marks to hit: the numbers that a source prints of a case, as its claims have them."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from workbook.ledger import source_names
from workbook.ledger.book import load_book
from workbook.ledger.claim import Exact
from workbook.paths import REPO, Places

COUNTED: Final = {"sent": "Sent", "dropped": "Dropped"}  # results that a page shows, as its table calls them


class Mark(NamedTuple):
    """A number that a source prints of a flow, from 1, or of all of them together, 0; `row` is one of js/marks.js."""

    source: str
    flow: int
    row: str
    said: float
    unit: str = "packets"
    hit: tuple[float, float] | None = None  # what counts as this number; None: only itself


def marks_of(chapter: str, case: str, places: Places = REPO) -> list[Mark]:
    """What the source documents print of a case, each number once.

    Raises LedgerError for claims that cannot be read.
    """
    found = {(mark.flow, mark.row): mark for mark in _said(chapter, case, places)}
    return [found[key] for key in sorted(found, key=lambda key: (key[0], list(COUNTED.values()).index(key[1])))]


def _said(chapter: str, case: str, places: Places) -> Iterator[Mark]:
    group = f"{chapter}.{case}".replace("-", "_")
    asked = re.compile(rf"{re.escape(group)}\.flow(\d+)\.({'|'.join(COUNTED)})")
    for name in source_names(places):
        book = load_book(places.claims / f"{name}.yaml")
        for claim in book.claims:
            if isinstance(claim, Exact) and (match := asked.fullmatch(claim.compare or "")):
                yield Mark(book.source.title, int(match[1]), COUNTED[match[2]], int(claim.said))
