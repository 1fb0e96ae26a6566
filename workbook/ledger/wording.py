"""Holds quotes to a document's own words without having its text: claims/sources/*.txt has fingerprints of the words.

A line a sentence, a fingerprint a word; words with digits stand as they are, as numbers are facts. `python -m
workbook.ledger.wording FILE` makes it from a document's text, and `workbook claims SOURCE --text FILE` shows, in the
document's words, the sentences that no claim quotes.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]\w*|%")  # 240ms is two words, 2.56 is one
GAP = re.compile(r"\s*(?:\.\.\.|…)\s*")  # where a quote leaves something out
HALF = 0.5  # of a sentence's words: a claim that quotes less doesn't have its statement
SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True)
class Wording:
    """A document as sentences of fingerprints."""

    sentences: list[list[str]]

    @classmethod
    def load(cls, path: Path) -> "Wording":
        """Read fingerprints as `fingerprints` writes them."""
        return cls([line.split() for line in path.read_text("utf-8").splitlines()])

    @cached_property
    def words(self) -> list[str]:
        """All words in a row: a quote may go over the end of a sentence."""
        return [word for sentence in self.sentences for word in sentence]

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        starts: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            starts.setdefault(word, []).append(index)
        return starts

    def where(self, quote: str) -> set[int]:
        """The words that a quote covers, everywhere it stands; empty if some part of it is not verbatim."""
        covered: set[int] = set()
        for part in filter(None, GAP.split(quote)):
            words = [fingerprint(word) for word in WORD.findall(part)]
            starts = [
                at for at in self._starts.get("".join(words[:1]), []) if self.words[at : at + len(words)] == words
            ]
            if not starts:
                return set()
            covered |= {start + step for start in starts for step in range(len(words))}
        return covered

    def not_verbatim(self, quotes: Iterable[str]) -> list[str]:
        """The quotes that the document does not have, word for word."""
        return [quote for quote in quotes if not self.where(quote)]

    def uncovered(self, quotes: Iterable[str], argued: Iterable[str] = ()) -> list[int]:
        """The sentences (by number, from 0) with a number that nothing quotes, or with less than half of their words
        in `quotes`, unless one of `argued` names the sentence, or what is left of it, by some words.
        """
        quoted = set().union(*map(self.where, quotes))
        named = set().union(*map(self.where, argued))
        return [number for number, places in enumerate(self._places()) if not self._is_covered(places, quoted, named)]

    def _places(self) -> Iterator[range]:
        end = 0
        for sentence in self.sentences:
            end += len(sentence)
            yield range(end - len(sentence), end)

    def _is_covered(self, places: range, quoted: set[int], named: set[int]) -> bool:
        numbers = {place for place in places if is_number(self.words[place])}
        is_quoted = not named.isdisjoint(places) or len(quoted.intersection(places)) >= HALF * len(places)
        return is_quoted and numbers <= quoted | named


def is_number(word: str) -> bool:
    """Whether a word stands in clear because it begins with a digit; fingerprints begin with a letter."""
    return word[0].isdigit()


def fingerprint(word: str) -> str:
    """A word that nobody can read back, two alike being an accident of one in 65536; numbers stay."""
    return word if word[0].isdigit() or word == "%" else "x" + sha256(word.encode()).hexdigest()[:4]


def sentences(text: str) -> list[str]:
    """A text, sentence by sentence; a line that breaks off ends one too. What has no words is left out."""
    pieces = [piece for line in text.splitlines() for piece in SENTENCE_END.split(line)]
    return [piece.strip() for piece in pieces if WORD.search(piece)]


def fingerprints(text: str) -> str:
    """What claims/sources/ has of a text."""
    return "".join(" ".join(map(fingerprint, WORD.findall(line))) + "\n" for line in sentences(text))


if __name__ == "__main__":
    sys.stdout.write(fingerprints(Path(sys.argv[1]).read_text("utf-8")))
