"""Living figures: complete in themselves, with the sources' own numbers as marks to hit."""

import re

import pytest

from simcore import TOTALS, simulate
from simcore.webassembly import TooLargeError
from workbook.chapters.chapter import Chapter, ChapterError
from workbook.paths import REPO
from workbook.site.living import living, turned
from workbook.site.marks import COUNTED, marks_of


@pytest.mark.parametrize(("chapter", "case"), [("tcp-udp", "baseline"), ("two-tcp", "buffer-5")])
def test_the_marks_are_what_the_sources_claims_say_and_the_case_gives_them(chapter: str, case: str) -> None:
    marks, scenario = marks_of(chapter, case), Chapter.load(REPO.params / f"{chapter}.yaml").scenario(case)
    assert {(mark.flow, mark.row) for mark in marks} == {(k, row) for k in (1, 2) for row in COUNTED.values()}
    run, said = simulate(scenario, recording=TOTALS), (REPO.claims / f"{chapter}.yaml").read_text()
    for mark in marks:
        assert mark.said == int(run[mark.row.lower()].sel(flow=mark.flow))
        assert f'said: "{mark.said}"' in said


def test_a_case_of_which_no_source_prints_numbers_has_no_marks() -> None:
    assert marks_of("fall-floyd", "reno-2") == []


def test_a_figure_is_one_file_that_asks_for_nothing() -> None:
    figure = living("two-tcp", "baseline", ["buffer", "delay"])
    assert re.findall(r"<(?:link|img|iframe|script)\b[^>]*(?:src|href)=", figure.html) == []
    assert figure.html.count("const SHARED = ") == 1
    shown = figure._repr_html_()
    assert len(shown) < 1.1 * len(figure.html)
    assert len(shown) < 160_000
    assert shown.count("<iframe") == 1


def test_any_scenario_can_be_turned() -> None:
    scenario = Chapter.load(REPO.params / "fall-floyd.yaml").scenario("sack-3")
    assert "<title>fall-floyd/sack-3</title>" in turned(scenario, ["rate"]).html


@pytest.mark.parametrize(
    ("chapter", "case", "slider", "message"),
    [
        ("two-tcp", "baseline", "bufer", "'bufer' is not known; allowed: buffer, rate, delay, window, size, udp-rate"),
        ("two-tcp", "baseline", "udp-rate", "'udp-rate' has nothing to move in this case"),
        ("two-tcp", "basline", "buffer", "no case 'basline'; there is baseline, "),
    ],
)
def test_what_a_figure_has_not_is_refused_by_name(chapter: str, case: str, slider: str, message: str) -> None:
    with pytest.raises((ValueError, ChapterError), match=message):
        living(chapter, case, [slider])


def test_a_case_that_a_page_has_no_room_for_is_refused() -> None:
    with pytest.raises(TooLargeError, match="the page has"):
        living("large-fat", "single", ["rate"])
