"""The chapter's laboratory, and its golden tables."""

import csv
from typing import Any

import pytest

from tests.goldens import GOLDEN
from workbook.chapters.chapter import Chapter
from workbook.chapters.large_fat.lab import Lab
from workbook.paths import REPO


@pytest.fixture(scope="session")
def lab() -> Lab:
    return Lab(Chapter.load(REPO.params / "large-fat.yaml"), "compiled")


def rows(name: str) -> list[dict[str, Any]]:
    """A table of tests/golden/large-fat."""
    with (GOLDEN / "large-fat" / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))
