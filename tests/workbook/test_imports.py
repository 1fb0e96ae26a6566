"""What a notebook imports decides whether it is made again: followed through files, packages and registries."""

from pathlib import Path

import pytest

from workbook.imports import imported_files, modules_in
from workbook.paths import REPO


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A few packages: a chapter over a model whose rules are found by a registry."""
    for place, text in {
        "simcore/__init__.py": "",
        "simcore/model.py": "from simcore.rules import registry\n",
        "simcore/rules/__init__.py": "",
        "simcore/rules/registry.py": "import pkgutil\n",
        "simcore/rules/reno.py": "import numpy\n",
        "simcore/unrelated.py": "",
        "workbook/chapters/one.py": "def f():\n    from simcore.model import RULE\n",
        "workbook/chapters/two.py": "import simcore.unrelated\n",
    }.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    return tmp_path


def names(modules: list[str], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in imported_files(modules, root)]


def test_imports_are_followed_and_only_they(root: Path) -> None:
    assert names(["workbook.chapters.two"], root) == [
        "simcore/__init__.py",
        "simcore/unrelated.py",
        "workbook/chapters/two.py",
    ]


def test_a_registry_brings_what_it_finds_beside_it(root: Path) -> None:
    assert "simcore/rules/reno.py" in names(["workbook.chapters.one"], root)
    assert "simcore/unrelated.py" not in names(["workbook.chapters.one"], root)


def test_an_import_is_found_wherever_and_however_it_is_written() -> None:
    source = "import a.b as c, d\nfrom e import f\nfrom . import g\ndef h():\n    from i.j import k\nif x: import l"
    assert modules_in(source) == {"a.b", "d", "e.f", "i.j.k", "l"}


def test_a_chapter_depends_on_the_model_but_not_on_the_explorer_or_the_other_chapters() -> None:
    found = [path.relative_to(REPO.root).as_posix() for path in imported_files(["workbook.chapters.study"], REPO.root)]
    assert "simcore/process/sender.py" in found
    assert "simcore/rules/queues/red.py" in found
    assert "workbook/plots/style.py" in found
    assert not [name for name in found if name.startswith(("workbook/explore/", "workbook/chapters/large_fat/"))]
