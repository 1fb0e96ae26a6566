"""Quotes held to a text that is not there: only its fingerprints are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook.ledger.wording import Wording, fingerprints, sentences

TEXT = """3.0 Two flows

The link is a 2 Mbps link. It isn't fast!
   Total losses:     1.353791%
"""


@pytest.fixture
def text(tmp_path_factory: pytest.TempPathFactory) -> Wording:
    path = tmp_path_factory.mktemp("sources") / "text.txt"
    path.write_text(fingerprints(TEXT))
    return Wording.load(path)


def test_sentences_end_with_a_stop_or_a_line() -> None:
    found = sentences(TEXT)
    assert found == ["3.0 Two flows", "The link is a 2 Mbps link.", "It isn't fast!", "Total losses:     1.353791%"]


def test_numbers_stand_in_clear_and_words_do_not() -> None:
    written = fingerprints(TEXT)
    assert written.splitlines()[3].split()[-2:] == ["1.353791", "%"]
    assert "link" not in written


@pytest.mark.parametrize(
    ("quote", "verbatim"),
    [
        ("The link is a 2 Mbps link", True),
        ("Total losses: 1.353791%", True),
        ("2Mbps link. It isn't", True),  # over the end of a sentence; blanks don't count
        ("The link ... fast", True),
        ("the link is a 2 Mbps link", False),
        ("The link is a 3 Mbps link", False),
        ("The link ... slow", False),
        ("...", False),
    ],
)
def test_a_quote_is_verbatim_or_not(text: Wording, quote: str, verbatim: bool) -> None:
    assert (text.not_verbatim([quote]) == []) is verbatim


def test_a_sentence_is_uncovered_if_its_statement_or_a_number_is_left_out(text: Wording) -> None:
    assert text.uncovered([]) == [0, 1, 2, 3]
    assert text.uncovered(["It isn't fast", "Total losses", "3.0 Two", "The link is a 2"]) == [3]
    assert text.uncovered(["It isn't fast", "losses: 1.353791", "Two flows", "The link is a 2"]) == [0]
    assert text.uncovered(["It isn't fast", "losses: 1.353791", "3.0 Two", "a 2"]) == [1]  # 2 of 7 words


def test_an_argument_names_what_is_left_of_a_sentence(text: Wording) -> None:
    quoted = ["It isn't fast", "losses: 1.353791", "3.0 Two"]
    assert text.uncovered([*quoted, "a 2"], argued=["The link"]) == []
    assert text.uncovered(quoted, argued=["The link"]) == [1], "its number has to be quoted all the same"


@given(st.text(max_size=200))
def test_any_text_quotes_itself(written: str) -> None:
    found = Wording([line.split() for line in fingerprints(written).splitlines()])
    assert found.not_verbatim(sentences(written)) == []
    assert found.uncovered(sentences(written)) == []
