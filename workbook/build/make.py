"""How one chapter is made: its notebook executed, its figures put in the place of the old ones."""

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbook.build.fingerprint import inputs, is_same, write_manifest
from workbook.build.machine import MACHINE, write_machine
from workbook.build.notebook import NotebookError, OnCell, execute
from workbook.chapters.chapter import Chapter
from workbook.paths import Places

if TYPE_CHECKING:
    from workbook.build.kernel import WaitingKernel

PARAMETERS: Final = ("params_file", "engine", "output")
"""What every notebook is given."""


def make(chapter: Chapter, places: Places, on_cell: OnCell, waiting: "WaitingKernel | None" = None) -> str:
    """Make a chapter, in the workbook's root, and say what was made.

    The figures are drawn beside the old ones and replace them, as a whole, only when the notebook has run to its
    end. Raises NotebookError, and OSError if something can't be written. Changes the process's directory.
    """
    os.chdir(places.root)
    here, start = Places(Path()), time.monotonic()  # relative paths: what is written doesn't depend on the machine
    fingerprint = inputs(chapter, here)
    partial, drawn = here.partial(chapter.notebook), here.staging(chapter.chapter)
    shutil.rmtree(drawn, ignore_errors=True)
    drawn.mkdir(parents=True)
    given = (str(here.params / f"{chapter.chapter}.yaml"), chapter.engine, str(drawn))
    execute(Path(chapter.notebook), partial, dict(zip(PARAMETERS, given, strict=True)), on_cell, waiting)
    count = write_manifest(drawn, fingerprint)
    if not count:
        raise NotebookError(f"{chapter.notebook} wrote no file to {drawn}, its parameter `output`; see {partial}")
    old = here.figures / chapter.chapter
    if is_same(old, drawn) and (old / MACHINE).is_file():
        shutil.copy(old / MACHINE, drawn)
    else:
        write_machine(drawn, places.root)
    _replace(old, drawn)
    partial.replace(here.executed(chapter.notebook))
    return f"{count} files in {time.monotonic() - start:.1f} s"


def _replace(directory: Path, new: Path) -> None:
    """Move `new` to where `directory` is, with nothing left of what was there."""
    old = new.with_name(f"{new.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    directory.parent.mkdir(parents=True, exist_ok=True)
    if directory.exists():
        shutil.move(directory, old)
    shutil.move(new, directory)
    shutil.rmtree(old, ignore_errors=True)
