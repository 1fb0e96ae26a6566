"""A browser for the tests of a file, and a page of it for each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.browser import browsing, tab_of


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Started once: other files' tests may need an event loop, which playwright occupies."""
    with browsing() as started:
        yield started


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with tab_of(browser) as opened:
        yield opened
