"""A reader of chapter 2 changes one number in the cell of a figure, runs it again, and gets another figure."""

import json
from pathlib import Path
from typing import Any

import pytest

from workbook.build.notebook import execute
from workbook.paths import REPO

NEEDED = ("import numpy", "study = Study(", "base = runs[", "phase_plane(base, start_s=0.1)")
WAS, IS = "start_s=0.1", "start_s=4.0"


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_a_number_changed_in_a_figures_cell_changes_the_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO.root / "notebooks")  # where JupyterLab runs it
    for variable in ("IPYTHONDIR", "MATPLOTLIBRC"):  # which executing sets
        monkeypatch.setenv(variable, "")
    notebook = json.loads((REPO.root / "notebooks" / "02-two-tcp.ipynb").read_text("utf-8"))
    chosen = [cell for cell in notebook["cells"] if cell["metadata"].get("tags")]
    chosen += [cell for cell in notebook["cells"] if any(text in source(cell) for text in NEEDED)]
    figure = chosen[-1]
    again = figure | {"id": "changed"}
    changed = figure | {"id": "other", "source": [source(figure).replace(WAS, IS)]}
    shorter = tmp_path / "two-tcp.ipynb"
    shorter.write_text(json.dumps(notebook | {"cells": [*chosen, again, changed]}), "utf-8")
    given = {"params_file": "params/two-tcp.yaml", "engine": "compiled", "output": str(tmp_path / "out")}
    execute(shorter, tmp_path / "executed.ipynb", given, lambda number, count: None)
    cells = json.loads((tmp_path / "executed.ipynb").read_text("utf-8"))["cells"]
    first, same, other = (cell["outputs"][0]["data"]["image/png"] for cell in cells[-3:])
    assert first == same
    assert first != other
