"""A small workbook with one chapter that has just been executed, to make a book of."""

import shutil
from base64 import b64encode
from pathlib import Path

import nbformat

from workbook.paths import REPO, Places

CHAPTER = "two-tcp"
NOTEBOOK = "notebooks/02-two-tcp.ipynb"


def executed_workbook(root: Path) -> Places:
    """The chapter's own notebook, in which one cell shows a figure as execution would have left it."""
    places = Places(root)
    for folder in ("claims", "docs", "figures"):
        (root / folder).symlink_to(REPO.root / folder)
    for name in (NOTEBOOK, f"params/{CHAPTER}.yaml"):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(REPO.root / name, root / name)
    notebook = nbformat.read(root / NOTEBOOK, as_version=4)
    picture = b64encode((REPO.figures / CHAPTER / "baseline" / "cwnd.png").read_bytes()).decode()
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code" and "study.save(cwnd(" in cell.source)
    cell.outputs = [nbformat.v4.new_output("display_data", {"image/png": picture})]
    executed = places.executed(NOTEBOOK)
    executed.parent.mkdir(parents=True)
    nbformat.write(notebook, executed)
    return places
