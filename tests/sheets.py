"""Lab sheets, played without Jupyter: the cells of a notebook, run one after the other in one process."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import simcore
from simcore import Scenario, scenario_from
from simcore.rules.variants import VARIANTS
from workbook import teaching
from workbook.paths import REPO

FOLDER = REPO.root / "notebooks/labs"
SHEETS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
OWN_VARIANTS = {"bold", "fair"}  # what lab 6 registers under these names differs from student to student
NOT_DONE = "# YOUR CODE HERE\nraise NotImplementedError()"  # what nbgrader puts in place of a solution
SOLUTION = re.compile(r"### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL)


class Cell(NamedTuple):
    """A code cell; `name` is nbgrader's grade_id, `points` are above zero if it is graded."""

    source: str
    name: str
    points: float
    is_answer: bool


def code_cells(path: Path) -> list[Cell]:
    """The code cells of a notebook, in order."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [_cell(cell) for cell in cells if cell["cell_type"] == "code"]


def _cell(cell: Mapping[str, Any]) -> Cell:
    about = cell["metadata"].get("nbgrader", {})
    name, points = about.get("grade_id", cell["id"]), about.get("points", 0)
    return Cell("".join(cell["source"]), name, points, about.get("solution", False))


def sheet(name: str) -> list[Cell]:
    """The source of a lab sheet, with the instructor's solutions."""
    return code_cells(FOLDER / f"{name}.ipynb")


def untouched(cells: list[Cell]) -> list[Cell]:
    """The sheet as students get it, but with the hidden tests."""
    return [cell._replace(source=SOLUTION.sub(NOT_DONE, cell.source)) for cell in cells]


def answered(cells: list[Cell], name: str, answer: str) -> list[Cell]:
    """The sheet with another answer in one cell."""
    assert [cell.name for cell in cells if cell.is_answer].count(name) == 1
    return [cell._replace(source=answer) if cell.name == name else cell for cell in cells]


def lost(cells: list[Cell], student: str) -> dict[str, float]:
    """Run all cells, whatever happens in them; the points of each graded cell that failed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    missed, variants = {}, dict(VARIANTS)
    for cell in cells:
        source = cell.source.replace('STUDENT = ""', f"STUDENT = {student!r}")
        try:
            exec(compile(source, cell.name, "exec"), names)
        except Exception:
            if cell.points:
                missed[cell.name] = cell.points
    VARIANTS.clear()  # a sheet may have entered a student's own
    VARIANTS.update(variants)
    return missed


def play_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures, and no run twice, however many cells and students ask for it."""
    run = simcore.simulate

    @cache
    def remembered(scenario: str, **options: Any) -> Any:
        return run(scenario_from(json.loads(scenario)), **options)

    def fast(scenario: Scenario, **options: Any) -> Any:
        if {getattr(flow, "variant", "") for flow in scenario.flows} & OWN_VARIANTS:
            return run(scenario, **options)
        return remembered(json.dumps(scenario.to_mapping()), **options)

    monkeypatch.setattr(simcore, "simulate", fast)
    for picture in ("show", "curves"):
        monkeypatch.setattr(teaching, picture, lambda *_, **__: None)
