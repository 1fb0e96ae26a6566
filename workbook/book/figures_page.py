"""The page of a chapter's figures: every case with its scenario, every picture with its caption."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import yaml

from workbook.book.claim_links import decided
from workbook.book.pictures import Picture, pictures_of
from workbook.build.machine import MACHINE
from workbook.chapters.chapter import Chapter
from workbook.ledger.judgment import Judgment
from workbook.paths import Places

Decides = Mapping[Path, Sequence[Judgment]]
"""By figure, or by the numbers of a case, the claims that it decides."""


def write_figures(chapter: Chapter, places: Places, decides: Decides, page: Path, files: Path) -> None:
    """Write the page, and copy what it shows and links to into `files`."""
    lines = [f"# Figures: {chapter.title}", ""]
    for case, pictures in groupby(pictures_of(chapter, places), key=lambda picture: picture.case):
        lines += _case(case, list(pictures), decides, files / chapter.chapter / case)
    page.write_text("\n".join(lines) + "\n", "utf-8")


def _case(case: str, pictures: Sequence[Picture], decides: Decides, folder: Path) -> Iterator[str]:
    """A heading, the scenario to unfold, what can be downloaded, and the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    provenance = pictures[0].provenance
    yield f"({pictures[0].chapter}-{case})=".lower()
    yield from (f"## {provenance.get('title', case.replace('-', ' ').capitalize())}", "")
    if "scenario" in provenance:
        yield from ("````{dropdown} Parameters", "```yaml", yaml.safe_dump(provenance["scenario"], sort_keys=False))
        yield from ("```", "````", "")
        made = json.loads((pictures[0].path.parents[1] / MACHINE).read_text("utf-8"))
        yield f"Engine `{provenance['engine']}`; made with {_listed(made['versions'])} on {made['processor']}."
    yield from (f"{_downloads(pictures[0].path.parent, folder)}", "")
    yield from decided(decides.get(pictures[0].path.with_name("statistics.json"), []))
    for picture in pictures:
        shutil.copy(picture.path, folder)
        yield from (f"```{{figure}} ../{_relative(folder / picture.path.name)}", f":name: {picture.anchor}")
        yield from (f":alt: {picture.alt}", picture.caption, "```", "")
        yield from decided(decides.get(picture.path, []))


def _downloads(source: Path, folder: Path) -> str:
    """Links to the numbers behind the pictures."""
    links = []
    for name in ("statistics.json", "provenance.json"):
        if (source / name).is_file():
            shutil.copy(source / name, folder)
            links.append(f"{{download}}`{name} <../{_relative(folder / name)}>`")
    return " · ".join(links)


def _relative(path: Path) -> str:
    """From the book's source: files/CHAPTER/CASE/NAME."""
    return "/".join(path.parts[-4:])


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())
