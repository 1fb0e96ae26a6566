"""A small workbook to build."""

from pathlib import Path

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook

from tests.workbook.chapters.test_chapter import BASE
from workbook.paths import Places

DEFAULTS = "params_file = ''\nengine = ''\noutput = ''"
WRITE = "from pathlib import Path\nPath(output, 'case').mkdir()\nPath(output, 'case', 'numbers.txt').write_text(engine)"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A workbook with one chapter, `good`."""
    for directory in ("params", "claims", "notebooks", "simcore", "workbook"):
        (tmp_path / directory).mkdir()
    (tmp_path / "simcore" / "model.py").write_text("RULE = 1\n")
    (tmp_path / "requirements.lock").write_text("simpy==4.1.2\n")
    add_chapter(Places(tmp_path), "good", WRITE)
    return Places(tmp_path)


def add_chapter(places: Places, name: str, *cells: str, defaults: str = DEFAULTS, kernel: str = "python3") -> None:
    notebook = new_notebook(metadata={"kernelspec": {"name": kernel, "language": "python", "display_name": "Python"}})
    notebook.cells = [new_code_cell(defaults, metadata={"tags": ["parameters"]}), *map(new_code_cell, cells)]
    nbformat.write(notebook, places.root / "notebooks" / f"{name}.ipynb")
    content = {
        "chapter": name,
        "title": name.capitalize(),
        "notebook": f"notebooks/{name}.ipynb",
        "engine": "process",
        "base": BASE,
        "cases": {"case": {"title": "Case", "change": {}}},
    }
    (places.params / f"{name}.yaml").write_text(yaml.safe_dump(content))
