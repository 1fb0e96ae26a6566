"""The explorer's stage: the first picture, in motion; a packet's card beside it; Back; links that hold what is seen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simcore import scenario_from, simulate
from tests.studio.browser import RESTED, shown, watched
from tests.workbook.site.pages import baseline, written
from workbook.explore.futures import compared, with_fate
from workbook.site.living import living

pytestmark = pytest.mark.browser

SIZES = [(390, 844), (1400, 900), (2560, 1440)]
FRAME = "document.querySelector('.bn-network').toDataURL()"
NOW = "workbook.clock.now"
# A packet of data on its way over the link: its number in the log, and where it is in the window.
ON_THE_LINK = """() => {
  const {stage} = workbook, {left, top} = stage.canvas.getBoundingClientRect();
  const found = stage.spots.find(({p}) => !stage.now.packets.is_ack[p] && stage.now.leg(p, stage.at)?.[0] === 1);
  return found && [found.p, found.x + left, found.y + top];
}"""
# How much of a chart has each of the curves' colours in their pale form: what is drawn, but is no full colour.
PALE_INK = """name => {
  const canvas = document.querySelector(`canvas[data-chart=${name}]`), pen = canvas.getContext("2d");
  const {data} = pen.getImageData(0, 30, canvas.width, canvas.height - 60);
  let pale = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 60 && data[i] < 130) pale += 1;
  return pale;
}"""


@pytest.fixture
def page(page: Any) -> Iterator[Any]:
    with watched(page):
        yield page


def tapped(page: Any) -> int:
    """Tap a packet on the link, once there is one; its number in the log."""
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function(ON_THE_LINK)
    packet, x, y = page.evaluate(ON_THE_LINK)
    page.mouse.click(x, y)
    return int(packet)


def is_inside(page: Any, selector: str, margin: float = 0) -> bool:
    box, size = page.locator(selector).bounding_box(), page.viewport_size
    across = margin <= box["x"] and box["x"] + box["width"] <= size["width"] - margin
    return bool(across and margin <= box["y"] and box["y"] + box["height"] <= size["height"] - margin)


@pytest.mark.parametrize("size", SIZES)
def test_the_stage_is_the_first_picture_and_moves_by_itself(page: Any, size: tuple[int, int], tmp_path: Path) -> None:
    shown(page, written(tmp_path), size)
    assert page.evaluate("document.querySelector('canvas').className") == "bn-network"
    assert is_inside(page, ".bn-network")
    assert is_inside(page, ".bn-clock")
    assert page.locator(".bn-network").bounding_box()["height"] > 0.28 * size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    before, first = page.evaluate(f"[{NOW}, {FRAME}]")
    page.wait_for_timeout(400)
    after, second = page.evaluate(f"[{NOW}, {FRAME}]")
    assert after > before
    assert first != second
    page.wait_for_function("workbook.stage.spots.length > 5")
    assert page.locator("h1").inner_text() == "Two senders share one link. Tap a packet to lose it."
    page.screenshot(path=tmp_path / "stage.png")


def test_who_wants_nothing_to_move_sees_a_drop(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    shown(page, written(tmp_path))
    before = page.evaluate(f"[{NOW}, {FRAME}]")
    page.wait_for_timeout(300)
    assert page.evaluate(f"[{NOW}, {FRAME}]") == before
    assert page.evaluate("workbook.stage.now.falling(workbook.clock.now, workbook.clock.fall_s).length") >= 1
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{NOW} > {before[0]}")


def test_a_quiet_second_is_run_through_and_said(page: Any, tmp_path: Path) -> None:
    """Between a window's loss and its timeout there is nothing to see: at fifty times slower, for almost a minute."""
    shown(page, written(tmp_path))
    page.evaluate("workbook.clock.seek(0.5)")
    page.locator(".bn-time", has_text="quiet: faster").wait_for()
    assert page.evaluate("workbook.stage.spots.length") == 0
    page.wait_for_function("workbook.stage.spots.length > 0 && workbook.clock.now > 1.4", timeout=10_000)
    page.wait_for_timeout(100)
    assert "quiet" not in page.locator(".bn-time").inner_text()


def test_charts_and_stage_have_one_time(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    page.get_by_role("button", name="Pause").click()
    chart = page.locator("canvas[data-chart=window]")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    left, right = page.evaluate("(({left, right}) => [left, right])(workbook.cursor.charts[1].box)")
    second = (right - left) / page.evaluate("workbook.cursor.charts[1].span")
    axis = box["y"] + box["height"] - 8
    page.mouse.move(box["x"] + left + 3 * second, axis)
    page.mouse.down()
    assert page.evaluate(NOW) == pytest.approx(3, abs=0.05)
    page.mouse.move(box["x"] + left + 6 * second, axis, steps=4)
    page.mouse.up()
    assert page.evaluate(NOW) == pytest.approx(6, abs=0.05)
    assert page.evaluate("workbook.stage.at") == page.evaluate(NOW)
    assert page.evaluate("workbook.view") is None, "who drags along the times does not zoom"
    for line in page.locator(".bn-now").all():
        where = line.bounding_box()
        assert where["x"] == pytest.approx(box["x"] + left + 6 * second, abs=2)
    assert page.locator(".bn-now").count() == 4
    assert "at=6.0" in page.url
    page.mouse.click(box["x"] + left + 8.5 * second, box["y"] + 30)
    assert page.evaluate(NOW) == pytest.approx(8.5, abs=0.05)


@pytest.mark.parametrize("size", SIZES)
def test_a_packets_card_opens_beside_it_and_inside_the_window(page: Any, size: tuple[int, int], tmp_path: Path) -> None:
    shown(page, written(tmp_path), size)
    packet = tapped(page)
    assert page.evaluate("workbook.stage.marked") == packet
    card = page.locator(".bn-card")
    card.get_by_text("If it is lost, flow 1").wait_for()
    assert is_inside(page, ".bn-card", 4)
    _, x, y = page.evaluate(ON_THE_LINK)
    box = card.bounding_box()
    if size[0] > 700:
        assert max(box["x"] - x, x - box["x"] - box["width"]) < 60, "beside the packet"
    assert not (box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"])
    page.screenshot(path=tmp_path / "card.png")
    card.get_by_role("button", name="Lose it").click()
    card.get_by_text("Alike until").wait_for()
    assert is_inside(page, ".bn-card", 4)
    page.screenshot(path=tmp_path / "lost.png")


def test_the_run_that_was_is_pale_and_back_undoes(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    tapped(page)
    before, titles = page.evaluate(PALE_INK, "window"), page.locator(".bn-title").all_inner_texts()
    foreseen = page.locator(".bn-whatif", has_text="flow 1").inner_text().removeprefix("If it is lost, ").rstrip(".")
    page.get_by_role("button", name="Lose it").click()
    assert foreseen in page.locator(".bn-card").inner_text(), "what was foretold has come"
    assert page.evaluate(PALE_INK, "window") > before + 300
    assert page.evaluate("workbook.stage.runs.length") == 2
    assert page.locator(".bn-title").count() == 2
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("document.querySelectorAll('.bn-title').length === 1")
    assert page.locator(".bn-title").all_inner_texts() == titles
    assert page.get_by_role("button", name="Lose it").is_visible(), "the packet is still pointed at"
    page.go_forward()
    page.wait_for_function("document.querySelectorAll('.bn-title').length === 2")
    assert foreseen in page.locator(".bn-card").inner_text()


def test_back_undoes_a_control_and_a_drag_is_one_step(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    page.select_option("#bn-kind_2", label="TCP CUBIC")
    page.locator("#bn-buffer_packets").focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#bn-buffer_packets").get_attribute("aria-valuetext") == "5 packets"
    page.go_back()
    page.wait_for_function(
        "document.querySelector('#bn-buffer_packets').getAttribute('aria-valuetext') === '20 packets'"
    )
    assert "1 x reno + 1 x cubic" in page.locator(".bn-title").inner_text()
    page.go_back()
    page.locator(".bn-title", has_text="2 x reno").wait_for()


def test_a_link_holds_comparison_part_moment_and_packet(page: Any, tmp_path: Path) -> None:
    address = written(tmp_path)
    shown(page, address)
    tapped(page)
    page.get_by_role("button", name="Lose it").click()
    page.evaluate("workbook.send({do: 'zoom', from_s: 0.1, to_s: 1})")
    seen = f"[...document.querySelectorAll('.bn-title, .bn-card')].map(each => each.innerText).concat({NOW}.toFixed(6))"
    before, link = page.evaluate(seen), page.url
    shown(page, link)
    assert page.evaluate(seen) == before
    assert page.evaluate("workbook.view") == [0.1, 1]
    assert not page.evaluate("workbook.clock.isPlaying")
    assert is_inside(page, ".bn-card")
    assert page.url == link


def test_a_link_holds_what_another_setting_is_compared_with(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    page.select_option("#bn-kind_1", label="TCP Vegas")
    page.get_by_text("Keep and compare").click()
    page.select_option("[aria-label=Flows]", label="1 flow")
    page.check("#bn-ecn") if page.locator("#bn-ecn").is_enabled() and False else None
    titles, link = page.locator(".bn-title").all_inner_texts(), page.url
    assert len(titles) == 2
    shown(page, link)
    assert page.locator(".bn-title").all_inner_texts() == titles


def test_a_presets_name_goes_with_the_first_change(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    name = "(select => select.selectedOptions[0].textContent)(document.querySelector('[aria-label=\"Start from\"]'))"
    page.select_option("[aria-label='Start from']", label="Two TCP flows: Buffer of 5 packets")
    assert page.evaluate(name) == "Two TCP flows: Buffer of 5 packets"
    page.locator("#bn-buffer_packets").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(name) == "Start from ..."
    page.keyboard.press("ArrowRight")
    assert page.evaluate(name) == "Two TCP flows: Baseline"


def test_of_a_packet_that_is_none_nothing_is_said_to_be_done(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path) + "#flows=2&lost_1=99999999")
    assert page.locator(".bn-title").inner_text().startswith("flow 1 has no packet 99999999; 2 Mb/s")
    page.evaluate("workbook.send({do: 'fate', flow: 2, number: 88888888, fate: 'lost'})")
    assert "Both runs are the same." in page.locator(".bn-card").inner_text()


def test_two_runs_part_at_the_earlier_of_what_differs(page: Any, tmp_path: Path) -> None:
    """A packet is lost; where it was not, the next event comes later. JupyterLab says the same."""
    shown(page, written(tmp_path))
    page.evaluate("workbook.send({do: 'fate', flow: 1, number: 5, fate: 'lost'})")
    runs = [simulate(scenario_from(each)) for each in (baseline(), with_fate(baseline(), 1, 5, "lost"))]
    assert compared(*runs).startswith("Alike until 0.1446 s.")
    assert "Alike until 0.1446 s." in page.locator(".bn-card").inner_text()


def test_who_gains_nothing_is_not_said_to_gain(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    assert page.evaluate("differences(workbook.run, workbook.run)") == "flow 1 gets the same, flow 2 gets the same"


def test_the_stage_is_dark_where_the_page_is(page: Any, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    shown(page, written(tmp_path))
    light = """() => {
      const canvas = document.querySelector(".bn-network"), pen = canvas.getContext("2d");
      const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] > 245 && data[i + 1] > 245) count += 1;
      return count / (data.length / 4);
    }"""
    assert page.evaluate(light) < 0.01
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"


def test_charts_of_a_large_screen_are_beside_each_other(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path), (2560, 1440))
    boxes = [chart.bounding_box() for chart in page.locator("canvas.bn-chart").all()]
    assert len({round(box["x"]) for box in boxes}) == 2
    assert all(box["width"] < 1200 for box in boxes)


def test_the_keyboard_plays_steps_and_opens(page: Any, tmp_path: Path) -> None:
    shown(page, written(tmp_path))
    page.locator(".bn-network").focus()
    page.keyboard.press(" ")
    before = page.evaluate(NOW)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(NOW) == pytest.approx(before + 0.00416, abs=1e-6)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert "lost." in page.locator(".bn-card").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".bn-card").inner_text() == ""


def test_a_figure_shows_its_stage_when_it_is_asked_and_undoes_without_an_address(page: Any, tmp_path: Path) -> None:
    """In a notebook's frame, which has no address of its own."""
    (tmp_path / "notebook.html").write_text(living("two-tcp", "baseline", ["buffer"])._repr_html_(), "utf-8")
    page.goto((tmp_path / "notebook.html").as_uri())
    figure = page.frame_locator("iframe.bn-living")
    figure.locator(RESTED + "[data-drawn]").wait_for()
    assert not figure.locator(".bn-network").is_visible()
    assert figure.locator(".bn-now").count() == 0
    figure.get_by_text("Play the packets").click()
    assert figure.locator(".bn-network").is_visible()
    inside = page.frames[1]
    before = inside.evaluate(NOW)
    inside.wait_for_function(f"{NOW} > {before}")
    inside.evaluate("workbook.send({do: 'fate', flow: 1, number: 5, fate: 'lost'})")
    assert figure.locator(".bn-title").count() == 2
    figure.get_by_role("button", name="Undo").click()
    inside.wait_for_function("document.querySelectorAll('.bn-title').length === 1")
