"""Lab sheets, played without Jupyter: the cells of a notebook, run one after the other in one process."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

import simcore
from simcore import Scenario, scenario_from
from simcore.rules.congestion.registry import CONTROLS
from workbook import teaching
from workbook.paths import REPO
from workbook.teaching import internet, trials

SHEETS = sorted(path.stem for path in REPO.labs.glob("*.ipynb"))
OWN_VARIANTS = {"bold", "fair", "own"}  # what labs 6 and 7 register under these names differs among students
NOT_DONE = "# YOUR CODE HERE\nraise NotImplementedError()"  # what nbgrader puts in place of a solution
SOLUTION = re.compile(r"### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL)
SIMULATE = simcore.simulate


class Cell(NamedTuple):
    """A code cell; `name` is nbgrader's grade_id, `points` are above zero if it is graded."""

    source: str
    name: str
    points: float
    is_answer: bool


class Played(NamedTuple):
    """A sheet that was run: the points of the graded cells that failed, and the names that the cells left behind."""

    lost: dict[str, float]
    names: dict[str, Any]


def sheet(name: str) -> list[Cell]:
    """The code cells of a lab sheet, with the instructor's solutions, in order."""
    cells = json.loads((REPO.labs / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return [_cell(cell) for cell in cells if cell["cell_type"] == "code"]


def _cell(cell: Mapping[str, Any]) -> Cell:
    about = cell["metadata"].get("nbgrader", {})
    name, points = about.get("grade_id", cell["id"]), about.get("points", 0)
    return Cell("".join(cell["source"]), name, points, about.get("solution", False))


def untouched(cells: list[Cell]) -> list[Cell]:
    """The sheet as students get it, but with the hidden tests."""
    return [cell._replace(source=SOLUTION.sub(NOT_DONE, cell.source)) for cell in cells]


def answered(cells: list[Cell], name: str, answer: str) -> list[Cell]:
    """The sheet with another answer in one cell."""
    assert [cell.name for cell in cells if cell.is_answer].count(name) == 1
    return [cell._replace(source=answer) if cell.name == name else cell for cell in cells]


def points(cells: list[Cell]) -> dict[str, float]:
    """What the graded cells are worth."""
    return {cell.name: cell.points for cell in cells if cell.points}


def play(cells: list[Cell], student: str) -> Played:
    """Run all cells as Jupyter would, whatever happens in them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    lost, controls = {}, dict(CONTROLS)
    _for_one.cache_clear()
    for cell in cells:
        source = cell.source.replace('STUDENT = ""', f"STUDENT = {student!r}")
        try:
            exec(compile(source, cell.name, "exec"), names)
        except Exception:
            if cell.points:
                lost[cell.name] = cell.points
    CONTROLS.clear()  # a sheet may have entered a student's own
    CONTROLS.update(controls)
    return Played(lost, names)


def _simulated(scenario: str, engine: str, **options: Any) -> Any:
    return SIMULATE(scenario_from(json.loads(scenario)), engine, **options)


_for_all = lru_cache(maxsize=256)(_simulated)
_for_one = lru_cache(maxsize=64)(_simulated)


def _fast(scenario: Scenario, engine: str = "process", **options: Any) -> Any:
    """On the compiled engine, which gives the same; a student's own rules would have to be compiled for each."""
    own = {getattr(flow, "variant", "") for flow in scenario.flows} & OWN_VARIANTS
    if own:
        return _for_one(json.dumps(scenario.to_mapping()), engine, **options)
    return _for_all(json.dumps(scenario.to_mapping()), "compiled", **options)


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures, and no run twice, however many cells and students ask for it."""
    monkeypatch.setattr(simcore, "simulate", _fast)
    monkeypatch.setattr(trials, "simulate", _fast)
    for picture in ("show", "curves"):
        monkeypatch.setattr(teaching, picture, lambda *_, **__: None)
    monkeypatch.setattr(internet, "live", lambda scenario: None)  # twelve seconds of real time
