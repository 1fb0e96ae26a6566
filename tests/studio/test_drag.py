"""A slider that is dragged: its work is many short tasks, and what is seen in the end is what a key gives."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.studio.browser import RESTED, TABLE
from tests.workbook.site.pages import written
from workbook.explore.thinning import line_rows

pytestmark = pytest.mark.browser

# What is called in which order, with a turn of the event loop after each call if it was the last of its task: a message
# comes before those that are sent after it.
WATCH = """() => {
  const {port1, port2} = new MessageChannel();
  window.log = []; window.runs = []; window.meanwhile = [];
  window.slide = position => {
    const slider = document.getElementById("bn-buffer_packets");
    slider.value = position;
    slider.dispatchEvent(new Event("input"));
    return slider;
  };
  port1.onmessage = () => log.push("turn");
  const watched = (owner, method, name, also) => {
    const own = owner[method];
    owner[method] = function (...all) {
      log.push(name);
      port2.postMessage(null);
      also?.(...all);
      return own.apply(this, all);
    };
  };
  watched(Machine.prototype, "run", "simulate", (family, at) => window.runs.push(at.buffer_packets));
  watched(Run.prototype, "follow", "tables", () => window.meanwhile.splice(0).forEach(act => act()));
  watched(Chart.prototype, "draw", "chart");
  watched(Plane.prototype, "draw", "plane");
}"""
SEEN = """() => [...document.querySelectorAll(".bn-chart, .bn-plane")].map(canvas => canvas.toDataURL())
  .concat(document.querySelector(".bn-title").textContent, location.hash)"""


@pytest.fixture
def page(page: Any, tmp_path: Path) -> Any:
    page.goto(written(tmp_path))
    page.wait_for_selector(RESTED)
    page.evaluate(WATCH)
    return page


def test_simulation_tables_and_each_chart_are_tasks_of_their_own(page: Any) -> None:
    page.evaluate("slide(1), null")
    page.wait_for_selector(RESTED)
    work = ["simulate", "tables", "chart", "chart", "chart", "chart", "plane"]
    assert page.evaluate("log") == [said for each in work for said in (each, "turn")]


def test_what_is_left_when_the_slider_rests_is_one_task(page: Any) -> None:
    """As after a key: what is asked for is there sooner, and nothing moves meanwhile."""
    page.evaluate("meanwhile.push(() => slide(2), () => slide(3))")
    said = page.evaluate("slide(1).dispatchEvent(new Event('change', {bubbles: true})), [...log]")
    assert said == ["simulate", "tables", "chart", "chart", "chart", "chart", "plane"] * 2
    assert page.evaluate("runs") == [1, 3]
    assert "buffer_packets=50" in page.url


def test_of_the_positions_that_a_slider_comes_by_meanwhile_only_the_newest_is_simulated(page: Any) -> None:
    """What was begun is shown, or a quick hand would see nothing."""
    page.evaluate("meanwhile.push(() => slide(2), () => slide(3)); slide(0); slide(1); null")
    page.wait_for_selector(RESTED)
    assert page.evaluate("runs") == [1, 3]
    assert page.evaluate("log.filter(said => said === 'plane').length") == 2
    assert "droptail of 50" in page.locator(".bn-title").inner_text()


def test_a_choice_is_shown_at_once_and_ends_the_work_on_an_older_setting(page: Any) -> None:
    page.evaluate("meanwhile.push(() => workbook.panel.ask('buffer_packets', 3)); slide(0), null")
    page.wait_for_selector(RESTED)
    page.wait_for_timeout(100)  # nothing is drawn any more
    assert page.evaluate("runs") == [0, 3]
    assert page.evaluate("log.filter(said => said === 'plane').length") == 1
    assert "droptail of 50" in page.locator(".bn-title").inner_text()


def test_what_is_saved_is_what_the_controls_say_while_its_picture_is_under_way(page: Any) -> None:
    assert page.evaluate("slide(0), workbook.run.mapping.bottleneck.buffer_packets") == 5


def test_a_drag_ends_with_the_picture_that_a_key_gives(page: Any) -> None:
    box = page.locator("#bn-buffer_packets").bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, height)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, height, steps=20)
    page.mouse.up()
    page.wait_for_selector(RESTED)
    dragged, table = page.evaluate(SEEN), page.evaluate(TABLE)
    assert "buffer_packets=50" in dragged[-1]
    page.keyboard.press("Home")
    page.wait_for_selector(RESTED)
    assert page.evaluate(SEEN) != dragged
    page.keyboard.press("End")
    page.wait_for_selector(RESTED)
    assert page.evaluate(SEEN) == dragged
    assert page.evaluate(TABLE) == table


def test_a_line_is_drawn_through_the_points_that_decide_how_it_looks(page: Any) -> None:
    random = np.random.default_rng(5)
    times, values = np.sort(random.uniform(0, 10, 4000)), random.uniform(0, 1, 4000)
    kept = page.evaluate("([x, y]) => decisive(x, y, 30)", [times.tolist(), values.tolist()])
    assert kept == line_rows(times, values, 0, 10, 300).tolist()
    assert len(kept) < 1200
