"""A printed number among those of many runs, and words that are told of another reading too."""

import pytest

from tests.workbook.ledger.studies import judged, refusal, write_claims
from workbook.ledger import scorecard
from workbook.paths import Places

SHARE = "two_tcp.size_100.flow1.share"  # 25.2 +- 1.0, from 23.4 to 28.7
ALL = "200 runs 25.2 ± 1, 23.4 to 28.7"


@pytest.mark.parametrize(
    ("said", "verdict", "told"),
    [
        ("27", "reproduced", "inside, 1.8 sd from the mean"),
        ("23", "reproduced", "inside, 2.2 sd from the mean"),  # 23.4 is rounded to it
        ("29", "reproduced", "inside, 3.8 sd from the mean"),  # and 28.7 to this
        ("22", "differs", "outside, 1.4 too high, 3.2 sd from the mean"),
        ("33", "differs", "outside, 4.3 too low, 7.8 sd from the mean"),
        ("23.0", "differs", "outside, 0.4 too high, 2.2 sd from the mean"),  # with a decimal more is promised
    ],
)
def test_a_number_is_inside_if_a_run_may_have_been_rounded_to_it(
    places: Places, said: str, verdict: str, told: str
) -> None:
    judgment = judged(places, kind="distribution", said=said, compare=SHARE)
    assert (judgment.verdict, judgment.reason) == (verdict, f"said {said}, {ALL}: {told}")
    assert (judgment.value, judgment.fails) == (25.2, False)
    assert judgment.read[f"{SHARE}.max"] == 28.7


def test_another_reading_is_told_and_does_not_decide(places: Places) -> None:
    judgment = judged(places, kind="distribution", said="33", compare=SHARE, beside={"fitted": SHARE})
    assert judgment.verdict == "differs"
    assert judgment.reason.count(ALL) == 2
    assert "; fitted: 200 runs" in judgment.reason


@pytest.mark.parametrize(("beside", "told"), [("1 < 2", "fitted: so too"), ("2 < 1", "fitted: not so")])
def test_words_may_be_so_in_another_reading_too(places: Places, beside: str, told: str) -> None:
    words = {"kind": "predicate", "because": "as in the text", "compare": f"{SHARE}.n == 200"}
    judgment = judged(places, **words, beside={"fitted": beside})
    assert (judgment.verdict, judgment.reason) == ("reproduced", f"{SHARE}.n = 200; {told}")


def test_runs_that_are_all_the_same_have_no_deviations(places: Places) -> None:
    (places.figures / "two-tcp" / "size-100" / "statistics.json").write_text(
        '{"same": {"n": 200, "mean": 35, "sd": 0, "min": 35, "max": 35}}'
    )
    write_claims(places, {"kind": "distribution", "said": "34", "compare": "two_tcp.size_100.same"})
    [judgment] = scorecard(places=places).judgments
    assert judgment.reason == "said 34, 200 runs 35 ± 0, 35 to 35: outside, 1 too high"


def test_a_group_without_a_distribution_is_refused(places: Places) -> None:
    message = refusal(places, {"kind": "distribution", "said": "1", "compare": "two_tcp.size_100.flow1.latency_ms"})
    assert "two_tcp.size_100.flow1.latency_ms.n does not exist" in message
