"""Living figures as pages of their own, which share one script: in notebooks each is complete in itself."""

import re
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, Final

EXTRA: Final = "extra"  # what lies in it is copied beside the book's pages as it is
FOLDER: Final = "living"
FRAME: Final = re.compile(r'(<iframe class="bn-living"[^>]*) srcdoc="([^"]*)"')
SHARED: Final = re.compile(r'<script id="bn-shared">(.*?)</script>', re.DOTALL)


def write_living(cell: Any, chapter: str, book: Path) -> None:
    """Write the living figures that a cell shows into the book's source, and let the cell show those pages."""
    page = f"{chapter}-{cell.id}.html"
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = FRAME.sub(lambda frame: _framed(frame, page, book), "".join(data["text/html"]))


def _framed(frame: re.Match[str], name: str, book: Path) -> str:
    """The same frame around a page that lies beside the others."""
    folder = book / EXTRA / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    page = SHARED.sub(lambda script: f'<script src="{_shared(script[1], folder)}"></script>', unescape(frame[2]))
    (folder / name).write_text(page, "utf-8")
    return f'{frame[1]} loading="lazy" src="../{FOLDER}/{name}"'


def _shared(script: str, folder: Path) -> str:
    """The file that has this script, named by what is in it."""
    name = f"shared-{sha256(script.encode()).hexdigest()[:12]}.js"
    (folder / name).write_text(script, "utf-8")
    return name
