"""A printed number among those of many runs, alone and together with others of the same run."""

import json

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
    assert (judgment.outcome.value, judgment.fails) == (25.2, False)
    assert judgment.outcome.read[f"{SHARE}.max"] == 28.7


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


@pytest.mark.parametrize(("second", "verdict", "runs"), [("13", "reproduced", "1 runs"), ("12", "differs", "no runs")])
def test_numbers_of_one_run_must_come_out_in_one_run(places: Places, second: str, verdict: str, runs: str) -> None:
    group = {"n": 3, "mean": 30.0, "sd": 1.0, "min": 29.0, "max": 31.0}
    both = {
        "a": group | {"runs": [29.0, 30.2, 31.0]},
        "b": {**group, "min": 12.0, "max": 14.0, "runs": [12.0, 13.0, 14.0]},
    }
    (places.figures / "two-tcp" / "size-100" / "statistics.json").write_text(json.dumps(both))
    pair = {"kind": "distribution", "together": "the pair"}
    write_claims(
        places,
        pair | {"id": "one", "said": "30", "compare": "two_tcp.size_100.a"},
        pair | {"id": "two", "said": second, "compare": "two_tcp.size_100.b"},
    )
    judgments = scorecard(places=places).judgments
    assert [judgment.verdict for judgment in judgments] == [verdict, verdict]
    assert all(judgment.reason.endswith(f"; {runs} have 30 and {second} together") for judgment in judgments)


def test_numbers_that_are_judged_together_need_every_run(places: Places) -> None:
    message = refusal(places, {"kind": "distribution", "said": "27", "compare": SHARE, "together": "the pair"})
    assert message == f"study.claim: {SHARE}.runs does not exist: numbers that are judged together need it"
