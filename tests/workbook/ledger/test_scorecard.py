"""All verdicts together: counted, listed, drawn."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbook.ledger.studies import write_claims
from workbook.ledger import LedgerError, Scorecard, draw_scorecard, scorecard
from workbook.ledger.claim import STATUSES
from workbook.ledger.expression import evaluate
from workbook.ledger.verdict import VERDICTS
from workbook.paths import Places

OTHER = {"flow1": {"sent": 1, "kb": 1.0, "setup": {"start_s": 0.1}}}


@pytest.fixture
def card(places: Places) -> Scorecard:
    """One claim of each verdict; the one that differs fails the build. Two are predicted."""
    other = places.figures / "two-tcp" / "other"
    other.mkdir()
    (other / "statistics.json").write_text(json.dumps(OTHER))
    sent = "two_tcp.size_100.flow1.sent"
    said = {"kind": "exact", "compare": sent, "status": "predicted"}
    write_claims(
        places,
        said | {"id": "right", "said": "1108"},
        said | {"id": "wrong", "said": "1107", "quote": "sent: 1107"},
        {"id": "slip", "kind": "exact", "said": "2.5", "arithmetic": "1 + 1", "counts_as": "sentence"},
        {"id": "dream", "kind": "untestable", "why": "a wish", "counts_as": "sentence", "status": "predicted"},
        {"id": "picture", "kind": "figure", "figure": "two-tcp/size-100/latency", "counts_as": "figure"},
        {"id": "put-in", "kind": "exact", "said": "1", "compare": "two_tcp.other.flow1.sent", "status": "input"},
    )
    return scorecard(places=places)


def test_the_scorecard_counts_by_status_kind_and_verdict(card: Scorecard) -> None:
    (study,) = card.sources
    assert [study.count("reproduced", kind) for kind in ("number", "sentence", "figure")] == [2, 0, 1]
    assert (study.count("reproduced", status="predicted"), study.count(status="predicted"), study.count()) == (1, 3, 6)
    assert [judgment.claim.id for judgment in card.failed] == ["wrong"]


def test_only_predictions_make_headlines(card: Scorecard) -> None:
    assert card.headline() == "1 of 2 predictions that can be tested came out."


def test_a_study_without_predictions_has_no_row_in_the_headline(places: Places) -> None:
    write_claims(places, {"id": "ours", "kind": "exact", "said": "1108", "compare": "two_tcp.size_100.flow1.sent"})
    predicted, rest = scorecard(places=places).to_markdown().split("\n\n")
    assert [line.split("|")[1].strip() for line in predicted.splitlines()[2:]] == ["**total**", "**total**"]
    assert "| 1 | 1 |" in rest


def test_the_table_lists_what_was_not_reproduced_with_the_reason(card: Scorecard) -> None:
    table = card.to_table()
    told = "      said 1107, computed 1108: off by +1, +0.09 % [the build fails]"
    assert f"wrong [predicted]: “sent: 1107”\n{told}" in table
    assert "slip [measured]: “as it says”\n      1 + 1 = 2, printed as 2.5" in table
    assert "dream" in table
    assert "right" not in table


def test_every_verdict_and_status_is_told_in_ordinary_words(card: Scorecard) -> None:
    legend = card.to_table().split("\n\n")[3].splitlines()
    assert len(legend) == len(VERDICTS) + len(STATUSES)
    for word in (*VERDICTS, *STATUSES):
        assert any(re.search(rf"(^|\(){word}\)? .*\w{{3}}", line) for line in legend), word


def test_the_readme_has_predictions_by_kind_and_a_total_and_the_rest_apart(card: Scorecard) -> None:
    predicted, rest = (table.splitlines() for table in card.to_markdown().split("\n\n"))
    assert predicted[2:] == [
        "| A study | numbers | 1 | 1 | 0 | 0 | 2 |",
        "| A study | sentences | 0 | 0 | 0 | 1 | 1 |",
        "| **total** | **numbers** | **1** | **1** | **0** | **0** | **2** |",
        "| **total** | **sentences** | **0** | **0** | **0** | **1** | **1** |",
    ]
    assert rest[0] == "| no predictions | put in | figures drawn again | our own | all |"
    assert rest[2] == "| A study | 1 | 1 | 1 | 3 |"
    assert len({line.count("|") for line in rest}) == 1


def test_the_json_has_every_claim_with_its_values(card: Scorecard) -> None:
    (study,) = json.loads(card.to_json())
    assert study["counts"]["number"] == {"reproduced": 2, "differs": 1, "source inconsistent": 0, "not testable": 0}
    right = next(claim for claim in study["claims"] if claim["id"] == "right")
    assert (right["verdict"], right["value"], right["fails"], right["status"]) == (
        "reproduced",
        1108,
        False,
        "predicted",
    )
    assert (right["ruler"], right["margin"]) == ("printed", 0.0)
    assert right["negative_control"] == {
        "configuration": "two_tcp.other in place of two_tcp.size_100",
        "reason": "said 1108, computed 1: off by -1107, -1e+02 %",
    }
    assert right["read"] == {"two_tcp.size_100.flow1.sent": 1108}


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
        evaluate(text, {"a": {"b": 1.5}}, {})
    except LedgerError as error:
        problems = error.problems
    else:
        problems = ("none, it has a value",)
    assert len(problems) == 1
