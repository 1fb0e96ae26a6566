"""A browser for the tests of a file, and a page of it for each test."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.browser import PATIENCE_MS

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, which takes two seconds of CPU to start; skips the tests where there is none.

    It ends with the file: other files' tests may need an event loop, which playwright occupies.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright comes with the studio's packages")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=flags)
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page with settings and storage of its own."""
    context = browser.new_context(viewport={"width": 1500, "height": 1250})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    context.close()
