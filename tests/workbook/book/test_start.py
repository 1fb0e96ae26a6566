"""The two notebooks that belong to no chapter: the map of everything, and the explorer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from simcore import simulate
from workbook.book import start
from workbook.build.notebook import execute
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO

NOTEBOOKS = REPO.root / "notebooks"


@pytest.fixture
def executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Execute a notebook with parameters; give all that its cells show, and its widgets' states."""

    def run(name: str, **parameters: Any) -> tuple[str, list[dict[str, Any]]]:
        monkeypatch.chdir(REPO.root)
        for variable in ("IPYTHONDIR", "MATPLOTLIBRC"):  # which executing sets
            monkeypatch.setenv(variable, "")
        execute(NOTEBOOKS / name, tmp_path / name, parameters, lambda number, count: None)
        notebook = json.loads((tmp_path / name).read_text())
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
        told = [text for output in outputs for text in output.get("data", {}).values() if not isinstance(text, dict)]
        widgets = notebook["metadata"].get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {})
        states = [widget["state"] for widget in widgets.get("state", {}).values()]
        return "\n".join("".join(text) for text in told), states

    return run


def test_the_explorer_begins_with_the_case_that_its_parameters_name(executed: Any) -> None:
    told, states = executed("explore.ipynb", chapter="two-tcp", case="buffer-5")
    run = simulate(Chapter.load(REPO.params / "two-tcp.yaml").scenario("buffer-5"))
    [picture] = [state["picture"] for state in states if "picture" in state]
    rows = {row["name"]: row["values"] for row in picture["runs"][0]["rows"]}
    assert rows["Sent"] == [str(int(sent)) for sent in run["sent"].values]
    assert rows["Dropped"] == [str(int(dropped)) for dropped in run["dropped"].values]
    assert f"{float(run['sent'][0]):.2f}" in told


def test_the_map_shows_the_verdicts_as_they_are_now(executed: Any) -> None:
    told, _ = executed("00-start-here.ipynb", sources=["two-tcp"])
    assert start.verdicts(["two-tcp"]) in told
    assert "One TCP flow and One UDP flow" not in told


def test_the_map_lists_all_chapters_and_labs() -> None:
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(start.MAP.read_text())["cells"]}
    listed = start.lists(NOTEBOOKS)
    assert {name: cells[name] for name in listed} == listed, "`workbook figures` writes them"
    chapters = [Chapter.load(path).notebook for path in sorted(REPO.params.glob("*.yaml"))]
    assert [name for name in chapters if f"]({Path(name).name})" not in cells["chapters"]] == []


@pytest.mark.parametrize("name", ["00-start-here.ipynb", "explore.ipynb"])
def test_every_link_leads_somewhere(name: str) -> None:
    text = "".join(line for cell in json.loads((NOTEBOOKS / name).read_text())["cells"] for line in cell["source"])
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    assert [link for link in links if not (NOTEBOOKS / link).exists()] == []


def test_a_new_lab_sheet_comes_onto_the_map_with_its_first_words(tmp_path: Path) -> None:
    cell = {"cell_type": "markdown", "source": ["# The window\n", "\n", "What fits into a pipe? More\n", "text."]}
    (tmp_path / start.MAP.name).write_text(start.MAP.read_text())
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/1-window.ipynb").write_text(json.dumps({"cells": [cell]}))
    start.renew(tmp_path / start.MAP.name)
    [labs] = [cell for cell in json.loads((tmp_path / start.MAP.name).read_text())["cells"] if cell["id"] == "labs"]
    assert "".join(labs["source"]).endswith("- [The window](labs/1-window.ipynb): What fits into a pipe?")
