"""Which figure is this? The pictures that the chapters left in figures/, found again by their bytes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from workbook.chapters.chapter import Chapter
from workbook.paths import Places

DRAWINGS = "*.png"


@dataclass(frozen=True)
class Picture:
    """A figure of a case, and where it came from."""

    chapter: str
    case: str
    stem: str
    path: Path
    provenance: Mapping[str, Any]  # empty for pictures of several cases

    @property
    def caption(self) -> str:
        """What the figure shows."""
        captions: Mapping[str, str] = self.provenance.get("figures", {})
        return captions.get(self.stem, self.stem.replace("-", " "))

    @property
    def alt(self) -> str:
        """What is read aloud instead of the figure, in one line."""
        alts: Mapping[str, str] = self.provenance.get("alt", {})
        return " ".join(alts.get(self.stem, f"{self.case}, {self.stem}").split())

    @property
    def anchor(self) -> str:
        """Its place on the page of its chapter's figures."""
        return f"{self.chapter}-{self.case}-{self.stem}".lower()


def pictures_of(chapter: Chapter, places: Places) -> Iterator[Picture]:
    """The pictures of a chapter: case by case in the chapter's order, then those of several cases."""
    folders = sorted(path.name for path in (places.figures / chapter.chapter).iterdir() if path.is_dir())
    cases = [case for case in chapter.cases if case in folders]
    for name in (*cases, *(name for name in folders if name not in cases)):
        folder = places.figures / chapter.chapter / name
        for path in sorted(folder.glob(DRAWINGS)):
            yield Picture(chapter.chapter, name, path.stem, path, provenance_in(folder))


def provenance_in(folder: Path) -> dict[str, object]:
    """What `provenance.json` says in a case's folder, if there is one."""
    file = folder / "provenance.json"
    content: dict[str, object] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return content


def by_bytes(chapter: Chapter, places: Places) -> dict[str, Picture]:
    """The pictures of a chapter by the hash of their bytes."""
    return {sha256(picture.path.read_bytes()).hexdigest(): picture for picture in pictures_of(chapter, places)}
