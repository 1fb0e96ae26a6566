"""Hypothesis is deterministic here: the same examples in every run, and no example fails for being slow."""

import pytest
from hypothesis import settings

settings.register_profile("workbook", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("workbook")

# Browsers, whole notebooks, the recipes, the engines beside each other: minutes of all tests' time.
LONG = (
    "tests/workbook/build/test_notebooks.py",
    "tests/studio",
    "tests/test_contributing.py",
    "tests/test_engines.py",
    "tests/simcore/rounds/test_over_seeds.py",
    "tests/workbook/build",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: at the end no worker is left alone with it."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
