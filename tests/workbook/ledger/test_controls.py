"""A prediction must fail somewhere; other readings are told beside it."""

import json

import pytest

from tests.workbook.ledger.studies import FLOW, judged, refusal, write_claims
from workbook.ledger import scorecard
from workbook.ledger.instead import instead
from workbook.paths import Places

SENT = "two_tcp.size_100.flow1.sent"  # 1108
PREDICTED: dict[str, object] = {"quote": "more than 1000", "kind": "predicate", "because": "-", "status": "predicted"}


@pytest.fixture
def cases(places: Places) -> Places:
    """Two more cases, and a second flow."""
    for case, sent in (("baseline", 1108), ("size-4000", 309)):
        folder = places.figures / "two-tcp" / case
        folder.mkdir()
        flows = {"flow1": FLOW | {"sent": sent}, "flow2": FLOW | {"sent": sent + 1, "setup": {"start_s": 0.1}}}
        (folder / "statistics.json").write_text(json.dumps(flows))
    return places


def test_a_prediction_names_the_first_case_in_which_it_fails(cases: Places) -> None:
    judgment = judged(cases, **PREDICTED, compare=f"{SENT} > 1000")
    assert judgment.control is not None
    assert judgment.control.says() == "two_tcp.size_4000 in place of two_tcp.size_100"
    assert judgment.control.outcome.reason == f"{SENT} = 309"
    assert not judgment.cannot_fail


def test_a_flow_of_another_case_is_a_control_too(cases: Places) -> None:
    judgment = judged(cases, **PREDICTED, compare="two_tcp.baseline.flow1.sent < two_tcp.baseline.flow2.sent")
    assert judgment.control is not None
    assert judgment.control.says() == "two_tcp.size_4000.flow2 in place of two_tcp.baseline.flow2"


def test_another_measure_is_no_control(cases: Places) -> None:
    """That 1108 KB is not 1108 packets says nothing of a wrong configuration."""
    said = PREDICTED | {"compare": f"{SENT} > 1000"}
    assert "flow1.sent: another measure" in refusal(cases, said | {"control": {SENT: "two_tcp.baseline.flow1.kb"}})
    same = judged(cases, **said, control={SENT: "two_tcp.size_4000.flow1.sent"})
    assert same.control is not None


def test_a_prediction_that_holds_everywhere_cannot_fail(cases: Places) -> None:
    judgment = judged(cases, **PREDICTED, compare=f"{SENT} > 0")
    assert (judgment.verdict, judgment.control, judgment.cannot_fail) == ("reproduced", None, True)
    assert "tells nothing apart (1)\n  study.claim" in scorecard(places=cases).to_table()


def test_what_is_no_prediction_needs_no_control(cases: Places) -> None:
    assert not judged(cases, kind="predicate", because="-", status="fitted", compare=f"{SENT} > 0").cannot_fail


def test_a_prediction_that_differs_fails_where_it_stands(cases: Places) -> None:
    judgment = judged(cases, **PREDICTED, compare=f"{SENT} < 0")
    assert judgment.control is not None
    assert judgment.control.outcome.verdict == "differs"


def test_a_claim_may_name_its_control(cases: Places) -> None:
    control = {"two_tcp.size_100": "two_tcp.baseline"}
    judgment = judged(cases, **PREDICTED, compare=f"{SENT} > 1000", control=control)
    assert judgment.cannot_fail, "the control it names has 1108 too, and no other is looked for"
    wrong = PREDICTED | {"compare": f"{SENT} > 0", "control": {"two_tcp.size_100": "two_tcp.nothing"}}
    assert "two_tcp.nothing does not exist" in refusal(cases, wrong)


def test_what_we_put_in_is_no_prediction(cases: Places) -> None:
    compare = "two_tcp.baseline.flow2.setup.start_s"
    message = refusal(cases, {"kind": "exact", "said": "0.1", "compare": compare, "status": "predicted"})
    assert message.endswith("all it reads is what we put in: it is an input")


def test_other_readings_are_told_and_decide_nothing(cases: Places) -> None:
    others = {"large": {"two_tcp.size_100": "two_tcp.size_4000"}, "elsewhere": {"two_tcp.other": "two_tcp.baseline"}}
    write_claims(cases, PREDICTED | {"compare": f"{SENT} > 1000"}, others=others)
    [judgment] = scorecard(places=cases).judgments
    assert (judgment.verdict, list(judgment.others)) == ("reproduced", ["large"])
    assert judgment.reason == f"{SENT} = 1108; large: differs, {SENT} = 309"


def test_reading_some_results_instead_of_others_changes_nothing_else() -> None:
    results = {"a": {"one": {"x": 1}, "two": {"x": 2}}, "b": {"one": {"x": 3}}}
    assert instead(results, {"a.one": "a.two"}) == {"a": {"one": {"x": 2}, "two": {"x": 2}}, "b": {"one": {"x": 3}}}
    assert instead(results, {"a.one": "a.two", "a.two": "a.one"})["a"] == {"one": {"x": 2}, "two": {"x": 1}}
    assert results["a"]["one"] == {"x": 1}
