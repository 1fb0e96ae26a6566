"""The bibliography: the documents that the chapters reproduce, an entry of BibTeX each in claims/sources/."""

import shutil
from pathlib import Path
from typing import Final

NAME: Final = "bibliography"
PAGE: Final = "# Bibliography\n\n```{bibliography}\n:all:\n```\n"


def write_bibliography(sources: Path, pages: Path, files: Path) -> list[Path]:
    """Write the page, and copies of the entries into `files`; return those, as the book's settings name them."""
    (pages / f"{NAME}.md").write_text(PAGE, "utf-8")
    return [Path(shutil.copy(entry, files)).relative_to(files.parent) for entry in sorted(sources.glob("*.bib"))]
