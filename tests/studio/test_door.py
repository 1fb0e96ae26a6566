"""The front page in a real browser: the first story, live, the three doors, and the way to the explorer and back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simcore import scenario_from, simulate
from tests.studio.browser import RESTED, watched
from tests.workbook.site.pages import story_page
from workbook.site.door import door, joined
from workbook.site.stories import stories

pytestmark = pytest.mark.browser

SIZES = [(390, 844), (1400, 900), (2560, 1440)]
FRAME = "document.querySelector('.bn-network').toDataURL()"


@pytest.fixture
def page(page: Any) -> Iterator[Any]:
    with watched(page):
        yield page


def opened(page: Any, folder: Path, size: tuple[int, int] = (1400, 900)) -> None:
    """Open the front page of a small site."""
    (folder / "index.html").write_text(door(["course/index.html"]), "utf-8")
    (folder / "explore.html").write_text(joined(story_page(), ["course/index.html"], "index.html"), "utf-8")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto((folder / "index.html").as_uri())
    page.wait_for_selector(RESTED + "[data-drawn]")


def bottom(page: Any, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("size", SIZES)
def test_the_first_story_is_live_and_the_doors_are_there(page: Any, size: tuple[int, int], tmp_path: Path) -> None:
    opened(page, tmp_path, size)
    assert page.locator("h1").inner_text() == "The fifth packet"
    assert max(bottom(page, each) for each in (".bn-acts", ".bn-network", ".bn-clock")) <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("#bn-ways a").all_inner_texts() == ["Play", "Teach"]
    assert bottom(page, "#bn-ways") <= 60
    assert page.locator(".bn-way b").all_inner_texts() == ["Play", "Read", "Teach"]
    if size[0] > 700:
        assert bottom(page, "#bn-doors") <= size[1]
    first = page.evaluate(FRAME)
    page.wait_for_timeout(400)
    assert page.evaluate(FRAME) != first
    page.screenshot(path=tmp_path / "door.png")


def test_the_story_goes_on_in_the_explorer_and_leads_back(page: Any, tmp_path: Path) -> None:
    opened(page, tmp_path)
    page.get_by_role("button", name="More than half of what it had").click()
    page.get_by_role("button", name="What came of it?").click()
    story = stories()["fifth-packet"]
    runs = {name: simulate(scenario_from(each)) for name, each in story.settings().items()}
    text = page.locator(".bn-text").evaluate("element => element.textContent.replaceAll('\\u00a0', ' ')")
    assert text.endswith(story.told("reveal", runs))
    page.get_by_role("button", name="And now you").click()
    page.get_by_role("link", name="Play on in the explorer").click()
    page.wait_for_selector(RESTED + "[data-drawn]")
    assert "explore.html" in page.url
    assert page.evaluate("workbook.telling.now") == {"name": "fifth-packet", "step": 4, "bet": 3}
    page.get_by_role("link", name="Home").click()
    page.get_by_text("Your bet:").wait_for()
    page.get_by_role("link", name="Play").first.click()
    page.locator("h1", has_text="Tap a packet to lose it.").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES[:2])
def test_axe_finds_nothing_serious(page: Any, scheme: str, size: tuple[int, int], tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe comes with the studio's packages")
    page.emulate_media(color_scheme=scheme)
    opened(page, tmp_path, size)
    found = axe.Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["target"]) for each in serious] == []
