"""Imports point downwards only, and files stay short: the architecture as a test."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 400  # lines

# Folder or file -> what it must not import, directly. What lies above a layer is named, not what lies below.
ABOVE = {
    "simcore": ("workbook", "notebooks", "tests"),
    # pydantic, because a queue or a source says itself what a scenario may say of it
    "simcore/rules": ("simpy", "numpy", "numba", "xarray", "yaml", "random", "time"),
    "simcore/process": ("numpy", "numba", "xarray"),
    "simcore/compiled": ("simpy", "xarray"),
    "simcore/metrics": ("simpy", "simcore.process", "simcore.compiled", "simcore.simulation", "simcore.rules"),
    "simcore/results/log.py": ("simcore.process", "simcore.compiled", "simcore.results.dataset"),
    "simcore/scenario": ("simpy", "numpy", "xarray"),
    "simcore/network": ("simpy", "numpy", "xarray"),
    "workbook": ("notebooks", "tests", "simpy", "numba", "simcore.process", "simcore.compiled", "simcore.kernel"),
}
ENGINES_STAND_ON = (
    "simcore.rules",
    "simcore.scenario",
    "simcore.network",
    "simcore.results.log",
    "simcore.results.row",
    "simcore.results.totals",
)
# The only modules of simcore that these may import.
WITHIN_SIMCORE = {
    "simcore/rules": ("simcore.rules",),
    "simcore/scenario": ("simcore.scenario", "simcore.rules"),
    "simcore/network": ("simcore.network", "simcore.scenario", "simcore.rules", "simcore.results.log"),
    "simcore/results": ("simcore.results", "simcore.scenario", "simcore.rules"),
    "simcore/process": ("simcore.process", *ENGINES_STAND_ON),
    "simcore/compiled": ("simcore.compiled", "simcore.extras", *ENGINES_STAND_ON),
    "simcore/kernel": ("simcore.kernel", "simcore.process", "simcore.extras", *ENGINES_STAND_ON),
    "simcore/webassembly": ("simcore.webassembly", "simcore.compiled", *ENGINES_STAND_ON),
}


def python_files(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))


def imports(source: str) -> Iterator[str]:
    """Every module that is imported, wherever the import stands; `from a import b` counts as a.b."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("place", ABOVE)
def test_no_layer_imports_what_lies_above_it(place: str) -> None:
    upward = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in python_files(place)
        for module in imports(path.read_text())
        if is_in(module, ABOVE[place])
    }
    assert upward == set()


@pytest.mark.parametrize("place", WITHIN_SIMCORE)
def test_a_layer_imports_of_simcore_only_what_it_is_built_on(place: str) -> None:
    others = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in python_files(place)
        for module in imports(path.read_text())
        if is_in(module, ("simcore",)) and not is_in(module, WITHIN_SIMCORE[place])
    }
    assert others == set()


@pytest.mark.parametrize("folder", ["simcore", "workbook", "tests"])
def test_no_file_is_long(folder: str) -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in python_files(folder)}
    assert lengths
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_an_import_is_found_wherever_and_however_it_is_written() -> None:
    source = "import a.b as c, d\nfrom e import f\ndef g():\n    from h.i import j\nif x:\n    import k\n"
    assert set(imports(source)) == {"a.b", "d", "e.f", "h.i.j", "k"}


def test_a_layers_name_is_no_prefix_of_anothers() -> None:
    assert is_in("simcore.process", ("simcore.process",))
    assert is_in("simcore.process.link", ("simcore.process",))
    assert not is_in("simcore.processes", ("simcore.process",))
