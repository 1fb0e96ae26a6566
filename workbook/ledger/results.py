"""Our side of a comparison: the chapters' statistics as a tree of names that notes what was read from it."""

import json
from pathlib import Path
from typing import Any

from workbook.ledger.error import LedgerError

Results = dict[str, Any]  # numbers, texts and lists by name, grouped in mappings as in figures/


class Branch:
    """A group of named results. Its children are reached as attributes or by index; each value read is noted.

    Every attribute of its own starts with an underscore, which expressions may not use, so that no result can
    be hidden by one.
    """

    def __init__(self, children: Results, path: str, noted: dict[str, Any]) -> None:
        self._children, self._path, self._noted = children, path, noted

    def __getitem__(self, key: object) -> Any:
        path = f"{self._path}.{key}".lstrip(".")
        if key not in self._children:
            there = ", ".join(self._children) or "nothing (`workbook figures` makes the statistics)"
            raise LedgerError(f"{path} does not exist; there is: {there}")
        child = self._children[str(key)]
        if isinstance(child, dict):
            return Branch(child, path, self._noted)
        self._noted[path] = child
        return child

    def __repr__(self) -> str:
        return f"the group {self._path} ({', '.join(self._children)})"


def load_results(figures: Path) -> Results:
    """All `figures/<chapter>/<case>/statistics.json`, nested by chapter and case.

    In every key '-' and '.' are replaced by '_', so that `bandwidth-1Mb` or `ns-2.35` can be written in an
    expression.

    Raises:
        LedgerError: a file is not JSON.
    """
    results: Results = {}
    for path in sorted(figures.glob("*/*/statistics.json")):
        chapter, case = path.parent.parent.name, path.parent.name
        results.setdefault(as_name(chapter), {})[as_name(case)] = as_names(_read(path))
    return results


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"{path}: not JSON: {error}") from error


def as_names(value: Any) -> Any:
    """Nested statistics with keys that an expression can name: '-' and '.' become '_'."""
    if isinstance(value, dict):
        return {as_name(key): as_names(child) for key, child in value.items()}
    return value


def as_name(key: str) -> str:
    """A key as an expression can name it."""
    return key.replace("-", "_").replace(".", "_")
