"""Claims in, verdicts out: both sides of every boundary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbook.ledger.studies import judged
from workbook.ledger.rounding import is_cut_off, is_printed, is_rounded_by_hand
from workbook.paths import Places


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
    ("said", "verdict"), [("112.7", "reproduced"), ("112.6", "differs"), ("124.5", "reproduced"), ("124.6", "differs")]
)
def test_a_number_read_off_an_axis_includes_its_ends(places: Places, said: str, verdict: str) -> None:
    latency = "two_tcp.size_100.flow1.latency_ms.steady.max"  # 118.3
    judgment = judged(places, kind="tolerance", said=said, ruler="axis", because="read off", compare=latency)
    assert (judgment.verdict, judgment.fails, judgment.ruler) == (verdict, False, "axis")
    assert judgment.reason.startswith(f"said {said} (axis: |a - b| / |b| at most 0.05), computed 118.3")
    assert judgment.outcome.margin is not None
    assert (judgment.outcome.margin <= 1) is (verdict == "reproduced")


def test_a_false_predicate_tells_the_values_behind_it(places: Places) -> None:
    latency = "two_tcp.size_100.flow1.latency_ms.steady"
    words = {"kind": "predicate", "because": "as in the text"}
    holds = judged(places, **words, quote="10 to 120", compare=f"{latency}.max < 120 and {latency}.min > 10")
    assert holds.verdict == "reproduced"
    fails = judged(
        places, **words, quote="below 100", compare=f"all([x < 100 for x in [{latency}.min, {latency}.max]])"
    )
    assert fails.verdict == "differs"
    assert fails.reason == f"{latency}.min = 14, {latency}.max = 118.3"


def test_words_about_what_did_not_happen_can_be_judged(places: Places) -> None:
    drop = "two_tcp.size_100.flow1.first_drop_s"
    judgment = judged(
        places, kind="predicate", because="-", quote="0.5", compare=f"{drop} is not None and {drop} < 0.5"
    )
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
