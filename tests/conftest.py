"""Which tests run is told in tests/selection.py; here, in which order."""

import pytest

pytest_plugins = ["tests.selection"]

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
