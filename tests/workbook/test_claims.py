"""The real ledger over the committed results: every claim judged, every printed count exact."""

import re

import pytest

from workbook.ledger import Scorecard, scorecard
from workbook.paths import REPO


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return scorecard()


def test_no_number_that_must_be_exact_differs(card: Scorecard) -> None:
    assert [f"{judgment.claim.id}: {judgment.reason}" for judgment in card.failed] == []


def test_the_ledger_holds_all_that_an_independent_reading_counts(card: Scorecard) -> None:
    """222 printed or derived numbers, 188 sentences and 69 figures in the two tutorial studies together."""
    studies = [verdicts for verdicts in card.sources if verdicts.source.key in ("two-tcp", "tcp-udp")]
    assert sum(verdicts.total("number") for verdicts in studies) >= 222
    assert sum(verdicts.total("sentence") for verdicts in studies) >= 188
    assert sum(verdicts.total("figure") for verdicts in studies) >= 69


def test_the_ledger_of_the_background_traffic_holds_an_independent_readings_counts(card: Scorecard) -> None:
    """18 results in numbers, 37 sentences, 9 figures, and 14 places where the paper contradicts itself."""
    [verdicts] = [verdicts for verdicts in card.sources if verdicts.source.key == "background-traffic"]
    assert verdicts.total("number") >= 18
    assert verdicts.total("sentence") >= 37
    assert verdicts.total("figure") == verdicts.count("reproduced", "figure") == 9
    assert verdicts.count("source inconsistent") >= 14


def test_the_ledger_of_the_large_fat_networks_holds_an_independent_readings_counts(card: Scorecard) -> None:
    """23 numbers, 12 sentences, 13 figures, of which the first is lost; and the places where the slides contradict."""
    [verdicts] = [verdicts for verdicts in card.sources if verdicts.source.key == "large-fat"]
    assert verdicts.total("number") >= 23
    assert verdicts.total("sentence") >= 12
    assert verdicts.total("figure") - 1 == verdicts.count("reproduced", "figure") >= 13
    found = {judgment.claim.id.removeprefix("large-fat."): judgment.verdict for judgment in verdicts.judgments}
    assert found["forbidden-area.lines-tcp"] == "differs", "too pessimistic below f / 2"
    assert found["table.buffer"] == "differs", "the row of 1.2 Gb/s lies outside the forbidden area"
    assert found["self-clocking.same-packets"] == "source inconsistent", "14 microseconds are not Gigabit Ethernet"
    assert found["table.single-and-udp"] == "source inconsistent", "950 can't be both TCP and UDP"


def test_the_ledger_of_the_competing_senders_holds_an_independent_readings_counts(card: Scorecard) -> None:
    """14 numbers, 49 sentences, 9 figures; the flow chart is the one that is not drawn."""
    [verdicts] = [verdicts for verdicts in card.sources if verdicts.source.key == "competing-tahoe"]
    assert verdicts.total("number") >= 14
    assert verdicts.total("sentence") >= 49
    assert (verdicts.total("figure"), verdicts.count("reproduced", "figure")) == (9, 8)


def test_utilisations_in_rounds_are_inside_or_outside_of_two_hundred_runs(card: Scorecard) -> None:
    """By the literal reading; what the fitted one gives is told beside it."""
    found = {j.claim.id.removeprefix("competing-tahoe."): j for j in card.judgments if j.claim.kind == "distribution"}
    numbers = {name: judgment for name, judgment in found.items() if judgment.claim.counts_as == "number"}
    outside = {name for name, judgment in numbers.items() if judgment.verdict == "differs"}
    assert len(numbers) == 14
    assert outside == {"delayed.sender2", "larger-buffer.sender1", "conclusion.single"}
    assert "200 runs 21.38 ± 0.32, 20.37 to 22.08: outside, 10.9 too low" in numbers["larger-buffer.sender1"].reason
    assert "fitted: 200 runs 22.52 ± 0.73, 21.2 to 23.68: inside" in numbers["delayed.sender2"].reason


def test_the_printed_variance_of_2_is_a_misprint_for_a_fiftieth(card: Scorecard) -> None:
    """The paper's own intervals prove it, for Reno and for Tahoe."""
    slips = {j.claim.id: j for j in card.judgments if j.claim.id.startswith("background-traffic.fitted.")}
    for flow, implied in (("reno", "0.0197"), ("tahoe", "0.0206")):
        slip = slips[f"background-traffic.fitted.{flow}-variance"]
        assert slip.verdict == "source inconsistent"
        assert f"= {implied}" in slip.reason
        assert "agrees with the arithmetic" in slip.reason


def test_every_verdict_has_a_reason_and_every_threshold_an_argument(card: Scorecard) -> None:
    for judgment in card.judgments:
        assert judgment.reason, judgment.claim.id
        if judgment.claim.kind in ("predicate", "range", "tolerance"):
            assert judgment.claim.because, judgment.claim.id


def test_the_slip_of_the_increase_is_found_with_its_arithmetic(card: Scorecard) -> None:
    """Printed as 10.21 %, which the study's own totals make 10.19 %."""
    [slip] = [j for j in card.judgments if j.verdict == "source inconsistent" and "10.21" in j.claim.quote]
    assert "= 10.1897" in slip.reason


def test_the_readme_shows_todays_scores(card: Scorecard) -> None:
    readme = (REPO.root / "README.md").read_text()
    shown = re.search(r"<!-- scorecard -->\n(.*?)\n<!-- /scorecard -->", readme, re.DOTALL)
    assert shown
    assert shown[1] == card.to_markdown()
