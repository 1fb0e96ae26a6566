"""Stories in the page: from the question to free play, with the numbers that Python computes of the same runs."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

from simcore import scenario_from, simulate
from tests.studio.browser import shown, watched
from tests.workbook.site.pages import story_page, written
from workbook.site.formulas import worth
from workbook.site.stories import stories

pytestmark = pytest.mark.browser

STORIES = stories()
SIZES = [(390, 844), (1400, 900)]
WORTH = """() => {
  const {telling} = workbook, {numbers, moment} = telling.tale, {runs} = telling;
  const each = Object.entries(numbers).map(([name, tree]) => [name, worth(tree, runs)]);
  return [Object.fromEntries(each), worth(moment, runs)];
}"""
PLAIN = "element => element.textContent.replaceAll('\\u00a0', ' ')"
NOW = "workbook.telling.now"


@cache
def runs(name: str) -> Mapping[str, xr.Dataset]:
    return {run: simulate(scenario_from(each), "compiled") for run, each in STORIES[name].settings().items()}


@pytest.fixture
def page(page: Any) -> Iterator[Any]:
    with watched(page):
        yield page


def is_inside(page: Any, selector: str) -> bool:
    size = page.viewport_size
    boxes = [each.bounding_box() for each in page.locator(selector).all()]
    across = all(box["x"] >= 0 and box["x"] + box["width"] <= size["width"] for box in boxes)
    return across and all(box["y"] >= 0 and box["y"] + box["height"] <= size["height"] for box in boxes)


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("size", SIZES)
def test_a_story_from_the_question_to_free_play(page: Any, name: str, size: tuple[int, int], tmp_path: Path) -> None:
    story = STORIES[name]
    shown(page, written(tmp_path, story_page()), size)
    page.get_by_role("button", name=story.title).click()
    assert page.locator("h1").inner_text() == story.title
    assert page.locator(".bn-text").evaluate(PLAIN).endswith(story.question)
    assert page.locator(".bn-run").count() == 1
    assert is_inside(page, "h1, #bn-tale, #bn-tale .bn-button, .bn-network, .bn-clock")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.screenshot(path=tmp_path / "bet.png")
    page.get_by_role("button", name=story.bet[0].says).click()
    assert page.locator(".bn-run").count() == 2, "beside the run that was"
    page.get_by_role("button", name="What came of it?").click()
    [right] = story.answers(runs(name))
    verdict = "You were right" if right == 1 else "It came otherwise"
    assert page.locator(".bn-verdict").inner_text() == f"{verdict}: {story.bet[right - 1].says}"
    assert page.locator(".bn-text").evaluate(PLAIN).endswith(story.told("reveal", runs(name)))
    assert is_inside(page, "h1, #bn-tale, #bn-tale .bn-button, .bn-network")
    page.screenshot(path=tmp_path / "reveal.png")
    page.get_by_role("button", name="And now you").click()
    assert page.locator(".bn-text").evaluate(PLAIN).endswith(story.play)
    assert page.locator(".bn-chapter").inner_text().startswith("More in the chapter")


@pytest.mark.parametrize("name", STORIES)
def test_the_pages_numbers_are_pythons(page: Any, name: str, tmp_path: Path) -> None:
    shown(page, f"{written(tmp_path, story_page())}#story={name}")
    numbers, moment = page.evaluate(WORTH)
    expected = {number: worth(tree, runs(name)) for number, tree in STORIES[name].trees.items()}
    assert numbers == pytest.approx(expected, rel=1e-9)
    assert moment == pytest.approx(worth(STORIES[name].moment_tree, runs(name)), abs=1e-6)


def test_what_came_of_it_is_told_when_it_happens_and_back_leads_to_the_bet(page: Any, tmp_path: Path) -> None:
    shown(page, f"{written(tmp_path, story_page())}#story=fifth-packet")
    assert page.evaluate(NOW) == {"name": "fifth-packet", "step": 1, "bet": 0}
    page.get_by_role("button", name="Next to nothing").click()
    assert page.evaluate("workbook.clock.now < workbook.telling.moment && workbook.clock.isPlaying")
    page.get_by_text("It came otherwise: ").wait_for(timeout=20_000)
    assert page.evaluate("workbook.clock.now > workbook.telling.moment && workbook.clock.isPlaying")
    page.go_back()
    page.get_by_text("Your bet:").wait_for()
    assert page.evaluate(NOW)["step"] == 1
    page.wait_for_function("document.querySelectorAll('.bn-run').length === 1")
    page.get_by_role("button", name="More than half of what it had").click()
    page.get_by_role("button", name="What came of it?").click()
    assert page.locator(".bn-verdict").inner_text() == "You were right: More than half of what it had"


def test_a_link_holds_story_step_and_bet(page: Any, tmp_path: Path) -> None:
    shown(page, f"{written(tmp_path, story_page())}#story=starving&step=3&bet=2")
    seen = "[...document.querySelectorAll('h1, .bn-text, .bn-title')].map(each => each.innerText)"
    before = page.evaluate(seen)
    assert before[0] == "Who gives way?"
    page.get_by_role("button", name="Pause").click()
    assert all(word in page.url for word in ("story=starving", "step=3", "bet=2", "rate_mbps=1", "than=rate_mbps%3D2"))
    shown(page, page.url)
    assert page.evaluate(seen) == before
    page.locator("#bn-buffer_packets").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("h1").inner_text() == "Who gives way?", "free play goes on in the story"
    shown(page, page.url)
    assert page.locator("h1").inner_text() == "Who gives way?"
    assert page.locator("#bn-buffer_packets").get_attribute("aria-valuetext") == "10 packets"


@pytest.mark.parametrize(
    "words", ["story=starving&step=3", "story=starving&step=9&bet=1", "story=starving&bet=8&step=2"]
)
def test_without_a_bet_a_link_begins_with_the_question(page: Any, words: str, tmp_path: Path) -> None:
    shown(page, f"{written(tmp_path, story_page())}#{words}")
    assert page.evaluate(NOW)["step"] == 1


def test_all_stories_leads_back_to_the_stage_alone(page: Any, tmp_path: Path) -> None:
    shown(page, f"{written(tmp_path, story_page())}#story=starving")
    page.get_by_role("button", name="All stories").click()
    assert page.locator("h1").inner_text() == "Two senders share one link. Tap a packet to lose it."
    assert page.locator(".bn-tales button").count() == len(STORIES)
    assert "story" not in page.url
    page.go_back()
    page.get_by_text("Your bet:").wait_for()


def test_who_wants_nothing_to_move_is_told_by_a_button(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    shown(page, f"{written(tmp_path, story_page())}#story=fifth-packet")
    assert not page.evaluate("workbook.clock.isPlaying")
    page.get_by_role("button", name="Next to nothing").click()
    page.wait_for_timeout(300)
    assert not page.evaluate("workbook.clock.isPlaying")
    assert page.evaluate("workbook.stage.now.falling(workbook.clock.now, workbook.clock.fall_s).length") == 1
    page.get_by_role("button", name="What came of it?").click()
    assert page.locator(".bn-verdict").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_serious(page: Any, scheme: str, size: tuple[int, int], tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe comes with the studio's packages")
    page.emulate_media(color_scheme=scheme)
    for words in ("", "#story=starving", "#story=starving&step=3&bet=2", "#story=starving&step=4&bet=2"):
        shown(page, written(tmp_path, story_page()) + words, size)
        found = axe.Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert [(each["id"], each["nodes"][0]["target"]) for each in serious] == []
