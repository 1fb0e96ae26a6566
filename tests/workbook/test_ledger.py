"""The ledger: claims in, verdicts out. Small made-up studies; the real ones are judged in test_claims.py."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from workbook.fingerprint import write_manifest
from workbook.ledger import LedgerError, Scorecard, draw_scorecard, scorecard
from workbook.ledger.expression import evaluate
from workbook.ledger.rounding import is_cut_off, is_printed, is_rounded_by_hand
from workbook.ledger.verdict import Judgment
from workbook.paths import Places

LATENCY = {"steady": {"max": 118.3, "min": 14.0}}
FLOW = {"kb": 1109.1015625, "sent": 1108, "first_drop_s": None, "latency_ms": LATENCY, "kind": "tcp"}
WORDS = {"id": "study.claim", "quote": "as it says", "place": "Baseline"}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A workbook with the statistics of one case (`two_tcp.size_100.flow1`) and one figure."""
    case = tmp_path / "figures" / "two-tcp" / "size-100"
    case.mkdir(parents=True)
    (tmp_path / "claims").mkdir()
    (case / "statistics.json").write_text(json.dumps({"flow1": FLOW}))
    (case / "latency.png").write_bytes(b"a picture")
    write_manifest(case.parent, "the chapter's inputs")
    (case / "jitter.png").write_bytes(b"a picture from nowhere")
    return Places(tmp_path)


def write_claims(places: Places, *claims: dict[str, Any], name: str = "study") -> None:
    source = {"key": name, "title": "A study", "authors": "A. Nobody"}
    content = {"source": source, "claims": [WORDS | {"counts_as": "number"} | claim for claim in claims]}
    (places.claims / f"{name}.yaml").write_text(yaml.safe_dump(content, sort_keys=False))


def judged(places: Places, **claim: Any) -> Judgment:
    write_claims(places, claim)
    return scorecard(places=places).judgments[0]


def refusal(places: Places, *claims: dict[str, Any]) -> str:
    write_claims(places, *claims)
    with pytest.raises(LedgerError) as caught:
        scorecard(places=places)
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "said", "same"),
    [
        (1109.1015625, "1109.101562", True),  # an exact tie: printf takes the even digit
        (1109.1015625, "1109.101563", False),
        (1201.5234375, "1201.523438", True),
        (1201.5234375, "1201.523437", False),
        (2.675, "2.67", True),  # no tie: the binary number lies below 2.675
        (2.675, "2.68", False),
        (10.1949999, "10.19", True),
        (10.1951, "10.19", False),
        (10.1951, "10.2", True),  # fewer decimals printed, fewer compared
        (10.1951, "10", True),
        (50.6, "50.60", True),
        (1108, "1108", True),
        (1109, "1108", False),
        (0.0, "-0.00", True),
        (-11.111, "-11.11", True),
    ],
)
def test_a_value_is_compared_as_a_program_would_print_it(value: float, said: str, same: bool) -> None:
    assert is_printed(value, said) is same


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_rounding_is_that_of_printf(value: float, decimals: int) -> None:
    assert is_printed(value, f"{value:.{decimals}f}")


@given(st.integers(-(10**7), 10**7), st.integers(0, 6))
def test_by_hand_a_tie_may_go_either_way_and_nothing_else_may(units: int, decimals: int) -> None:
    tie = (units + 0.5) / 10**decimals
    beyond = (units + 1.51) / 10**decimals
    said = f"{units / 10**decimals:.{decimals}f}"
    assert is_rounded_by_hand(tie, said)
    assert is_rounded_by_hand(tie, f"{(units + 1) / 10**decimals:.{decimals}f}")
    assert not is_rounded_by_hand(beyond, said)


def test_an_exact_claim_is_reproduced_or_fails_the_build(places: Places) -> None:
    compare = "two_tcp.size_100.flow1.kb"
    right = judged(places, kind="exact", said="1109.101562", compare=compare)
    assert (right.verdict, right.fails) == ("reproduced", False)
    wrong = judged(places, kind="exact", said="1110.1", compare=compare)
    assert (wrong.verdict, wrong.fails) == ("differs", True)
    assert wrong.reason == "said 1110.1, computed 1109.101562: off by -0.998437, -0.09 %"


@pytest.mark.parametrize(("said", "verdict"), [("1108", "reproduced"), ("1107", "differs"), ("1109", "differs")])
def test_counts_compare_as_integers(places: Places, said: str, verdict: str) -> None:
    assert judged(places, kind="exact", said=said, compare="two_tcp.size_100.flow1.sent").verdict == verdict


@pytest.mark.parametrize(
    ("said", "verdict"), [("118", "reproduced"), ("117.8", "reproduced"), ("117.7", "differs"), ("118.9", "differs")]
)
def test_a_tolerance_includes_its_ends(places: Places, said: str, verdict: str) -> None:
    latency = "two_tcp.size_100.flow1.latency_ms.steady.max"
    judgment = judged(places, kind="tolerance", said=said, tolerance=0.5, because="read off", compare=latency)
    assert (judgment.verdict, judgment.fails) == (verdict, False)
    assert judgment.reason.startswith(f"said {said} ± 0.5, computed 118.3")


@pytest.mark.parametrize(
    ("bounds", "verdict", "reason"),
    [
        ({"low": 118.3, "high": 160}, "reproduced", "said 118.3 to 160, computed 118.3"),
        ({"low": 100, "high": 118.3}, "reproduced", "said 100 to 118.3, computed 118.3"),
        ({"low": 100}, "reproduced", "said at least 100, computed 118.3"),
        ({"high": 100}, "differs", "said at most 100, computed 118.3: off by +18.3, +18 %"),
        ({"low": 120, "high": 130}, "differs", "said 120 to 130, computed 118.3: off by -1.7, -1.4 %"),
    ],
)
def test_a_range_includes_its_ends(places: Places, bounds: dict[str, float], verdict: str, reason: str) -> None:
    latency = "two_tcp.size_100.flow1.latency_ms.steady.max"
    judgment = judged(places, kind="range", **bounds, because="read off", compare=latency)
    assert (judgment.verdict, judgment.reason) == (verdict, reason)


def test_a_false_predicate_tells_the_values_behind_it(places: Places) -> None:
    latency = "two_tcp.size_100.flow1.latency_ms.steady"
    words = {"kind": "predicate", "because": "as in the text"}
    holds = judged(places, **words, compare=f"{latency}.max < 120 and {latency}.min > 10")
    assert holds.verdict == "reproduced"
    fails = judged(places, **words, compare=f"all([x < 100 for x in [{latency}.min, {latency}.max]])")
    assert fails.verdict == "differs"
    assert fails.reason == f"{latency}.min = 14, {latency}.max = 118.3"


def test_words_about_what_did_not_happen_can_be_judged(places: Places) -> None:
    drop = "two_tcp.size_100.flow1.first_drop_s"
    judgment = judged(places, kind="predicate", because="-", compare=f"{drop} is not None and {drop} < 0.5")
    assert (judgment.verdict, judgment.reason) == ("differs", f"{drop} = None")


def test_a_figure_must_be_drawn_and_accounted_for(places: Places) -> None:
    folder = "two-tcp/size-100"
    assert judged(places, kind="figure", figure=f"{folder}/latency").verdict == "reproduced"
    assert judged(places, kind="figure", figure=f"{folder}/queue").reason.endswith("was not drawn")
    assert judged(places, kind="figure", figure=f"{folder}/jitter").reason.endswith("is not what the chapter drew")
    assert judged(places, kind="figure", figure="elsewhere/size-100/latency").verdict == "differs"
    (places.figures / folder / "latency.png").write_bytes(b"a picture, retouched")
    assert judged(places, kind="figure", figure=f"{folder}/latency").verdict == "differs"


def test_what_cannot_be_tested_says_why(places: Places) -> None:
    judgment = judged(places, kind="untestable", why="a remark about the future of the Internet")
    assert (judgment.verdict, judgment.reason) == ("not testable", "a remark about the future of the Internet")


def test_a_slip_of_the_source_is_shown_with_its_arithmetic(places: Places) -> None:
    arithmetic = "100 * (2400.585938 / 2178.593750 - 1)"
    slip = judged(places, kind="exact", said="10.21", arithmetic=arithmetic)
    assert slip.verdict == "source inconsistent"
    assert slip.reason == f"{arithmetic} = 10.18970095, printed as 10.21"
    assert judged(places, kind="exact", said="10.19", arithmetic=arithmetic).verdict == "reproduced"


def test_cutting_digits_off_is_a_slip_and_called_so(places: Places) -> None:
    slip = judged(places, kind="exact", said="50.11", arithmetic="100 * 1091.875 / 2178.59375")
    assert slip.verdict == "source inconsistent"
    assert slip.reason.endswith("= 50.11833895, printed as 50.11, cut off instead of rounded")
    assert is_cut_off(-10.649, "-10.64")
    assert not is_cut_off(10.65, "10.64")


@pytest.mark.parametrize(
    ("compare", "agreement", "fails"),
    [
        ("1.0004 + 1", "our 2.0004 agrees with the arithmetic", False),
        ("two_tcp.size_100.flow1.sent / 1108 + 2", "our 3 agrees with the printed number", False),
        ("two_tcp.size_100.flow1.sent", "our 1108 agrees with neither", True),
    ],
)
def test_a_slip_does_not_excuse_our_own_mistake(places: Places, compare: str, agreement: str, fails: bool) -> None:
    judgment = judged(places, kind="exact", said="3.0", arithmetic="1 + 1", compare=compare)
    assert (judgment.verdict, judgment.fails) == ("source inconsistent", fails)
    assert judgment.reason == f"1 + 1 = 2, printed as 3.0; {agreement}"


def test_sound_arithmetic_leaves_the_verdict_to_our_result(places: Places) -> None:
    claim = {"kind": "exact", "said": "1108", "arithmetic": "1000 + 108"}
    assert judged(places, **claim, compare="two_tcp.size_100.flow1.sent").verdict == "reproduced"
    assert judged(places, **claim, compare="two_tcp.size_100.flow1.sent + 1").verdict == "differs"


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
        ("1e400", "not a number"),
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
        ({"kind": "tolerance", "said": "1", "compare": "1", "because": "-"}, "claims.0.tolerance: this is missing"),
        ({"kind": "tolerance", "said": "1", "compare": "1", "tolerance": 1}, "claims.0.because: this is missing"),
        (
            {"kind": "tolerance", "said": "1", "compare": "1", "tolerance": -1, "because": "-"},
            "claims.0.tolerance: given -1",
        ),
        ({"kind": "range", "compare": "1", "because": "-"}, "claims.0: a range needs `low`, `high` or both"),
        ({"kind": "range", "compare": "1", "because": "-", "low": 2, "high": 1}, "claims.0: low 2 is above high 1"),
        ({"kind": "predicate", "compare": "1"}, "claims.0.because: this is missing"),
        ({"kind": "figure", "figure": "../../etc/passwd"}, "claims.0.figure: given '../../etc/passwd'"),
        ({"kind": "untestable"}, "claims.0.why: this is missing"),
        ({"kind": "guess"}, "claims.0: Input tag 'guess' found using 'kind'"),
        ({"kind": "untestable", "why": "-", "counts_as": "word"}, "claims.0.counts_as: given 'word'"),
    ],
)
def test_a_malformed_claim_is_named_by_id_and_path(places: Places, claim: dict[str, Any], problem: str) -> None:
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
