"""A dotted name in a docstring or a comment is that of something that exists."""

import importlib
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"`((?:simcore|workbook)(?:\.\w+)+)(?:\(\))?`")
FILES = sorted(path for package in ("simcore", "workbook") for path in (ROOT / package).rglob("*.py"))


def names_in(source: str) -> Iterator[str]:
    """The dotted names between backticks in the strings and comments of a source."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            yield from NAME.findall(token.string)


def exists(name: str) -> bool:
    """Is there such a module, or such a thing in one?"""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return part in getattr(found, "__annotations__", {})
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("package", ["simcore", "workbook"])
def test_every_dotted_name_in_a_text_exists(package: str) -> None:
    named = {(name, path.relative_to(ROOT)) for path in FILES for name in names_in(path.read_text("utf-8"))}
    ours = {(name, path) for name, path in named if path.parts[0] == package}
    assert ours
    assert [f"{path}: {name}" for name, path in sorted(ours) if not exists(name)] == []


def test_a_name_that_is_gone_is_found() -> None:
    assert list(names_in('"""See `simcore.compiled.jit`."""')) == ["simcore.compiled.jit"]
    assert not exists("simcore.compiled.jit")
    assert exists("simcore.compiled.dispatch")
    assert exists("simcore.rules.tcp.sender.may_send")
