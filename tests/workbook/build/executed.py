"""Executes chapters' notebooks as `make figures` does, each in a fork of a process that has everything imported.

It reads lines of JSON, [name, executed notebook, output folder], and answers each with the exit status.

The figures that `save_cases` adds to those of the cells are made, and not turned into pixels: there are hundreds, all
by the functions that tests/workbook/plots draws. They would take longer than all else.
"""

import json
import sys
from base64 import b64decode
from multiprocessing import Pipe, get_context
from pathlib import Path
from typing import Final
from unittest.mock import patch

from workbook.build import prepared  # noqa: F401  # what chapters import, once, for the kernel, too
from workbook.build.kernel import WaitingKernel
from workbook.build.notebook import execute
from workbook.chapters.chapter import Chapter
from workbook.chapters.study import Study
from workbook.paths import REPO

# A picture of one pixel
DOT: Final = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")

save_cases = Study.save_cases


def save_numbers(study: Study) -> None:
    """Write what `save_cases` writes, but for its pictures."""
    with patch("workbook.chapters.study.save_png", return_value=DOT):
        save_cases(study)


def execute_chapter(name: str, executed: str, output: str) -> None:
    """Execute the notebook of a chapter in the current directory."""
    chapter = Chapter.load(REPO.params / f"{name}.yaml")
    given = {"params_file": f"params/{name}.yaml", "engine": chapter.engine, "output": output}
    ours, _ = Pipe(duplex=False)
    waiting = WaitingKernel(ours)
    try:
        execute(REPO.root / chapter.notebook, Path(executed), given, lambda number, count: None, waiting)
    finally:
        waiting.dismiss()


if __name__ == "__main__":
    setattr(Study, "save_cases", save_numbers)  # noqa: B010  # in the kernels, too
    for line in sys.stdin:
        process = get_context("fork").Process(target=execute_chapter, args=json.loads(line))
        process.start()
        process.join()
        print(process.exitcode, flush=True)
