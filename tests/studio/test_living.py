"""A living figure in a notebook that was converted to HTML: it turns, without a network and without Python."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from simcore import TOTALS, simulate
from simcore.rules.congestion.registry import CONTROLS, register
from simcore.rules.tcp.sender import TcpState
from tests.studio.browser import RESTED
from tests.workbook.site.test_figures import FIGURES, FOUND, MISSED, measured
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO
from workbook.site.figures import many
from workbook.site.living import living, turned
from workbook.site.marks import marks_of
from workbook.teaching import variant_of

pytestmark = pytest.mark.browser

nbconvert = pytest.importorskip("nbconvert", reason="comes with JupyterLab")


@pytest.fixture
def page(page: Any) -> Iterator[Any]:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.context.set_offline(True)
    yield page
    assert [text for text in problems if "require" not in text] == []  # the template asks for scripts of its own


def converted(figure: Any, folder: Path) -> str:
    """The address of a notebook with this figure, as HTML."""
    shown = nbformat.v4.new_output("execute_result", {"text/html": figure._repr_html_()}, execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("living(...)", outputs=[shown])])
    text, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (folder / "notebook.html").write_text(text, "utf-8")
    return (folder / "notebook.html").as_uri()


def test_whoever_finds_the_sources_setting_hits_all_marks(page: Any, tmp_path: Path) -> None:
    page.goto(converted(living("tcp-udp", "baseline", ["buffer", "rate"]), tmp_path))
    figure = page.frame_locator("iframe.bn-living")
    marks = figure.locator("#bn-marks")
    figure.locator(".bn-explore[data-drawn]").wait_for()
    assert marks.get_attribute("data-hit") == "false"
    for mark in marks_of("tcp-udp", "baseline"):
        assert f"flow {mark.flow} {mark.row.lower()} {mark.said} packets" in marks.inner_text()
    link = Chapter.load(REPO.params / "tcp-udp.yaml").scenario("baseline").bottleneck
    for name, value in (("buffer_packets", link.model_dump()["buffer_packets"]), ("rate_mbps", link.rate_mbps)):
        slider = figure.locator(f"#bn-{name}")
        slider.focus()
        for _ in range(100):
            if slider.get_attribute("aria-valuetext").split()[0] == f"{value:g}":
                break
            page.keyboard.press("ArrowLeft")
    figure.locator(RESTED).wait_for()
    assert marks.get_attribute("data-hit") == "true"
    assert "every one of the source's numbers" in marks.inner_text()
    page.screenshot(path=tmp_path / "living.png")


def test_packets_that_a_case_loses_on_purpose_are_lost_in_its_figure(page: Any, tmp_path: Path) -> None:
    page.goto(converted(living("fall-floyd", "reno-2", ["delay"]), tmp_path))
    title = page.frame_locator("iframe.bn-living").locator(".bn-title")
    assert title.inner_text().startswith("packet 15 of flow 1 lost; packet 29 of flow 1 lost; 0.8 Mb/s, 100 ms")


@pytest.mark.parametrize("name", FIGURES)
def test_chapters_whose_runs_are_too_large_have_a_figure_with_a_mark(name: str, page: Any, tmp_path: Path) -> None:
    figure = FIGURES[name]()
    (tmp_path / "figure.html").write_text(figure.html, "utf-8")
    page.goto((tmp_path / "figure.html").as_uri())
    marks = page.locator("#bn-marks")
    page.locator(".bn-explore[data-drawn]").wait_for()
    assert marks.get_attribute("data-hit") == "false"
    for said, hit in ((FOUND[name], "true"), (MISSED[name], "false"), (FOUND[name], "true")):
        for control, value in said.items():
            position = list(figure.families[0].controls[control].values).index(value)
            page.locator(f"#bn-{control}").fill(str(position))
        page.wait_for_selector(RESTED)
        assert marks.get_attribute("data-hit") == hit
        if hit == "false":
            now = float(marks.inner_text().split("; now ")[1].split()[0])
            assert now == pytest.approx(measured(name, said), abs=0.05)  # three digits are shown
    page.screenshot(path=tmp_path / f"{name}.png")


def test_many_flows_are_chosen_in_their_figure(page: Any, tmp_path: Path) -> None:
    (tmp_path / "figure.html").write_text(many().html, "utf-8")
    page.goto((tmp_path / "figure.html").as_uri())
    page.locator(".bn-explore[data-drawn]").wait_for()
    page.get_by_label("Flows").select_option("20")
    assert page.locator(".bn-table th").count() > 20
    page.locator("#bn-buffer_packets").fill("13")  # the position of 14 packets
    page.wait_for_selector(RESTED)
    now = float(page.locator("#bn-marks").inner_text().split("; now ")[1])
    assert now == pytest.approx(measured("many", {"buffer_packets": 14}, family=3), abs=0.05)


def grows_by_one(tcp: TcpState, own: object, now: float) -> None:
    tcp.cwnd += 1.0 / tcp.cwnd


def grows_by_three(tcp: TcpState, own: object, now: float) -> None:
    tcp.cwnd += 3.0 / tcp.cwnd


@pytest.fixture
def unregistered() -> Iterator[None]:
    yield
    CONTROLS.pop("bold", None)


@pytest.mark.parametrize(("lab", "other"), [("controller", "reno"), ("internet", "cubic")])
@pytest.mark.usefixtures("unregistered")
def test_a_students_own_controller_runs_in_its_figure(lab: str, other: str, page: Any, tmp_path: Path) -> None:
    """By the rules of ns-2 in lab 6, of Linux in lab 7."""
    sent = []
    for rule in (grows_by_one, grows_by_three):  # registered again, it is compiled again
        register("bold", SimpleNamespace(data_acknowledged=rule))
        scenario = variant_of("anna", lab).scenario({"flows.0.variant": "bold", "flows.1.variant": other})
        (tmp_path / "figure.html").write_text(turned(scenario, ["buffer"]).html, "utf-8")
        page.goto((tmp_path / "figure.html").as_uri())
        page.locator(".bn-explore[data-drawn]").wait_for()
        row = page.locator(".bn-table tr", has_text="Sent")
        sent.append([int(cell) for cell in row.locator("td").all_inner_texts()])
        assert sent[-1] == simulate(scenario, "compiled", TOTALS)["sent"].values.tolist()
    assert sent[0] != sent[1]
