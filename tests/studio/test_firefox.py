"""The explorer's page in Firefox: its pictures and numbers are simcore's, and they follow a slider."""

import json
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from simcore import scenario_from, simulate
from tests.studio.browser import TABLE
from tests.studio.firefox import Firefox, firefox
from tests.studio.test_site import SHOW, assert_same, picture, random_setting, table_of
from tests.workbook.site.pages import small_family, written
from workbook.explore.futures import with_fate

pytestmark = pytest.mark.browser

SETTINGS = 8
DRAWN = """new Promise(drawn => {
  const look = () => document.querySelector(".bn-explore[data-drawn]") ? drawn(true) : setTimeout(look, 50);
  look();
})"""

# What is said once two runs are there, or after ten seconds.
FUTURES = """new Promise(drawn => {
  const begun = Date.now(), runs = () => document.querySelectorAll(".bn-run").length;
  const look = () => runs() === 2 || Date.now() > begun + 1e4
    ? drawn([document.querySelector(".bn-said").textContent, runs()]) : setTimeout(look, 50);
  look();
})"""
SLIDE = """(slider => {
  slider.value = 1;
  slider.dispatchEvent(new Event("input"));
  slider.dispatchEvent(new Event("change", {bubbles: true}));
  return slider.getAttribute("aria-valuetext");
})(document.getElementById("bn-buffer_packets"))"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    folder = tmp_path_factory.mktemp("firefox")
    with firefox(folder) as opened:
        opened.open(written(folder))
        assert opened.evaluate(DRAWN)
        yield opened


def test_pictures_and_numbers_are_those_of_simcore(page: Firefox) -> None:
    random = Random(11)
    for k in range(SETTINGS):
        asked, setting = random_setting(small_family(1 + k % 2), random)
        ours, theirs = picture(setting), page.evaluate(f"({SHOW})({json.dumps(asked)})")
        ours["runs"][0].pop("plane")  # of which Python leaves out what no screen shows
        assert_same(ours, theirs, str(setting))


def test_a_slider_moves_the_picture_and_the_address(page: Firefox) -> None:
    family = small_family()
    setting = {"family": "2", "at": dict(family.start), "fates": {}}
    page.evaluate(f"(workbook.become({json.dumps(setting)}), true)")
    assert page.evaluate(SLIDE) == "19 packets"
    at = {**family.start, "buffer_packets": 1}
    assert page.evaluate(f"({TABLE})()") == table_of(family.setting(at))
    assert "buffer_packets=19" in page.evaluate("location.hash")


def test_a_spared_packet_gives_two_futures_and_says_where_they_part(page: Firefox) -> None:
    """As a reader would: the keys lead to the first dropped packet, and to the button beside it."""
    family = small_family()
    setting, start = family.setting(family.start), {"family": "2", "at": dict(family.start), "fates": {}}
    page.evaluate(f"(workbook.kept = null, workbook.become({json.dumps(start)}))")
    run = simulate(scenario_from(setting))
    first = int(np.flatnonzero(run["packet_dropped"].values)[0])
    flow, dropped_s = int(run["packet_flow"][first]), float(run["packet_enqueued_s"][first])
    own = run["packet_flow"].values == flow
    number = int(np.flatnonzero(np.flatnonzero(own) == first)[0]) + 1
    page.click("canvas[data-chart=sequence]")
    page.press("\ue011")  # Home
    assert "It was dropped" in page.evaluate("document.querySelector('.bn-said').textContent")
    page.press("\ue007")  # Enter: to the button
    assert page.evaluate("document.activeElement.textContent") == "Spare it"
    page.click(".bn-said button")
    said, runs = page.evaluate(FUTURES)
    assert runs == 2
    assert said.startswith(f"Packet {number} of flow {flow} spared. Alike until {dropped_s:.4f} s.")
    assert page.evaluate(f"({TABLE})()") == table_of(with_fate(setting, flow, number, "spared"))
    assert f"spared_{flow}={number}" in page.evaluate("location.hash")
