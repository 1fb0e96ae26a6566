"""Whether each sentence and printed number of a document is quoted by claims, or argued in claims/uncovered.yaml."""

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from simcore.scenario.loading import load_mapping
from workbook.ledger.book import load_book
from workbook.ledger.claim import Strict, Text
from workbook.ledger.error import LedgerError
from workbook.ledger.wording import Wording, fingerprints, sentences
from workbook.paths import Places


class Argued(Strict):
    """Words of a document that no claim quotes, and why none does."""

    quotes: Annotated[list[Text], Field(min_length=1)]
    why: Text


def load_argued(places: Places) -> dict[str, list[Argued]]:
    """claims/uncovered.yaml, by source.

    Raises:
        LedgerError: the file is malformed.
    """
    try:
        return TypeAdapter(dict[str, list[Argued]]).validate_python(load_mapping(places.claims / "uncovered.yaml"))
    except ValidationError as error:
        raise LedgerError(*(f"uncovered.yaml: {each['loc']}: {each['msg']}" for each in error.errors())) from error


def quotes(source: str, places: Places) -> list[str]:
    """All words of a document that a claim quotes."""
    return [claim.quote for claim in load_book(places.claims / f"{source}.yaml").claims]


def argued(source: str, places: Places) -> list[str]:
    """All words of a document that an argument names."""
    return [quote for each in load_argued(places).get(source, []) for quote in each.quotes]


def wording(source: str, places: Places) -> Wording:
    """The fingerprints of a document."""
    return Wording.load(places.claims / "sources" / f"{source}.txt")


def uncovered_in(text: str, source: str, places: Places) -> list[str]:
    """The sentences of a document's text that neither claims nor arguments cover (see `Wording.uncovered`).

    Raises:
        LedgerError: this is not the text whose fingerprints are in claims/sources.
    """
    document = wording(source, places)
    if fingerprints(text) != "".join(" ".join(words) + "\n" for words in document.sentences):
        raise LedgerError(f"this is not the text of {source}: its words have other fingerprints")
    written = sentences(text)
    left = document.uncovered(quotes(source, places), argued(source, places))
    return [f"{number}: {written[number]}" for number in left]
