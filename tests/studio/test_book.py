"""The book itself: built by jupyter-book, and read in a browser without a network."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.workbook.book.books import executed_workbook
from workbook.book.source import assemble

pytestmark = pytest.mark.browser

pytest.importorskip("jupyter_book", reason="jupyter-book comes with make book")


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("book")
    assemble(executed_workbook(root), root / "labs", root / "source")
    program = Path(sys.executable).with_name("jupyter-book")
    command: list[str | Path] = [
        program, "build", "--warningiserror", "--keep-going", "--path-output", root, root / "source"
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "_build" / "html"


def test_nothing_in_it_is_fetched_from_elsewhere(html: Path) -> None:
    pages = list(html.rglob("*.html"))
    assert len(pages) > 5
    sources = re.compile(r'<(?:script|link|img)[^>]*"(https?:[^"]+)')
    fetched = [found for page in pages for found in sources.findall(page.read_text())]
    assert fetched == []


def test_a_figure_leads_to_its_scenario(html: Path, page: Any) -> None:
    page.goto((html / "pages/two-tcp.html").as_uri())
    page.get_by_role("link", name="Parameters and provenance").first.click()
    assert page.url.endswith("figures-two-tcp.html#two-tcp-baseline-cwnd")
    page.locator("details:has-text('Parameters')").first.click()
    assert page.get_by_text("profile: ns-2.27").first.is_visible()


def test_a_living_figure_turns_in_its_page(html: Path, page: Any) -> None:
    page.goto((html / "pages/two-tcp.html").as_uri())
    frame = page.locator("iframe.bn-living")
    frame.scroll_into_view_if_needed()
    figure = page.frame_locator("iframe.bn-living")
    figure.locator(".bn-explore[data-drawn]").wait_for()
    before = figure.locator("tr[data-row=Sent]").inner_text()
    figure.locator("#bn-buffer_packets").focus()
    page.keyboard.press("Home")
    assert figure.locator("tr[data-row=Sent]").inner_text() != before
    assert len(list(html.glob("living/shared-*.js"))) == len(list(html.glob("living/*.html"))) == 1


def test_search_finds_words_without_a_network(html: Path, page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((html / "search.html").as_uri() + "?q=inconsistent")
    page.locator("#search-results a", has_text="Claims: Two TCP flows").first.wait_for()
    assert all(url.startswith(("file:", "data:")) for url in asked)


@pytest.mark.parametrize("width", [1400, 420])
def test_a_page_fits_wide_and_narrow_screens(html: Path, page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for name in ("index", "pages/two-tcp", "pages/figures-two-tcp", "pages/scorecard"):
        page.goto((html / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
