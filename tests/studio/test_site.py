"""The explorer's page in a real browser, from the disk: it shows what simcore simulates, and asks for nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from simcore import load_scenario, scenario_from, simulate
from simcore.scenario.change import changed
from tests.studio.browser import CUT_OFF, RESTED, TABLE, opened_settings, watched
from tests.workbook.site.pages import baseline, five_flows, small_family, written
from workbook.explore.address import values_of
from workbook.explore.charts import View
from workbook.explore.futures import named_packets, reached, with_fate
from workbook.explore.picture import picture_of
from workbook.explore.setting import Setting
from workbook.explore.titles import described
from workbook.site.grid import Family

pytestmark = pytest.mark.browser

SETTINGS = 32
OWN = {"rate_mbps": 10.0, "delay_ms": 1.0, "buffer_packets": 50}
EVERY_POINT = 10**9  # pixels: nothing is left out
# Shows a setting; all numbers of its picture come back as lists.
SHOW = """setting => {
  workbook.view = workbook.kept = null;
  workbook.become(setting);
  const plain = node => ArrayBuffer.isView(node) ? Array.from(node) : Array.isArray(node) ? node.map(plain)
    : node && typeof node === "object" ? Object.fromEntries(Object.entries(node).map(([k, v]) => [k, plain(v)])) : node;
  return plain(workbook.get("picture"));
}"""


@pytest.fixture
def page(page: Any, tmp_path: Path) -> Iterator[Any]:
    page.context.set_offline(True)
    with watched(page):
        page.goto(written(tmp_path))
        page.wait_for_selector(".bn-explore[data-drawn]")
        yield page


def picture(setting: Setting) -> Any:
    """The same in Python."""
    scenario = scenario_from(setting)
    run = simulate(scenario)
    return picture_of([(described(setting, reached(run)), scenario, run)], View(0.0, scenario.end_s, EVERY_POINT))


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Compare a picture of Python's with one of the page's."""
    if isinstance(ours, bytes):
        np.testing.assert_allclose(
            np.frombuffer(ours, "<f4"), np.array(theirs, "f4"), rtol=2e-6, atol=1e-9, err_msg=where
        )
    elif isinstance(ours, dict):
        for name, value in ours.items():
            assert_same(value, theirs[name], f"{where}.{name}")
    elif isinstance(ours, list | tuple):
        assert len(ours) == len(theirs), where
        for k, value in enumerate(ours):
            assert_same(value, theirs[k], f"{where}.{k}")
    elif isinstance(ours, float):
        assert theirs == pytest.approx(ours), where
    else:
        assert theirs == ours, where


def random_setting(family: Family, random: Random) -> tuple[dict[str, Any], Setting]:
    """For the page, and for simcore; in some a packet is lost on purpose."""
    at = family.anything(random)
    fates, setting = {}, family.setting(at)
    if random.random() < 0.4:
        flow, number = random.randint(1, family.flows), random.randint(1, 60)
        fates = {str(flow - 1): {"lost": [number], "spared": []}}
        setting = with_fate(setting, flow, number, "lost")
    return {"family": str(family.flows), "at": at, "fates": fates}, setting


def test_pictures_and_numbers_are_those_of_simcore(page: Any) -> None:
    random = Random(7)
    for k in range(SETTINGS):
        asked, setting = random_setting(small_family(1 + k % 2), random)
        ours, theirs = picture(setting), page.evaluate(SHOW, asked)
        [run] = ours["runs"]
        plane = run.pop("plane")  # of which Python leaves out what no screen shows
        assert_same(ours, theirs, str(setting))
        assert (plane is None) == (theirs["runs"][0]["plane"] is None)
        if plane:
            assert plane["capacity"] == pytest.approx(theirs["runs"][0]["plane"]["capacity"])


def table_of(setting: Setting) -> dict[str, list[str]]:
    [run] = picture(setting)["runs"]
    return {row["name"]: row["values"] for row in run["rows"]}


def test_a_slider_moves_the_picture_and_the_address(page: Any) -> None:
    family = small_family()
    before = page.evaluate(TABLE)
    page.locator("#bn-buffer_packets").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#bn-buffer_packets").get_attribute("aria-valuetext") == "19 packets"
    page.wait_for_selector(RESTED)
    at = {**family.start, "buffer_packets": 1}
    assert page.evaluate(TABLE) == table_of(family.setting(at)) != before
    assert "buffer_packets=19" in page.url


def test_a_link_carries_the_whole_setting(page: Any, tmp_path: Path) -> None:
    page.select_option("#bn-kind_2", label="TCP CUBIC")
    page.evaluate("workbook.send({do: 'fate', run: 0, flow: 1, number: 30, fate: 'lost'})")
    shown, address = page.locator(".bn-title").all_inner_texts(), page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".bn-explore[data-drawn]")
    assert page.locator(".bn-title").all_inner_texts() == shown
    assert shown[0].startswith("2 Mb/s, 10 ms, droptail of 20; 1 x reno + 1 x cubic")
    assert shown[1].startswith("packet 30 of flow 1 lost; 2 Mb/s, 10 ms, droptail of 20; 1 x reno + 1 x cubic")


def test_jupyterlabs_link_means_the_same(page: Any, tmp_path: Path) -> None:
    """Where controls say all, and where a link has the scenario; what the page cannot show is named."""
    family = small_family()
    senders = list(family.controls["senders"].values).index("own")
    own = family.setting({**family.start, "senders": senders, "rate_mbps": 0})
    for setting in (with_fate(own, 2, 7, "lost"), {**family.setting(family.start), "seed": 7}):
        values = values_of(scenario_from(setting).to_mapping())
        link = page.evaluate("values => linkOf(values)", values)
        page.goto("about:blank")
        page.goto(written(tmp_path) + link)
        page.wait_for_selector(".bn-explore[data-drawn]")
        if "scenario" in values:
            assert page.locator(".bn-status").inner_text().startswith("scenario: seed: 7: this page has only 1.")
        else:
            assert page.locator(".bn-title").inner_text() == described(setting)


def test_a_link_carries_the_second_level_and_a_reload_keeps_it(page: Any) -> None:
    assert "senders" not in page.url, "of the second level a link has what is not as usual"
    page.locator("summary", has_text="More").click()
    page.select_option("#bn-senders", label="behind links of their own")
    page.locator("#bn-access_step_ms").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#bn-links").focus()
    page.keyboard.press("ArrowRight")
    page.check("#bn-ecn")
    page.wait_for_selector(RESTED)
    assert all(word in page.url for word in ("senders=own", "access_step_ms=20", "links=2", "ecn=true"))
    family = small_family()
    senders = list(family.controls["senders"].values).index("own")
    setting = family.setting({**family.start, "senders": senders, "access_step_ms": 1, "links": 1, "ecn": 1})
    assert page.locator(".bn-title").inner_text() == described(setting)
    assert page.evaluate(TABLE) == table_of(setting)
    page.reload()
    page.wait_for_selector(".bn-explore[data-drawn]")
    assert page.locator(".bn-title").inner_text() == described(setting)
    assert page.locator("summary").inner_text() == "More (4 changed)"
    assert page.locator("#bn-access_delay_ms").is_visible(), "the second level is open where it has something to show"
    page.select_option("#bn-senders", label="behind one interface")
    assert not page.locator("#bn-access_delay_ms").is_visible()
    assert page.locator("#bn-host_rate_mbps").is_visible()


def test_what_a_sender_cannot_is_said_and_nothing_changes(page: Any) -> None:
    page.select_option("#bn-kind_2", label="TCP Vegas")
    before = page.locator(".bn-title").inner_text()
    page.locator("summary").click()
    page.locator("#bn-ecn").click()
    status = page.locator(".bn-status").inner_text()
    assert status.startswith("flows.1.ecn: true is not allowed with vegas; allowed with tahoe, reno")
    assert page.locator(".bn-title").inner_text() == before
    assert not page.locator("#bn-ecn").is_checked()
    page.select_option("#bn-kind_2", label="TCP Reno")
    page.locator("#bn-ecn").click()
    assert page.locator(".bn-title").inner_text().endswith("; ECN")


def test_no_packet_is_spared_from_a_queue_that_cannot(page: Any) -> None:
    page.select_option("#bn-queue", label="CoDel")
    page.evaluate("workbook.send({do: 'fate', run: 0, flow: 2, number: 3, fate: 'spared'})")
    assert page.locator(".bn-status").inner_text().startswith("flows.1.spared_packets: not possible with this queue")
    assert page.locator(".bn-run").count() == 1
    page.evaluate("workbook.send({do: 'fate', run: 0, flow: 2, number: 3, fate: 'lost'})")
    assert page.locator(".bn-run").count() == 2


def test_a_setting_that_is_not_exported_is_refused(page: Any, tmp_path: Path) -> None:
    page.goto("about:blank")
    page.goto(written(tmp_path) + "#flows=2&rate_mbps=1.7")
    page.wait_for_selector(".bn-explore[data-drawn]")
    status = page.locator(".bn-status", has_text="workbook run")
    status.wait_for()
    assert "this page has no 1.7. Not approximated" in status.inner_text()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("flows=2&rate=1", "rate: no such control; this page has flows, kind_1, kind_2, profile, queue, "),
        ("flows=2&lost_3=5", "lost_3: no such control"),
        ("flows=2&lost_1=5.x", "lost_1: packets count from 1"),
        ("flows=9", "The link names no number of flows that this page has"),
    ],
)
def test_an_unknown_name_in_a_link_is_refused(page: Any, tmp_path: Path, words: str, problem: str) -> None:
    page.goto("about:blank")
    page.goto(f"{written(tmp_path)}#{words}")
    page.locator(".bn-status", has_text="workbook run").wait_for()
    assert page.locator(".bn-status").inner_text().startswith(problem)


def test_a_spared_packet_gives_two_futures_and_says_where_they_part(page: Any, tmp_path: Path) -> None:
    family = small_family()
    setting = family.setting(family.start)
    run = simulate(scenario_from(setting))
    own = run["packet_flow"].values == 1
    number = int(np.flatnonzero(run["packet_dropped"].values[own])[0]) + 1
    page.evaluate("number => workbook.send({do: 'fate', run: 0, flow: 1, number, fate: 'spared'})", number)
    assert page.locator(".bn-run").count() == 2
    dropped_s = float(run["packet_enqueued_s"].values[own][number - 1])
    assert f"Alike until {dropped_s:.4f} s" in page.locator(".bn-said").inner_text()
    spared = with_fate(setting, 1, number, "spared")
    assert named_packets([spared]) == {1: {number}, 2: set()}
    assert page.evaluate(TABLE) == table_of(spared)
    page.screenshot(path=tmp_path / "futures.png")


def test_a_click_on_an_outdated_picture_is_refused(page: Any) -> None:
    page.evaluate("workbook.send({do: 'fate', run: 0, flow: 1, number: 3, fate: 'lost', version: -1})")
    assert page.locator(".bn-run").count() == 1


def test_a_scenario_is_saved_and_loaded(page: Any, tmp_path: Path) -> None:
    family = small_family()
    page.select_option("#bn-queue", label="CoDel")
    with page.expect_download() as download:
        page.get_by_text("Save as YAML").click()
    download.value.save_as(tmp_path / "mine.yaml")
    at = {**family.start, "queue": list(family.controls["queue"].values).index("codel")}
    assert load_scenario(tmp_path / "mine.yaml") == scenario_from(family.setting(at))
    page.select_option("#bn-queue", label="Drop-tail")
    page.set_input_files("input[type=file]", tmp_path / "mine.yaml")
    page.locator(".bn-title", has_text="codel").wait_for()
    (tmp_path / "other.yaml").write_text(scenario_from({**family.setting(at), "seed": 7}).to_yaml())
    page.set_input_files("input[type=file]", tmp_path / "other.yaml")
    status = page.locator(".bn-status", has_text="workbook run")
    status.wait_for()
    assert "other.yaml: seed: 7: this page has only 1. Not approximated" in status.inner_text()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"bottleneck.rate_mbps": 1.7}, "bottleneck.rate_mbps: 1.7: this page has only 1 and 2."),
        ({"bottleneck.queue": "pie"}, "bottleneck.queue: pie: this page has only droptail, red, drr, codel, fq_codel."),
        ({"flows.0.variant": "sack"}, "flows.0.variant: sack: this page has only reno, cubic, vegas, highspeed."),
        ({"flows.1.stop_s": 7}, "flows.1.stop_s: 7: this page has only 5 and 10."),
        ({"flows.0.access": OWN | {"buffer_packets": 40}}, "flows.0.access.buffer_packets: 40: this page has only 50."),
        ({"flows.0.access": OWN}, "flows.1.access."),
        ({"flows.*.access": OWN | {"rate_mbps": 8.0}}, "flows.0.access.rate_mbps: 8: this page has only 1 and 10."),
        ({"flows.0.spared_packets": [3], "bottleneck.queue": "codel"}, "flows.0.spared_packets: not possible with"),
        ({"seed": 3}, "seed: 3: this page has only 1."),
        ({"flows": []}, "flows: this page has 1, 2 of them"),
    ],
)
def test_the_field_that_the_controls_cannot_say_is_named(page: Any, change: dict[str, Any], problem: str) -> None:
    text = json.dumps(changed(baseline(), change))
    page.evaluate("text => workbook.loaded(text, 'mine.json')", text)
    status = page.locator(".bn-status")
    assert status.inner_text().startswith(f"mine.json: {problem}")
    assert page.locator(".bn-title").inner_text().startswith("2 Mb/s, 10 ms, droptail of 20")


def test_the_player_opens_at_the_first_drop(page: Any) -> None:
    page.locator(".bn-scrub").fill("90000")
    page.get_by_text("Play the packets").click()
    page.wait_for_function("workbook.clock.isPlaying")
    assert 0 < page.evaluate("workbook.run.first_drop - workbook.clock.now") < 0.2


def test_the_arrow_keys_go_from_event_to_event(page: Any) -> None:
    page.select_option("#bn-kind_2", label="TCP CUBIC")
    window, said = page.locator("canvas[data-chart=window]"), page.locator(".bn-said")
    assert "Arrow keys go from event to event" in window.get_attribute("aria-label")
    window.focus()
    page.keyboard.press("ArrowRight")
    assert said.inner_text().startswith("The application starts")
    assert "TCP Reno 1 at 0.1000 s" in said.inner_text()
    page.keyboard.press("ArrowRight")
    assert "TCP CUBIC 2 at 0.1000 s" in said.inner_text()  # at the same time
    told = []
    for key in ("End", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        told.append(said.inner_text())
    assert told[0] == told[2] != told[1]
    page.keyboard.press("ArrowRight")
    assert said.inner_text() == "There is no further event in this chart."
    page.locator("canvas[data-chart=sequence]").focus()
    page.keyboard.press("Home")
    assert "It was dropped" in said.inner_text()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.locator(".bn-title").first.inner_text().startswith("2 Mb/s")
    assert "spared;" in page.locator(".bn-title").last.inner_text()


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("TCP Reno", "TCP Reno"),
        ("HighSpeed TCP", "HighSpeed TCP"),
        ("UDP, exponential bursts", "UDP Exponential"),
    ],
)
@pytest.mark.parametrize("width", [1400, 360])
def test_five_flows_are_compared_and_no_column_is_cut_off(
    page: Any, width: int, kind: str, title: str, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("about:blank")
    page.goto(written(tmp_path, five_flows()))
    page.wait_for_selector(".bn-explore[data-drawn]")
    opened_settings(page)
    for flow in range(1, 6):
        page.select_option(f"#bn-kind_{flow}", label=kind)
    page.get_by_text("Keep and compare").click()
    page.select_option("#bn-profile", label="linux")
    page.wait_for_timeout(200)
    page.screenshot(path=tmp_path / "five.png", full_page=True)
    assert page.locator(".bn-numbers thead th").all_inner_texts() == [f"{title} {k}" for k in (1, 2, 3, 4, 5)] * 2
    assert page.evaluate(CUT_OFF, ".bn-title, .bn-table") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tops = "[...document.querySelectorAll('.bn-numbers')].map(each => each.getBoundingClientRect().top)"
    first, second = page.evaluate(tops)
    assert (first == second) == (width == 1400), "beside each other the numbers are at one height"
    assert page.locator("canvas[data-chart=window]").count() == 1, "one chart has both runs"


@pytest.mark.parametrize("width", [1400, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Any, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe comes with the studio's packages")
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    opened_settings(page)
    page.select_option("#bn-profile", label="linux")
    page.locator("summary", has_text="More").click()
    page.select_option("#bn-senders", label="behind links of their own")
    page.select_option("#bn-receivers", label="behind links of their own")
    page.evaluate("workbook.send({do: 'fate', run: 0, flow: 1, number: 30, fate: 'lost'})")
    assert page.locator("#bn-exit_delay_ms").is_visible()
    found = axe.Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["target"]) for each in serious] == []


def test_on_a_phone_the_charts_stay_in_view_while_a_slider_moves(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened_settings(page)
    page.locator("#bn-delay_ms").scroll_into_view_if_needed()
    page.locator("#bn-delay_ms").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(RESTED)
    page.screenshot(path=tmp_path / "phone.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    chart = page.locator("canvas[data-chart=window]").bounding_box()
    assert chart["y"] < 600
