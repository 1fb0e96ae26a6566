"""What the chapter left behind in figures/, which test_notebooks.py makes again."""

import json
from typing import Any

from workbook.chapters.chapter import Chapter
from workbook.chapters.competing_tahoe.settings import settings_of
from workbook.paths import REPO

CHAPTER = Chapter.load(REPO.params / "competing-tahoe.yaml")
SETTINGS = settings_of(CHAPTER)


def committed(folder: str) -> dict[str, Any]:
    """The numbers of a case, or of a folder beside the cases'."""
    found: dict[str, object] = json.loads((REPO.figures / "competing-tahoe" / folder / "statistics.json").read_text())
    return found
