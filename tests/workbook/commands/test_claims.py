"""The real ledger over the committed results: every claim judged, quotes verbatim, predictions able to fail."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbook.commands.claims import claims
from workbook.ledger import Scorecard, scorecard, source_names
from workbook.ledger.coverage import quotes, wording
from workbook.paths import REPO

# Documents whose claims were looked at one by one under the rulers; at the end all of them.


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return scorecard()


def test_no_number_that_must_be_exact_differs(card: Scorecard) -> None:
    assert [f"{judgment.claim.id}: {judgment.reason}" for judgment in card.failed] == []


@pytest.mark.parametrize("source", source_names())
def test_every_prediction_fails_somewhere(card: Scorecard, source: str) -> None:
    """A claim that holds in every configuration can't tell a right model from a wrong one."""
    [verdicts] = [verdicts for verdicts in card.sources if verdicts.source.key == source]
    assert [judgment.claim.id for judgment in verdicts.judgments if judgment.cannot_fail] == []


@pytest.mark.parametrize("source", source_names())
def test_every_quote_is_verbatim(source: str) -> None:
    assert wording(source, REPO).not_verbatim(quotes(source, REPO)) == []


@pytest.mark.parametrize("source", source_names())
def test_every_sentence_and_printed_number_is_quoted_or_argued(source: str) -> None:
    """`workbook claims SOURCE --text FILE` shows them in the document's words."""
    found = wording(source, REPO)
    assert [f"{number}: {' '.join(found.sentences[number])}" for number in found.uncovered(quotes(source, REPO))] == []


def test_every_verdict_has_a_reason_and_every_reading_of_words_an_argument(card: Scorecard) -> None:
    for judgment in card.judgments:
        assert judgment.reason, judgment.claim.id
        if judgment.claim.kind in ("predicate", "tolerance"):
            assert judgment.claim.because, judgment.claim.id


def test_the_readme_shows_todays_scores(card: Scorecard) -> None:
    readme = (REPO.root / "README.md").read_text()
    shown = re.search(r"<!-- scorecard -->\n(.*?)\n<!-- /scorecard -->", readme, re.DOTALL)
    assert shown
    assert shown[1] == card.to_markdown()


def test_one_claim_is_evaluated_before_ones_eyes() -> None:
    told = CliRunner().invoke(claims, ["--why", "two-tcp.baseline.flow1.sent"]).output
    for line in (
        "two-tcp.baseline.flow1.sent",
        "  compare     two_tcp.baseline.flow1.sent",
        "  from        figures/two-tcp/baseline/statistics.json",
        "  read        two_tcp.baseline.flow1.sent = 1108",
        "  measured    printed: 1108, margin 0",
        "  verdict     reproduced: said 1108, computed 1108",
    ):
        assert f"{line}\n" in told
    assert "  control     two_tcp." in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--why", "two-tcp.nothing"], "--why: 'two-tcp.nothing' is not known"),
        (["--why", "nothing"], "--why: the source: 'nothing' is not known"),
        (["--text", "README.md"], "--text: give one SOURCE"),
        (["two-tcp", "--text", "README.md"], "this is not the text of two-tcp"),
        (["rulers"], "SOURCE: 'rulers' is not known"),
    ],
)
def test_what_is_not_there_is_refused_in_a_line(given: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO.root)
    result = CliRunner().invoke(claims, given)
    assert (result.exit_code, told in result.output) == (2, True)


def test_the_crate_has_every_claim_and_the_files_it_names(card: Scorecard, tmp_path: Path) -> None:
    assert CliRunner().invoke(claims, ["two-tcp", "--crate", str(tmp_path)]).exit_code == 0
    graph = json.loads((tmp_path / "ro-crate-metadata.json").read_text())["@graph"]
    by_id = {entity["@id"]: entity for entity in graph}
    assert len(by_id) == len(graph)
    [mine] = [verdicts for verdicts in card.sources if verdicts.source.key == "two-tcp"]
    reviews = {entity["itemReviewed"]["@id"]: entity for entity in graph if entity["@type"] == "ClaimReview"}
    for judgment in mine.judgments:
        review = reviews[f"#claim/{judgment.claim.id}"]
        assert review["reviewRating"]["alternateName"] == judgment.verdict
        assert by_id[f"#claim/{judgment.claim.id}"]["text"] == judgment.claim.quote
    referred = re.findall(r'"@id": "([^"]+)"', json.dumps([entity for entity in graph if "@id" in entity]))
    assert {name for name in referred if not name.startswith("https:")} <= by_id.keys()
    assert all((tmp_path / entity["@id"]).is_file() for entity in graph if entity["@type"] == "File")
