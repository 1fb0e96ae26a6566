"""The chapters, executed as `make figures` does, give the very numbers that are committed in figures/."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.inputs import commit_number
from workbook.build.fingerprint import inputs
from workbook.chapters.chapter import Chapter
from workbook.paths import MANIFEST, REPO

NOTEBOOKS = sorted((REPO.root / "notebooks").glob("*.ipynb"))
CHAPTERS = sorted(path.stem for path in REPO.params.glob("*.yaml"))
DRAWN = [path.stem for path in NOTEBOOKS if path.stem[:2] not in ("00", "ex")]  # the chapters
IMPORT = re.compile(r"\s*(import|from) \w")
# Numbers that a chapter's story must tell, as computed by the run itself.
TOLD = {
    "one-flow": [
        "**2385 packets**",
        "**2421.29 KB**",
        "**630 packets**",
        "**1176 packets**",
        "**1148.44 KB**",
        "**18 ms**",
    ],
    "two-tcp": ["**1108**", "**15**", "**1074**", "**20**", "2178.59 KB", "2445.70 KB", "1832.27 KB"],
    "background-traffic": [
        "**4.070**",
        "**62.1** / **32.1** / **1.1** / **4.7**",
        "**1.93**",
        "n = 25",
        "**2.26** standard errors",
        "variance of **0.020**",
        "in **0 %**, also at the fitted delay",
        "**18 times**",
    ],
    "large-fat": [
        "**949.3 Mb/s**",
        "**1170**",
        "**26 and 974 Mb/s**",
        "**0 packets**",
        "**431.0 Mb/s**",
        "delayed ACKs it is 416.8",
        "**607.6**",
        "**977.9**",
        "**80.4**",
        "**266.3 s**",
    ],
    "competing-tahoe": [
        "**62.5 %**",
        "**4.9 %**",
        "**19.7 %**",
        "**2.71 times**",
        "**1.38 times**",
        "**21 of the 33 rounds**",
        "18.5 % of the runs",
        "two senders' utilisation, in % (50.6, 88.7)",
    ],
    "fall-floyd": ["**221**", "**3.00**", "sends **4** for nothing"],
    "tcp-udp": ["**1158**", "**1176**", "1150.74 KB", "92.46 KB", "**678**"],
}


def outputs(notebook: Path) -> str:
    """All that the cells of an executed notebook show as text."""
    shown = [output for cell in _cells(notebook) for output in cell.get("outputs", [])]
    return "\n".join(
        "".join(text) for output in shown for kind, text in output.get("data", {}).items() if kind != "image/png"
    )


def _cells(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text())["cells"]
    return cells


Execute = Callable[[str, Path, Path], None]  # (chapter, executed notebook, output folder)


@pytest.fixture(scope="module")
def execute(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Execute]:
    """Executes chapters where JupyterLab runs them: see tests.workbook.build.executed."""
    said = tmp_path_factory.mktemp("executed") / "stderr.txt"
    command, environment = ["-m", "tests.workbook.build.executed"], os.environ | {"PYTHONPATH": str(REPO.root)}
    with said.open("w") as stderr, subprocess.Popen(
        [sys.executable, *command], cwd=REPO.root / "notebooks", env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
    ) as process:  # fmt: skip
        stdin, stdout = process.stdin, process.stdout
        assert stdin
        assert stdout

        def run(name: str, executed: Path, output: Path) -> None:
            print(json.dumps([name, str(executed), str(output)]), file=stdin, flush=True)
            assert stdout.readline() == "0\n", said.read_text()

        yield run
        stdin.close()


def is_made_from_what_is_here(name: str) -> bool:
    """Whether the committed manifest of a chapter names the inputs that it would be made from now."""
    manifest = json.loads((REPO.figures / name / MANIFEST).read_text("utf-8"))
    return bool(manifest["inputs"] == inputs(Chapter.load(REPO.params / f"{name}.yaml"), REPO))


def by_turns() -> Iterator[Any]:
    """Every chapter: for `make test-all` alone, but for one that changed, and another one with each commit."""
    turn = CHAPTERS[commit_number() % len(CHAPTERS)]
    for name in CHAPTERS:
        is_due = name == turn or not is_made_from_what_is_here(name)
        yield pytest.param(name, marks=[] if is_due else pytest.mark.exhaustive)


@pytest.mark.parametrize("name", [*by_turns()])
def test_a_chapter_made_again_gives_the_committed_numbers(name: str, tmp_path: Path, execute: Execute) -> None:
    executed = tmp_path / "executed.ipynb"
    execute(name, executed, tmp_path / "out")
    written = {path.relative_to(tmp_path / "out"): path.read_text() for path in (tmp_path / "out").rglob("*.json")}
    committed = {
        path.relative_to(REPO.figures / name): path.read_text() for path in (REPO.figures / name).glob("*/*.json")
    }
    assert set(written) == set(committed)
    for place in written:
        if place.name == "statistics.json":
            assert written[place] == committed[place], f"{name}/{place}"
    story = outputs(executed)
    assert [number for number in TOLD.get(name, []) if number not in story] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_thin_and_committed_without_outputs(path: Path) -> None:
    code = [cell for cell in _cells(path) if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    sources = ["".join(cell["source"]) for cell in code]
    assert max(source.count("\n") + 1 for source in sources) <= 12
    assert not any(line.startswith(("def ", "class ")) for source in sources for line in source.splitlines())


@pytest.mark.parametrize("path", [REPO.root / "notebooks" / f"{name}.ipynb" for name in DRAWN], ids=DRAWN)
def test_a_chapter_draws_in_its_cells_and_displays_no_stored_picture(path: Path) -> None:
    source = "\n".join("".join(cell["source"]) for cell in _cells(path) if cell["cell_type"] == "code")
    assert "study.run()" in source
    assert "study.save(" in source
    assert "Image(" not in source
    assert ".show(" not in source


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_uses_seaborn_and_scipy(name: str) -> None:
    """In its cells, or in the functions of its own that they call."""
    notebook = REPO.root / Chapter.load(REPO.params / f"{name}.yaml").notebook
    cells = "\n".join("".join(cell["source"]) for cell in _cells(notebook) if cell["cell_type"] == "code")
    own = REPO.root / "workbook" / "chapters" / name.replace("-", "_")
    texts = [cells, *(path.read_text("utf-8") for path in own.glob("*.py"))]
    imported = {line.split()[1].partition(".")[0] for text in texts for line in text.splitlines() if IMPORT.match(line)}
    assert {"seaborn", "scipy"} - imported == set()


def test_every_notebook_belongs_to_a_chapter_or_leads_to_them() -> None:
    chapters = {Chapter.load(REPO.params / f"{name}.yaml").notebook for name in CHAPTERS}
    assert chapters | {"notebooks/00-start-here.ipynb", "notebooks/explore.ipynb"} == {
        f"notebooks/{path.name}" for path in NOTEBOOKS
    }


def test_the_figures_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in REPO.figures.rglob("*") if path.is_file()) < 15_000_000
