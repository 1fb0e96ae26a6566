"""What a ruler admits, on both sides of its bounds, and that claims have no threshold beside it."""

import pytest

from simcore.scenario.loading import load_mapping
from tests.workbook.ledger.studies import judged, refusal, write_claims
from workbook.chapters.statistics import STARTUP_S
from workbook.ledger import LedgerError, scorecard
from workbook.ledger.rulers import load_rulers
from workbook.paths import REPO, Places

RULERS = load_rulers(REPO.claims / "rulers.yaml")


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("axis", (105, 100), (105.1, 100)),
        ("axis", (95, 100), (94.9, 100)),
        ("about", (1.1, 1), (1.11, 1)),
        ("almost", (1.0, 1), (1.01, 1)),
        ("almost", (0.9, 1), (0.89, 1)),
        ("a_little_more", (1.1, 1), (0.99, 1)),
        ("more", (1.01, 1), (1.009, 1)),
        ("much_less", (0.5, 1), (0.51, 1)),
        ("fair", (0.99,), (0.989,)),
        ("unstable", (0.1, 1), (0.09, 1)),
        ("zero_ms", (-1,), (1.01,)),
    ],
)
def test_a_margin_above_one_is_outside(name: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    ruler = RULERS[name]
    for numbers, admitted in ((inside, True), (outside, False)):
        measured = ruler.measure(*numbers)
        assert ruler.admits(measured) is admitted
        assert (ruler.margin(measured) <= 1 + 1e-12) is admitted


def test_the_middle_has_no_margin_used_up() -> None:
    assert RULERS["axis"].margin(RULERS["axis"].measure(7, 7)) == 0
    assert RULERS["zero_ms"].margin(RULERS["zero_ms"].measure(0)) == 0


def test_something_is_more_than_nothing_by_any_measure() -> None:
    assert RULERS["much_more"].admits(RULERS["much_more"].measure(0.1, 0))
    assert RULERS["much_more"].margin(RULERS["much_more"].measure(0.1, 0)) == 0


def test_every_word_belongs_to_one_ruler() -> None:
    words = [word for ruler in RULERS.values() for word in ruler.words]
    assert sorted(words) == sorted(set(words))


def test_the_start_is_as_long_as_it_is_argued() -> None:
    argued = load_mapping(REPO.claims / "rulers.yaml")["startup"]
    assert argued["seconds"] == STARTUP_S
    assert argued["because"]


def test_a_ruler_called_in_an_expression_tells_its_margin(places: Places) -> None:
    sent = "two_tcp.size_100.flow1.sent"  # 1108
    judgment = judged(
        places, kind="predicate", because="-", quote="1200", compare=f"about({sent}, 1200) and more({sent}, 1)"
    )
    assert (judgment.verdict, judgment.ruler) == ("reproduced", "about, more")
    assert judgment.outcome.margin == pytest.approx((92 / 1200) / 0.1)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("same(1)", "this ruler takes 2 numbers, not 1"),
        ("fair(1, 2)", "this ruler takes 1 numbers, not 2"),
        ("more(0, 0)", "nothing to compare with: the second number is 0"),
        ("same(1, 0)", "nothing to compare with: the second number is 0"),
        ("printed(1)", "printed"),
    ],
)
def test_a_ruler_that_does_not_fit_is_refused(places: Places, call: str, problem: str) -> None:
    message = refusal(places, {"kind": "predicate", "because": "-", "quote": "1 of 2", "compare": call})
    assert message.startswith(f"study.claim: {call}: ")
    assert problem in message


def test_a_ruler_must_exist(places: Places) -> None:
    claim = {"kind": "tolerance", "said": "1", "ruler": "guess", "because": "-", "compare": "1"}
    assert "there is no ruler 'guess'; there is: printed, axis" in refusal(places, claim)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rulers: {new: {form: ratio, words: [x], because: y}}", "new: Value error, form ratio needs `low`"),
        ("rulers: {new: {form: plain, words: [x], because: y, high: 1}}", "form plain has no `low`"),
        ("rulers: {new: {form: value, words: [x], because: y, low: 2, high: 1}}", "low 2 is not below high 1"),
        ("rulers: {new: {form: value, words: [], because: y, low: 2}}", "words"),
        ("claims: []", "rulers.yaml: 'rulers'"),
    ],
)
def test_a_malformed_ruler_is_told(places: Places, text: str, problem: str) -> None:
    (places.claims / "rulers.yaml").write_text(text)
    write_claims(places, {"kind": "untestable", "why": "-"})
    with pytest.raises(LedgerError) as caught:
        scorecard(places=places)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("compare", "typed"),
    [
        ("two_tcp.size_100.flow1.sent > 0.95", ["0.95"]),
        ("two_tcp.size_100.flow1.sent < 1000", ["1000"]),
        ("two_tcp.size_100.flow1.sent > 0.9*two_tcp.size_100.flow1.kb", ["0.9"]),
        ("3 <= two_tcp.size_100.flow1.sent <= 7", ["3", "7"]),
    ],
)
def test_a_number_that_the_quote_has_not_is_refused(places: Places, compare: str, typed: list[str]) -> None:
    write_claims(places, {"kind": "predicate", "because": "-", "compare": compare})
    with pytest.raises(LedgerError) as caught:
        scorecard(places=places)
    problems = str(caught.value).splitlines()
    assert [problem.split(": ")[2].split(" in")[0] for problem in problems] == typed


@pytest.mark.parametrize(
    ("compare", "quote"),
    [
        ("two_tcp.size_100.flow1.sent > 0", "some"),
        ("two_tcp.size_100.flow1.sent > 100", "above 100ms"),
        ("two_tcp.size_100.flow1.sent > 2*two_tcp.size_100.flow1.dropped", "more than double"),
        ("same(1000*two_tcp.size_100.flow1.sent, 8*two_tcp.size_100.flow1.sent)", "the same"),
    ],
)
def test_numbers_of_the_quote_and_units_are_no_thresholds(places: Places, compare: str, quote: str) -> None:
    (places.figures / "two-tcp" / "size-100" / "statistics.json").write_text('{"flow1": {"sent": 1108, "dropped": 1}}')
    claim = {"kind": "predicate", "because": "-", "compare": compare, "quote": quote}
    write_claims(places, claim)
    assert len(scorecard(places=places).judgments) == 1
