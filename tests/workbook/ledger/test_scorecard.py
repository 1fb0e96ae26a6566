"""All verdicts together: counted, listed, drawn."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbook.ledger.studies import write_claims
from workbook.ledger import LedgerError, Scorecard, draw_scorecard, scorecard
from workbook.ledger.expression import evaluate
from workbook.paths import Places


@pytest.fixture
def card(places: Places) -> Scorecard:
    """One claim of each verdict; the one that differs fails the build."""
    sent = "two_tcp.size_100.flow1.sent"
    write_claims(
        places,
        {"id": "right", "kind": "exact", "said": "1108", "compare": sent},
        {"id": "wrong", "kind": "exact", "said": "1107", "compare": sent, "quote": "sent: 1107"},
        {"id": "slip", "kind": "exact", "said": "2.5", "arithmetic": "1 + 1", "counts_as": "sentence"},
        {"id": "dream", "kind": "untestable", "why": "a wish", "counts_as": "sentence"},
        {"id": "picture", "kind": "figure", "figure": "two-tcp/size-100/latency", "counts_as": "figure"},
    )
    return scorecard(places=places)


def test_the_scorecard_counts_by_what_a_reader_would_count(card: Scorecard) -> None:
    (study,) = card.sources
    assert [study.count("reproduced", kind) for kind in ("number", "sentence", "figure")] == [1, 0, 1]
    assert (study.count("reproduced"), study.count("differs"), study.total("sentence"), study.total()) == (2, 1, 2, 5)
    assert [judgment.claim.id for judgment in card.failed] == ["wrong"]


def test_the_table_lists_what_was_not_reproduced_with_the_reason(card: Scorecard) -> None:
    table = card.to_table()
    assert "wrong: “sent: 1107”\n      said 1107, computed 1108: off by +1, +0.09 % [the build fails]" in table
    assert "slip: “as it says”\n      1 + 1 = 2, printed as 2.5" in table
    assert "dream" in table
    assert "right" not in table
    assert "right: “as it says”\n      said 1108, computed 1108" in card.to_table(everything=True)


def test_the_readme_rows_are_a_markdown_table(card: Scorecard) -> None:
    head, rule, row = card.to_markdown().splitlines()
    assert head == "| source | numbers | sentences | figures | differs | source inconsistent | not testable |"
    assert rule.count("|") == head.count("|")
    assert row == "| A study | 1 of 2 | 0 of 2 | 1 of 1 | 1 | 1 | 1 |"


def test_the_json_has_every_claim_with_its_values(card: Scorecard) -> None:
    (study,) = json.loads(card.to_json())
    assert study["counts"]["number"] == {"reproduced": 1, "differs": 1, "source inconsistent": 0, "not testable": 0}
    wrong = next(claim for claim in study["claims"] if claim["id"] == "wrong")
    assert (wrong["verdict"], wrong["value"], wrong["fails"]) == ("differs", 1108, True)
    assert wrong["read"] == {"two_tcp.size_100.flow1.sent": 1108}


def test_drawing_twice_gives_the_same_files(card: Scorecard, tmp_path: Path) -> None:
    for folder in ("once", "twice"):
        (tmp_path / folder).mkdir()
        draw_scorecard(card, tmp_path / folder)
    for name in ("scorecard.png", "scorecard.svg", "scorecard.json"):
        assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "twice" / name).read_bytes()
    drawn = (tmp_path / "once" / "scorecard.svg").read_text()
    assert "A study: sentences" in drawn


@given(st.text("()[]{}.,+-*/<>=!:;'\"_ab01 \n", max_size=30))
def test_any_text_is_evaluated_or_refused_in_one_line(text: str) -> None:
    try:
        evaluate(text, {"a": {"b": 1.5}})
    except LedgerError as error:
        problems = error.problems
    else:
        problems = ("none, it has a value",)
    assert len(problems) == 1
