"""The explorer in JupyterLab in a real browser: a slider is moved, and all that is shown follows.

The latencies are printed (`pytest -s`); the screenshots stay in the test's folder, to be looked at.
"""

from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
import xarray as xr

from simcore import load_scenario, metrics, scenario_from, simulate
from tests.studio.browser import CUT_OFF, DRAWN_AT, SETTLED_MS, TABLE, WATCH, foreign_requests, steps
from tests.studio.servers import lab
from workbook.chapters.chapter import Chapter
from workbook.explore.asking import is_available
from workbook.explore.futures import with_fate
from workbook.explore.numbers import numbers
from workbook.paths import REPO

pytestmark = pytest.mark.browser("workbook.studio.__main__")

TWO_TCP = Chapter.load(REPO.params / "two-tcp.yaml")
STEPS = 15  # of one packet: from a buffer of 20 to one of 5
TRIES, POLLS = 8, 30  # half a second each
LEFT, RIGHT, TOP, BOTTOM = 54, 22, 24, 20  # of a chart: see workbook/explore/js/chart.js


def table_of(run: xr.Dataset) -> dict[str, list[str]]:
    """What must stand above the charts of a run."""
    return {row.name: [f"{value:.{row.digits}f}" for value in row.values] for row in numbers(run).rows}


def points_of_cwnd(page: Any, run: xr.Dataset, above: float = 0.0) -> list[tuple[float, float]]:
    """Where on its chart the first flow's cwnd must be drawn, in the middle of its steps; or somewhat above."""
    box = page.locator("canvas[data-chart=window]").first.bounding_box()
    own = metrics.window(run, 1)
    highest = max(float(run["update_cwnd"].max()), float(run["update_ssthresh"].max()))
    times = own["time_s"].values
    middles = (times[40:-1:40] + times[41::40]) / 2
    values = own["cwnd"].values[40:-1:40] + above
    across = (box["width"] - LEFT - RIGHT) / metrics.end_s(run)
    down = (box["height"] - TOP - BOTTOM) / (1.06 * highest)
    return [(LEFT + across * x, box["height"] - BOTTOM - down * y) for x, y in zip(middles, values, strict=True)]


def assert_all_follows_a_slider(page: Any, folder: Path) -> None:
    before, after = (simulate(TWO_TCP.scenario(case)) for case in ("baseline", "buffer-5"))
    page.wait_for_selector(".bn-explore[data-drawn]")
    page.wait_for_selector(".bn-status[data-state=ready]")
    page.wait_for_timeout(1000)  # the charts' width settles
    assert page.evaluate(TABLE) == table_of(before)
    assert all(page.evaluate(DRAWN_AT, ["window", points_of_cwnd(page, before)]))
    page.screenshot(path=folder / "before.png")
    page.evaluate(WATCH)
    steps(page, "Buffer", ["ArrowLeft"] * STEPS)
    latencies = page.evaluate("window.latencies")
    page.screenshot(path=folder / "after.png")
    assert page.evaluate(TABLE) == table_of(after)
    assert all(page.evaluate(DRAWN_AT, ["window", points_of_cwnd(page, after)]))
    elsewhere = page.evaluate(DRAWN_AT, ["window", points_of_cwnd(page, after, above=6)])
    assert np.mean(elsewhere) < 0.5  # not none: marks and the other flow are there, too
    print(f"slider to picture: median {median(latencies):.0f} ms, longest {max(latencies):.0f} ms of {len(latencies)}")
    assert len(latencies) == STEPS


def box_of(page: Any, chart: str) -> Any:
    """Where the first chart of a name is, brought into view."""
    canvas = page.locator(f"canvas[data-chart={chart}]").first
    canvas.scroll_into_view_if_needed()
    return canvas.bounding_box()


def assert_a_change_is_explained(page: Any) -> None:
    """Point at the first fast retransmit of the buffer of five packets."""
    run = simulate(TWO_TCP.scenario("buffer-5"))
    box = box_of(page, "window")
    when = float(metrics.times_of(run, 1, "fast_retransmit")[0])
    x = LEFT + (box["width"] - LEFT - RIGHT) / metrics.end_s(run) * when
    page.mouse.move(box["x"] + x, box["y"] + TOP + 40)
    told = page.locator(".bn-tip").inner_text()
    assert told.startswith("Fast retransmit")
    assert "RFC 5681, section 3.2, steps 2 and 3" in told


def assert_the_setting_is_saved(page: Any, folder: Path) -> None:
    with page.expect_download() as download:
        page.get_by_text("Save as YAML").click()
    download.value.save_as(folder / "mine.yaml")
    assert load_scenario(folder / "mine.yaml").bottleneck == TWO_TCP.scenario("buffer-5").bottleneck


def assert_a_dropped_packet_is_spared(page: Any, folder: Path) -> None:
    """Click the last packet that the first flow lost: the run stands beside another, in which it was not."""
    before = TWO_TCP.scenario("buffer-5")
    run = simulate(before)
    own = run["packet_flow"].values == 1
    number = int(np.flatnonzero(run["packet_dropped"].values[own])[-1]) + 1
    box = box_of(page, "sequence")
    when, seq = (float(run[name].values[own][number - 1]) for name in ("packet_enqueued_s", "packet_seq"))
    across = (box["width"] - LEFT - RIGHT) / metrics.end_s(run)
    down = (box["height"] - TOP - BOTTOM) / (1.06 * float(run["packet_seq"].max()))
    page.mouse.click(box["x"] + LEFT + across * when, box["y"] + box["height"] - BOTTOM - down * seq)
    page.get_by_text("Spare this packet").click()
    page.locator(".bn-run").nth(1).wait_for()
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=folder / "futures.png")
    after = simulate(scenario_from(with_fate(before.to_mapping(), 1, number, "spared")))
    assert page.evaluate(TABLE) == table_of(after)  # of the second run: the rows have the same names


def assert_the_kernel_answers(page: Any, folder: Path) -> None:
    """Ask the kernel of this machine, where it can be asked: it says packets and drops, and the panel stays usable."""
    if not is_available():
        return
    page.get_by_role("button", name="Ask the kernel").click()
    page.get_by_role("button", name="Stop asking").wait_for()
    page.get_by_role("button", name="Ask the kernel").wait_for(timeout=60_000)  # a run of 10.5 s in real time
    said = page.locator(".bn-said", has_text="packets arrived")  # once its curves are drawn
    said.wait_for()
    assert said.inner_text().startswith("Linux ")
    page.screenshot(path=folder / "kernel.png", full_page=True)


def assert_a_link_carries_the_setting(page: Any, folder: Path) -> None:
    """The address, in another tab, where the notebook has to run first; and there again after a reload."""
    shown = page.locator(".bn-title").last.inner_text()
    assert " spared; 2 Mb/s, 10 ms, droptail of 5; 2 x reno" in shown
    other = page.context.new_page()
    other.goto(page.url)
    for _ in range(2):
        run_all_cells(other, other.locator(".bn-explore"))
        other.locator(".bn-title", has_text=shown).wait_for()
        other.wait_for_function("location.pathname.endsWith('/explore.ipynb') && location.hash.includes('spared_1=')")
        other.screenshot(path=folder / "link.png")
        other.reload()
    other.close()


def assert_the_address_is_followed(page: Any) -> None:
    """A link of the page, and one that is none."""
    page.evaluate("location.hash = 'flows=2&kind_2=cubic&rate_mbps=1'")
    title = page.locator(".bn-title", has_text="1 Mb/s, 10 ms, droptail of 20; 1 x reno + 1 x cubic; ns-2.27")
    title.wait_for()
    page.evaluate("location.hash = 'flows=2&rate_mbps=x'")
    page.locator(".bn-status", has_text="The link: rate_mbps: x is not allowed; allowed: 0.1 to 10.1 Mb/s").wait_for()
    assert title.count() == 1


def assert_a_phone_shows_five_flows(page: Any, folder: Path) -> None:
    """Without the file browser: numbers, titles and controls fit."""
    kinds = "&".join(f"kind_{flow}=highspeed" for flow in range(1, 6))
    page.evaluate("link => { location.hash = link; }", f"flows=5&{kinds}")
    page.locator(".bn-title", has_text="5 x highspeed").wait_for()
    page.keyboard.press("Control+b")
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function("document.querySelector('.bn-explore').clientWidth < 300")
    page.wait_for_timeout(1000)  # the charts' width settles
    page.locator(".bn-title").last.scroll_into_view_if_needed()
    page.screenshot(path=folder / "phone.png")
    assert page.locator(".bn-run").last.locator("thead th").count() == 5
    assert page.locator(".bn-explore").bounding_box()["width"] > 200
    assert page.evaluate(CUT_OFF, ".bn-title, .bn-table, .bn-panel, .bn-panel > .widget-hbox") == []
    page.locator(".bn-panel").scroll_into_view_if_needed()
    page.screenshot(path=folder / "panel.png")


def test_jupyterlab_opens_on_the_map_which_leads_to_the_explorer(page: Any, tmp_path: Path) -> None:
    with lab(tmp_path) as address:
        elsewhere = foreign_requests(page)
        page.goto(address)
        run_all_cells(page, page.locator(".jp-OutputArea td", has_text="Two TCP flows"))
        page.screenshot(path=tmp_path / "map.png")
        page.get_by_role("link", name="Explore", exact=True).click()
        page.get_by_role("tab", name="explore.ipynb").wait_for()
        run_all_cells(page, page.locator(".bn-explore"))
        page.locator(".bn-explore").scroll_into_view_if_needed()
        assert_all_follows_a_slider(page, tmp_path)
        assert_a_change_is_explained(page)
        assert_the_setting_is_saved(page, tmp_path)
        assert_a_dropped_packet_is_spared(page, tmp_path)
        assert_the_kernel_answers(page, tmp_path)
        assert_a_link_carries_the_setting(page, tmp_path)
        assert_the_address_is_followed(page)
        assert_a_phone_shows_five_flows(page, tmp_path)
        assert elsewhere == []


def run_all_cells(page: Any, shows: Any) -> None:
    """The menu's command, until it has an effect: while JupyterLab connects to a kernel, it has none."""
    for _ in range(TRIES):
        page.get_by_text("(ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        for _ in range(POLLS):
            page.wait_for_timeout(500)
            if shows.count():
                return
    raise AssertionError(f"{shows} was not shown")
