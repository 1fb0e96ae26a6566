"""Which files of this repository a piece of Python imports, directly or through others, without running it."""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Final

PACKAGES: Final = ("simcore", "workbook", "benchmarks", "campaign", "tests")
FINDERS: Final = {"importlib", "pkgutil"}
"""What a registry imports to find its entries: every module beside it is then taken for imported."""


def imported_files(modules: Collection[str], root: Path) -> list[Path]:
    """The files below `root` of our packages that importing these modules executes, sorted."""
    found: set[Path] = set()
    followed: set[str] = set()
    waiting = [path for module in modules for path in _files_of(module, root)]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        names = modules_in(path.read_text("utf-8"))
        waiting += [file for name in names - followed for file in _files_of(name, root)]
        followed |= names
        if FINDERS & {name.partition(".")[0] for name in names}:
            waiting += path.parent.rglob("*.py")
    return sorted(found)


@cache
def modules_in(source: str) -> frozenset[str]:
    """Every module that a source text imports, wherever the import stands; `from a import b` counts as a.b.

    Raises SyntaxError for what isn't Python.
    """
    return frozenset(_imports(ast.parse(source)))


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files_of(module: str, root: Path) -> Iterator[Path]:
    """The files that importing a module executes: each package's above it, and its own. The last part may be a name."""
    parts = module.split(".")
    if parts[0] not in PACKAGES:
        return
    for count in range(1, len(parts) + 1):
        place = root.joinpath(*parts[:count])
        yield from (path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file())
