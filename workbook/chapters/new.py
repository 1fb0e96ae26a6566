"""A chapter of one's own: the files of a small, complete example under a new name."""

import re
from datetime import date
from importlib import resources
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Final

from workbook.chapters.chapter import ChapterError
from workbook.ledger.results import as_name
from workbook.paths import Places

LAST: Final = 99  # of chapters' numbers
LONGEST: Final = 40  # characters of a name, which becomes a part of file names and of every claim's id
FORM: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def create(name: str, places: Places, number: int | None = None) -> list[Path]:
    """Write the parameters, the claims, the notebook and the bibliography's entry of a new chapter; overwrite nothing.

    The notebook has the number, or without one the next after the last. Returns the files. Raises ChapterError, one
    line, for a name or a number that can't be one or is taken, and OSError; then nothing is left behind.
    """
    prefix = _next_number(places) if number is None else _free_number(number, places)
    files = {
        places.params / f"{name}.yaml": "params.yaml",
        places.claims / f"{name}.yaml": "claims.yaml",
        places.notebooks / f"{prefix}-{name}.ipynb": "notebook.ipynb",
        places.claims / "sources" / f"{name}.bib": "reference.bib",
    }
    _check(name, list(files), places)
    words = {
        "name": name, "identifier": as_name(name), "title": name.replace("-", " ").capitalize(), "number": prefix,
        "year": str(date.today().year),
    }  # fmt: skip
    written: list[Path] = []
    try:
        for path, template in files.items():
            text = resources.files("workbook.chapters").joinpath("template", template).read_text("utf-8")
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(Template(text).substitute(words))
    except OSError:
        for path in written:
            path.unlink()
        raise
    return written


def _check(name: str, files: list[Path], places: Places) -> None:
    if not FORM.fullmatch(name) or len(name) > LONGEST or iskeyword(as_name(name)):
        allowed = f"small letters and digits, with single hyphens between, at most {LONGEST}, and no word of Python"
        raise ChapterError(f"NAME: {name!r} is not allowed; must be {allowed}")
    others = [*places.notebooks.glob(f"[0-9][0-9]-{name}.ipynb"), places.figures / name]
    taken = [path for path in (*files, *others) if path.exists()]
    if taken:
        raise ChapterError(f"NAME: {name!r} is taken: {taken[0].relative_to(places.root)} is there; choose another")


def _next_number(places: Places) -> str:
    """Two digits; the notebooks of chapters begin with them, in their order."""
    last = max(_taken(places), default=0)
    if last >= LAST:
        raise ChapterError(f"no number is left: the last chapter has {LAST}; choose a free one with --number")
    return f"{last + 1:02d}"


def _free_number(number: int, places: Places) -> str:
    taken = _taken(places)
    if number not in range(1, LAST + 1) or number in taken:
        allowed = f"1 to {LAST}, and none of {', '.join(map(str, sorted(taken)))}, which are there"
        raise ChapterError(f"--number: {number} is not allowed; must be {allowed}")
    return f"{number:02d}"


def _taken(places: Places) -> set[int]:
    return {int(path.name[:2]) for path in places.notebooks.glob("[0-9][0-9]-*.ipynb")}
