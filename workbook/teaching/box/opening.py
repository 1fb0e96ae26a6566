"""What a notebook says of itself in its first cell: its title, what it is about, and what one can do afterwards."""

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

GOALS: Final = re.compile(
    r"\*\*(?:Aims\.\*\* )?(?P<lead>After[^*\n]*|You will see)(?:\*\*)?\n\n(?P<goals>(?:- .*\n?|  .*\n?)+)"
)
BULLET: Final = re.compile(r"^- ", re.MULTILINE)


class Cell(NamedTuple):
    """A cell of a notebook."""

    is_code: bool
    source: str


class Opening(NamedTuple):
    """The first words of a chapter or of a lab sheet."""

    title: str
    about: str
    lead: str  # to the goals
    goals: list[str]
    rest: str  # the prediction, or how to work


def cells_of(notebook: Path) -> list[Cell]:
    """The cells of one of our own notebooks."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return [Cell(cell["cell_type"] == "code", "".join(cell["source"])) for cell in cells]


def opening_of(notebook: Path) -> Opening:
    """The first cell, taken apart."""
    title, _, text = cells_of(notebook)[0].source.partition("\n")
    match = GOALS.search(text)
    if match is None:
        return Opening(title.lstrip("# "), text.strip(), "", [], "")
    goals = [" ".join(goal.split()) for goal in BULLET.split(match["goals"]) if goal.strip()]
    return Opening(title.lstrip("# "), text[: match.start()].strip(), match["lead"], goals, text[match.end() :].strip())
