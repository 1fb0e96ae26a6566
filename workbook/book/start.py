"""The map of everything, notebooks/00-start-here.ipynb: its lists of chapters and labs (see `workbook.book.front`)."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from workbook.ledger import scorecard
from workbook.paths import REPO

MAP = REPO.notebooks / "00-start-here.ipynb"
CHAPTERS, LABS = "chapters", "labs"  # the ids of the two cells with lists


def lists(notebooks: Path) -> dict[str, str]:
    """The text of the two cells: every chapter and every lab sheet in a folder, with its first words."""
    chapters = [path for path in sorted(notebooks.glob("[0-9][0-9]-*.ipynb")) if path.name != MAP.name]
    labs = sorted(notebooks.glob("labs/*.ipynb"))
    return {
        CHAPTERS: "\n".join(["## The chapters", "", *_lines(chapters, notebooks)]),
        LABS: "\n".join(["## The labs", "", *(_lines(labs, notebooks) or ["There are none in this copy."])]),
    }


def verdicts(sources: Sequence[str]) -> str:
    """What the named sources (none: all) say, and whether it came out: as in the README, computed now."""
    return scorecard(list(sources) or None).to_markdown()


def renew(notebook: Path) -> None:
    """Write the lists of the notebooks beside it into the map."""
    content = json.loads(notebook.read_text("utf-8"))
    listed = lists(notebook.parent)
    for cell in content["cells"]:
        if cell["id"] in listed:
            cell["source"] = listed[cell["id"]].splitlines(keepends=True)
    notebook.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _lines(notebooks: Sequence[Path], folder: Path) -> list[str]:
    return [f"- [{title}]({path.relative_to(folder).as_posix()}): {sentence}"
            for path, (title, sentence) in ((path, _first_words(path)) for path in notebooks)]  # fmt: skip


def _first_words(notebook: Path) -> tuple[str, str]:
    """The title of a notebook, and the first sentence below it."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    title, _, rest = text.partition("\n")
    return title.lstrip("# "), re.split(r"(?<=[.?!])\s", " ".join(rest.split()), maxsplit=1)[0]
