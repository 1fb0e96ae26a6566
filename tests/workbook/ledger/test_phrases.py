"""A word has one ruler, in all five documents: claims use it, or claims/rulers.yaml says why not."""

import ast
import re
from collections.abc import Iterator

import pytest
import yaml

from workbook.ledger import source_names
from workbook.ledger.book import load_book
from workbook.ledger.claim import Claim, Exact, Predicate
from workbook.ledger.expression import parsed
from workbook.ledger.rulers import load_rulers
from workbook.paths import REPO

FILE = REPO.claims / "rulers.yaml"
RULER_OF = {word: name for name, ruler in load_rulers(FILE).items() for word in ruler.words}
ARGUED = yaml.safe_load(FILE.read_text("utf-8"))
GRAMMATICAL = {word for words in ARGUED["grammatical"] for word in words}
FREE = {(claim, word) for each in ARGUED["exceptions"] for claim in each["claims"] for word in each["words"]}
LONGEST_FIRST = sorted({*RULER_OF, *GRAMMATICAL}, key=len, reverse=True)
WORDS = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in LONGEST_FIRST), re.IGNORECASE)


def words_in(quote: str) -> list[str]:
    """The words of rulers in a quote; within `almost fair` there is neither `almost` nor `fair`."""
    found = [match.group().lower() for match in WORDS.finditer(quote)]
    return [word for word in found if word not in GRAMMATICAL]


def rulers_used(claim: Claim) -> set[str]:
    """The claim's own ruler, and those that its expression calls."""
    if not isinstance(claim, Predicate) or claim.compare is None:
        return {claim.ruler}
    calls = [node.func for node in ast.walk(parsed(claim.compare)) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)} & {*RULER_OF.values()}
    return names or {"plain"}


def predicted() -> Iterator[Claim]:
    for source in source_names():
        for claim in load_book(REPO.claims / f"{source}.yaml").claims:
            if claim.status == "predicted" and not isinstance(claim, Exact):
                yield claim


def strays() -> set[tuple[str, str]]:
    """Claims and their words whose ruler they don't use."""
    found = ((claim, word) for claim in predicted() for word in words_in(claim.quote))
    return {(claim.id, word) for claim, word in found if RULER_OF[word] not in rulers_used(claim)}


def test_a_word_has_its_ruler_or_a_reason_why_not() -> None:
    assert strays() - FREE == set()


def test_no_exception_has_become_idle() -> None:
    assert FREE - strays() == set()
    assert all(each["because"] for each in ARGUED["exceptions"])


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("the share is almost fair", ["almost fair"]),
        ("Latency was very stable, about 1", ["very stable", "about"]),
        ("more stable than before", []),
        ("unstable", ["unstable"]),
    ],
)
def test_the_longest_words_count(quote: str, words: list[str]) -> None:
    assert words_in(quote) == words
