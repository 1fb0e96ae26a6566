"""Imports point downwards only, and files stay short: the architecture (`workbook.book.layers`) as a test."""

import ast
from pathlib import Path

import pytest

from workbook.book.layers import DOES_WITHOUT, STANDS_ON
from workbook.book.rooms import imports, upward
from workbook.imports import modules_in

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 400  # lines


def python_files(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def imports_in(place: str) -> list[tuple[str, str]]:
    """Each file of a place with a module that it imports."""
    return [
        (f"{path.relative_to(ROOT)} imports {module}", module)
        for path in python_files(place)
        for module in modules_in(path.read_text("utf-8"))
    ]


def test_no_import_goes_up() -> None:
    assert [str(each) for each in upward(imports(ROOT))] == []


@pytest.mark.parametrize("place", DOES_WITHOUT)
def test_a_room_does_without_what_it_must_not_know(place: str) -> None:
    assert [text for text, module in imports_in(place) if is_in(module, DOES_WITHOUT[place])] == []


@pytest.mark.parametrize("room", STANDS_ON)
def test_a_room_imports_of_simcore_only_what_it_is_built_on(room: str) -> None:
    allowed = (room.replace("/", "."), *STANDS_ON[room])
    others = [text for text, module in imports_in(room) if is_in(module, ("simcore",)) and not is_in(module, allowed)]
    assert others == []


@pytest.mark.parametrize("folder", ["simcore", "workbook"])
def test_no_import_is_relative_which_would_hide_the_layer(folder: str) -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in python_files(folder)}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    assert [path for path, node in nodes if isinstance(node, ast.ImportFrom) and node.level] == []


@pytest.mark.parametrize("folder", ["simcore", "workbook", "tests"])
def test_no_file_is_long(folder: str) -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in python_files(folder)}
    assert lengths
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_a_layers_name_is_no_prefix_of_anothers() -> None:
    assert is_in("simcore.process", ("simcore.process",))
    assert is_in("simcore.process.link", ("simcore.process",))
    assert not is_in("simcore.processes", ("simcore.process",))
