"""What notebooks/00-start-here.ipynb lists: the notebooks that there are, each with its first words."""

import json
import re
from pathlib import Path

from workbook.ledger import scorecard
from workbook.paths import REPO


def chapters(folder: str) -> str:
    """The chapters as a Markdown table: a link, and the first sentence."""
    found = sorted((REPO.root / folder).glob("[0-9][0-9]-*.ipynb"))
    return _table("chapter", [path for path in found if not path.name.startswith("00-")], REPO.root / folder)


def labs(folder: str) -> str:
    """The lab sheets, likewise; a sentence if there are none."""
    found = sorted((REPO.root / folder / "labs").glob("*.ipynb"))
    return _table("lab sheet", found, REPO.root / folder) if found else "There are none in this copy."


def verdicts() -> str:
    """What the sources say, and whether it came out: the README's table, computed now."""
    return scorecard().to_markdown()


def _table(head: str, notebooks: list[Path], folder: Path) -> str:
    rows = []
    for path in notebooks:
        title, sentence = _first_words(path)
        rows.append(f"| [{title}]({path.relative_to(folder).as_posix()}) | {sentence} |")
    return "\n".join([f"| {head} | |", "|---|---|", *rows])


def _first_words(notebook: Path) -> tuple[str, str]:
    """The title of a notebook, and the first sentence below it."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    title, _, rest = text.partition("\n")
    return title.lstrip("# "), re.split(r"(?<=[.?!])\s", " ".join(rest.split()), maxsplit=1)[0]
