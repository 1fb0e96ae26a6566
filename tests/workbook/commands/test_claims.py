"""The real ledger over the committed results: every claim judged, quotes verbatim, predictions able to fail."""

import json
import re
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from workbook.commands.claims import claims
from workbook.ledger import Scorecard, scorecard, source_names
from workbook.ledger.claim import STATUSES
from workbook.ledger.coverage import argued, quotes, wording
from workbook.ledger.verdict import VERDICTS
from workbook.paths import REPO


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


DOCUMENTS = [source for source in source_names() if (REPO.claims / "sources" / f"{source}.txt").is_file()]


def test_a_study_without_a_document_predicts_nothing(card: Scorecard) -> None:
    """Its words are its own: `measured`, and no headline."""
    own = [each for verdicts in card.sources if verdicts.source.key not in DOCUMENTS for each in verdicts.judgments]
    assert [each.claim.id for each in own if each.claim.status not in ("measured", "redrawn")] == []


@pytest.mark.parametrize("source", source_names())
def test_every_source_has_its_entry_in_the_bibliography(source: str) -> None:
    assert re.match(rf"@\w+{{{source},\n", (REPO.claims / "sources" / f"{source}.bib").read_text("utf-8"))


@pytest.mark.parametrize("source", DOCUMENTS)
def test_every_quote_is_verbatim(source: str) -> None:
    assert wording(source, REPO).not_verbatim([*quotes(source, REPO), *argued(source, REPO)]) == []


@pytest.mark.parametrize("source", DOCUMENTS)
def test_every_sentence_and_printed_number_is_quoted_or_argued(source: str) -> None:
    """`workbook claims SOURCE --text FILE` shows them in the document's words."""
    found = wording(source, REPO)
    left = found.uncovered(quotes(source, REPO), argued(source, REPO))
    assert [f"{number}: {' '.join(found.sentences[number])}" for number in left] == []


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


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crate")
    assert CliRunner().invoke(claims, ["two-tcp", "--crate", str(folder)]).exit_code == 0
    return folder


def entities(crate: Path) -> dict[str, dict[str, Any]]:
    """The crate's graph by identifier, each of which is there once."""
    graph = json.loads((crate / "ro-crate-metadata.json").read_text())["@graph"]
    by_id = {entity["@id"]: entity for entity in graph}
    assert len(by_id) == len(graph)
    return by_id


def test_the_crate_has_every_claim_with_its_verdict(card: Scorecard, crate: Path) -> None:
    by_id = entities(crate)
    [mine] = [verdicts for verdicts in card.sources if verdicts.source.key == "two-tcp"]
    for judgment in mine.judgments:
        review = by_id[f"#review/{judgment.claim.id}"]
        assert review["itemReviewed"] == {"@id": f"#claim/{judgment.claim.id}"}
        assert by_id[review["reviewRating"]["@id"]]["alternateName"] == judgment.verdict
        assert by_id[f"#claim/{judgment.claim.id}"]["text"] == judgment.claim.quote


def test_the_crate_keeps_the_rules_of_ro_crate_1_1(crate: Path) -> None:
    """Sections 2 to 4 of https://w3id.org/ro/crate/1.1: what must be there, flat, and resolvable."""
    by_id = entities(crate)
    document = json.loads((crate / "ro-crate-metadata.json").read_text())
    assert (set(document), document["@context"]) == ({"@context", "@graph"}, f"{RO_CRATE}/context")
    descriptor, root = by_id["ro-crate-metadata.json"], by_id["./"]
    assert (descriptor["@type"], descriptor["conformsTo"]) == ("CreativeWork", {"@id": RO_CRATE})
    assert descriptor["about"] == {"@id": "./"}
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "license"))
    assert date.fromisoformat(root["datePublished"]) <= date.today()
    assert by_id[root["license"]["@id"]]["name"]
    assert all("@type" in entity and entity.get("name", entity.get("text", True)) for entity in by_id.values())
    for entity in by_id.values():
        assert [name for name in referred(entity) if name not in by_id and name != RO_CRATE] == [], entity["@id"]


def test_the_crates_files_are_those_that_were_judged(crate: Path) -> None:
    by_id = entities(crate)
    files = {name: entity for name, entity in by_id.items() if entity["@type"] == "File"}
    held = {path.relative_to(crate).as_posix() for path in crate.rglob("*") if path.is_file()}
    assert held == {*files, "ro-crate-metadata.json"}
    assert {part["@id"] for part in by_id["./"]["hasPart"]} == set(files)
    for name, entity in files.items():
        content = (crate / name).read_bytes()
        assert content == (REPO.root / name).read_bytes()
        assert (entity["contentSize"], entity["sha256"]) == (str(len(content)), sha256(content).hexdigest())


RO_CRATE = "https://w3id.org/ro/crate/1.1"


def referred(entity: dict[str, Any]) -> Iterator[str]:
    """The identifiers that an entity names; the graph is flat, so nothing else is nested."""
    for value in entity.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                assert set(each) == {"@id"}
                yield each["@id"]


CLAIM: dict[str, Any] = {
    "type": "object",
    "required": [
        *("id", "source", "quote", "status", "verdict", "ruler", "value", "margin", "reason", "negative_control"),
    ],
    "properties": {
        "id": {"type": "string", "pattern": r"^[a-z][a-z0-9-]*(\.[\w-]+)+$"},
        "source": {"enum": source_names()},
        "quote": {"type": "string", "minLength": 1},
        "status": {"enum": list(STATUSES)},
        "verdict": {"enum": list(VERDICTS)},
        "ruler": {"type": "string", "minLength": 1},
        "value": {"type": ["number", "boolean", "null"]},
        "margin": {"type": ["number", "null"], "minimum": 0},
        "reason": {"type": "string", "minLength": 1},
        "negative_control": {
            "type": ["object", "null"],
            "required": ["configuration", "reason"],
            "properties": {name: {"type": "string", "minLength": 1} for name in ("configuration", "reason")},
        },
    },
    "if": {"properties": {"status": {"const": "predicted"}, "verdict": {"not": {"const": "not testable"}}}},
    "then": {"properties": {"negative_control": {"type": "object"}, "value": {"type": ["number", "boolean"]}}},
}


def test_the_json_is_what_its_schema_says() -> None:
    result = CliRunner().invoke(claims, ["--json"])
    sources = json.loads(result.output)
    assert sorted(source["source"]["key"] for source in sources) == source_names()
    for source in sources:
        jsonschema.validate(source["claims"], {"type": "array", "minItems": 1, "items": CLAIM})


@pytest.mark.parametrize("missing", CLAIM["required"])
def test_the_schema_misses_what_is_missing(missing: str) -> None:
    result = CliRunner().invoke(claims, ["large-fat", "--json"])
    claim = json.loads(result.output)[0]["claims"][0]
    jsonschema.validate(claim, CLAIM)
    with pytest.raises(jsonschema.ValidationError, match=missing):
        jsonschema.validate({name: value for name, value in claim.items() if name != missing}, CLAIM)
