"""A small workbook with one chapter that has just been executed, to make a book of."""

import shutil
from base64 import b64encode
from pathlib import Path

import nbformat

from workbook.paths import REPO, Places
from workbook.site.living import living

CHAPTER = "two-tcp"
NOTEBOOK = "notebooks/02-two-tcp.ipynb"


def executed_workbook(root: Path) -> Places:
    """The chapter's own notebook, in which cells show a figure and a living one, as execution would have left them."""
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
    last = next(cell for cell in notebook.cells if cell.id == "living")
    figure = living(CHAPTER, "baseline", ["buffer"])._repr_html_()
    last.outputs = [nbformat.v4.new_output("execute_result", {"text/html": figure}, execution_count=1)]
    executed = places.executed(NOTEBOOK)
    executed.parent.mkdir(parents=True)
    nbformat.write(notebook, executed)
    return places
