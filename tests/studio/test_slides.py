"""Slides in a browser: on a projector nothing is cut off."""

from pathlib import Path
from typing import Any

import pytest

from workbook.teaching.box import contents
from workbook.teaching.box.pages import slide_show
from workbook.teaching.box.slides import Slide
from workbook.teaching.box.weeks import WEEKS, Week

pytestmark = pytest.mark.browser

PROJECTOR = {"width": 1280, "height": 720}
# By how many pixels a slide's words or figure are beyond its room, and how small its letters are.
SHOWN = """number => {
  location.hash = number; show();
  const slide = document.querySelector("section.shown"), head = slide.querySelector("h1").getBoundingClientRect();
  const foot = slide.querySelector("footer").getBoundingClientRect(), words = slide.querySelector(".words");
  const parts = [...slide.querySelectorAll(".words, figure, img, figcaption")];
  const room = parts.map(part => part.getBoundingClientRect());
  const beyond = room.map(part => Math.max(
    head.bottom - part.top, part.bottom - foot.top, -part.left, part.right - innerWidth,
  ));
  return [Math.max(0, ...beyond), words ? parseFloat(getComputedStyle(words).fontSize) : 99];
}"""
LEAST_LETTERS_PX = 14  # of 720 in height: what is smaller nobody reads from behind


@pytest.mark.parametrize("week", WEEKS, ids=lambda week: f"week {week.number}")
def test_no_slide_overflows(week: Week, page: Any, tmp_path: Path) -> None:
    (tmp_path / "slides.html").write_text(contents.slides(week), "utf-8")
    page.set_viewport_size(PROJECTOR)
    page.goto((tmp_path / "slides.html").as_uri())
    shown = [page.evaluate(SHOWN, number) for number in range(1, page.locator("section").count() + 1)]
    assert {n: beyond for n, (beyond, _) in enumerate(shown, 1) if beyond > 0.5} == {}  # of a pixel
    assert {n: letters for n, (_, letters) in enumerate(shown, 1) if letters < LEAST_LETTERS_PX} == {}


def test_an_overflow_is_seen_and_long_words_become_smaller(page: Any, tmp_path: Path) -> None:
    long = [Slide("Long", "word " * count) for count in (20, 300, 3000)]
    (tmp_path / "slides.html").write_text(slide_show("A lecture", long, ""), "utf-8")
    page.set_viewport_size(PROJECTOR)
    page.goto((tmp_path / "slides.html").as_uri())
    (_, usual), (fits, smaller), (cut, _) = [page.evaluate(SHOWN, number) for number in (1, 2, 3)]
    assert usual > smaller >= LEAST_LETTERS_PX
    assert fits <= 0.5 < cut
