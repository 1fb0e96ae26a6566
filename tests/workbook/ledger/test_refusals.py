"""What cannot be judged is refused in a line that names the claim and the place."""

import json

import pytest

from tests.workbook.ledger.studies import judged, refusal, write_claims
from workbook.ledger import LedgerError, scorecard
from workbook.paths import Places


@pytest.mark.parametrize(
    ("compare", "problem"),
    [
        ("two_tcp.baseline.flow1.kb", "two_tcp.baseline does not exist; there is: size_100"),
        ("one_flow.udp.flow1.kb", "one_flow does not exist; there is: two_tcp"),
        ("two_tcp.size_100.flow2.kb", "two_tcp.size_100.flow2 does not exist; there is: flow1"),
        (
            "two_tcp.size_100.flow1.latency_ms.steady.mean",
            "two_tcp.size_100.flow1.latency_ms.steady.mean does not exist; there is: max, min",
        ),
        (
            "two_tcp.size_100.flow1.latency_ms",
            "this is the group two_tcp.size_100.flow1.latency_ms (steady), not a value",
        ),
        ("two_tcp.size_100.flow1.kind", "gave 'tcp', not a number"),
        ("two_tcp.size_100.flow1.sent > 3", "gave True, not a number"),
        ("two_tcp.size_100.flow1.first_drop_s + 1", "two_tcp.size_100.flow1.first_drop_s = None"),
        ("1 / (two_tcp.size_100.flow1.sent - 1108)", "division by zero"),
        ("two_tcp.size_100.flow1.kb.__class__", "access to __attributes"),
        ("two_tcp.size_100.flow1.kind.upper()", "upper"),
        ("two_tcp._children", "access to __attributes"),
        ("__import__('os').system('id')", "__import__"),
        ("open('/etc/passwd')", "open"),
        ("9 ** 9 ** 9", "Pow is not allowed"),
        ("1 << 9999", "LShift is not allowed"),
        ("'%099999999d' % 1", "Mod is not allowed"),
        ("f'{1:099999999}'", "JoinedStr is not allowed"),
        ("(lambda: 1)()", "Lambda"),
        ("a = 1", "invalid syntax"),
        ("1; 2", "invalid syntax"),
        ("two_tcp.", "invalid syntax"),
        ("(1e400)", "not a number"),
        ("1e400 - 1e400", "not a number"),
    ],
)
def test_an_expression_that_cannot_be_judged_is_an_error_not_a_verdict(
    places: Places, compare: str, problem: str
) -> None:
    message = refusal(places, {"kind": "exact", "said": "1", "compare": compare})
    assert message.startswith(f"study.claim: {compare}: ")
    assert problem in message
    assert "\n" not in message


def test_arithmetic_knows_the_source_alone(places: Places) -> None:
    message = refusal(places, {"kind": "exact", "said": "1", "arithmetic": "two_tcp.size_100.flow1.kb"})
    assert "two_tcp does not exist" in message


def test_a_predicate_must_be_true_or_false(places: Places) -> None:
    sent = "two_tcp.size_100.flow1.sent"
    message = refusal(places, {"kind": "predicate", "because": "-", "compare": sent})
    assert message == f"study.claim: {sent}: gave 1108, neither true nor false (with {sent} = 1108)"


def test_all_problems_are_told_at_once(places: Places) -> None:
    bad = {"kind": "exact", "said": "1", "compare": "nothing.there"}
    message = refusal(
        places, bad | {"id": "one"}, {"id": "two", "kind": "untestable", "why": "-"}, bad | {"id": "three"}
    )
    assert [line.split(":")[0] for line in message.splitlines()] == ["one", "three"]


def test_names_with_dashes_and_dots_are_reached_with_underscores(places: Places) -> None:
    case = places.figures / "two-tcp" / "then-and-now"
    case.mkdir()
    (case / "statistics.json").write_text(json.dumps({"ns-2.35": {"bandwidth-1Mb": {"flow1": {"sent": 7}}}}))
    compare = "two_tcp.then_and_now.ns_2_35.bandwidth_1Mb.flow1.sent"
    assert judged(places, kind="exact", said="7", compare=compare).verdict == "reproduced"


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        (
            {"kind": "exact", "said": 1108, "compare": "1"},
            "claims.0.said: given 1108; allowed: a valid string",
        ),
        (
            {"kind": "exact", "said": "10 %", "compare": "1"},
            "claims.0.said: given '10 %'; allowed: a number as printed, without its unit",
        ),
        ({"kind": "exact", "said": "10"}, "claims.0: a printed number needs `compare`, `arithmetic` or both"),
        (
            {"kind": "exact", "said": "1", "compare": "1", "verdict": "reproduced"},
            "claims.0.verdict: given 'reproduced'",
        ),
        ({"kind": "tolerance", "said": "1", "compare": "1", "because": "-"}, "claims.0.ruler: this is missing"),
        ({"kind": "tolerance", "said": "1", "compare": "1", "ruler": "axis"}, "claims.0.because: this is missing"),
        (
            {"kind": "tolerance", "said": "1", "compare": "1", "ruler": "axis", "because": "-", "tolerance": 1},
            "claims.0.tolerance: given 1; there is no such key",
        ),
        ({"kind": "range", "compare": "1", "because": "-"}, "claims.0: Input tag 'range' found"),
        ({"kind": "predicate", "because": "-"}, "claims.0: words need `compare`, `arithmetic` or both"),
        ({"kind": "predicate", "compare": "1"}, "claims.0.because: this is missing"),
        ({"kind": "figure", "figure": "../../etc/passwd"}, "claims.0.figure: given '../../etc/passwd'"),
        ({"kind": "untestable"}, "claims.0.why: this is missing"),
        ({"kind": "guess"}, "claims.0: Input tag 'guess' found using 'kind'"),
        ({"kind": "untestable", "why": "-", "counts_as": "word"}, "claims.0.counts_as: given 'word'"),
    ],
)
def test_a_malformed_claim_is_named_by_id_and_path(places: Places, claim: dict[str, object], problem: str) -> None:
    message = refusal(places, claim)
    assert message.startswith(f"study.yaml: study.claim: {problem}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "holds nothing; must be a mapping"),
        ("claims: [", "not readable as YAML: while parsing"),
        ("source: {key: a, title: b, authors: c}\nclaims: []", "claims: "),
        ("source: {key: a, title: b, authors: c}\nclaims: [text]", "claims.0: "),
        ("source: {key: a, key: b}", "the key 'key' is given twice"),
        ("source: {key: a, title: b}\nclaims: []", "source.authors: this is missing"),
    ],
)
def test_a_malformed_file_is_told_in_lines(places: Places, text: str, problem: str) -> None:
    (places.claims / "study.yaml").write_text(text)
    with pytest.raises(LedgerError) as caught:
        scorecard(places=places)
    assert problem in str(caught.value)
    assert all("study.yaml: " in line for line in str(caught.value).splitlines())


def test_an_id_is_given_once(places: Places) -> None:
    twice = {"kind": "untestable", "why": "-"}
    assert "ids that occur more than once: study.claim" in refusal(places, twice, twice)


def test_a_source_can_be_judged_alone_and_must_exist(places: Places) -> None:
    write_claims(places, {"kind": "untestable", "why": "-"}, name="first")
    write_claims(places, {"kind": "untestable", "why": "-"}, name="second")
    assert [verdicts.source.key for verdicts in scorecard(["second"], places).sources] == ["second"]
    assert len(scorecard(places=places).sources) == 2
    with pytest.raises(LedgerError, match=r"third\.yaml: cannot be read: no such file"):
        scorecard(["third"], places)


@pytest.mark.parametrize(
    "nested", ["(" * 300 + "1" + ")" * 300, "-" * 5000 + "1", "not " * 5000 + "1", "1+" * 9000 + "1"]
)
def test_an_expression_that_is_nested_too_deeply_is_no_traceback(places: Places, nested: str) -> None:
    message = refusal(places, {"kind": "exact", "said": "1", "compare": nested})
    assert message.startswith("study.claim: ")
    assert "too " in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"files": 3}', b'{"inputs": "x"}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_damaged_manifest_is_told_with_its_remedy(places: Places, content: bytes) -> None:
    chapter = places.figures / "two-tcp"
    (chapter / "size-100").mkdir(parents=True, exist_ok=True)
    (chapter / "size-100" / "latency.png").write_bytes(b"a picture")
    (chapter / "manifest.json").write_bytes(content)
    message = refusal(places, {"kind": "figure", "figure": "two-tcp/size-100/latency"})
    assert "manifest.json: damaged; make the chapter again: workbook figures two-tcp" in message
