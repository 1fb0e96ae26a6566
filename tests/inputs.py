"""What a test depends on: the files that it imports, or all files of this repository."""

import subprocess
import sys
from collections.abc import Collection, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from workbook.imports import imported_files

ROOT: Final = Path(__file__).parents[1]
OF_ALL: Final = ("Makefile", "pyproject.toml", "requirements.lock", "requirements-studio.lock")


def inputs_of(file: str, runs: Collection[str]) -> list[str]:
    """The files below ROOT that a file of tests imports, and those of the modules that its processes run.

    With what lies in the same packages and isn't Python, and the locked versions.
    """
    parts = Path(file).with_suffix("").parts
    above = [".".join([*parts[:count], "conftest"]) for count in range(1, len(parts))]
    imported = {_relative(path) for path in imported_files([".".join(parts), *above, *runs], ROOT)}
    packages = {str(Path(path).parent) for path in imported if path.endswith("/__init__.py")}
    return sorted({*imported, *OF_ALL, *(path for path in _data() if _package(path) in packages)})


@cache
def _data() -> list[str]:
    """What lies in our packages and isn't Python: scripts of pages, templates."""
    found = [path for folder in ("simcore", "workbook") for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [_relative(path) for path in found if path.suffix not in (".py", ".pyc")]


def _package(path: str) -> str:
    """The package that a file is part of."""
    return next(str(folder) for folder in Path(path).parents if (ROOT / folder / "__init__.py").is_file())


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def hash_of(files: Iterable[str]) -> str:
    """Names these files with what is in them, and the Python that runs."""
    found = sha256(sys.version.encode())
    for file in files:
        if (ROOT / file).is_file():
            found.update(f"{file} {_hash(file)}\n".encode())
    return found.hexdigest()


@cache
def _hash(file: str) -> str:
    return sha256((ROOT / file).read_bytes()).hexdigest()


def all_files() -> list[str]:
    """All files of this repository, committed or not; none outside of a git checkout."""
    return _git("ls-files", "--cached", "--others", "--exclude-standard", "-z")


def changed_files() -> list[str]:
    """Those that are not as they were committed."""
    return [*_git("diff", "--name-only", "-z", "HEAD"), *_git("ls-files", "--others", "--exclude-standard", "-z")]


def is_any_newer(files: Iterable[str], than_s: float) -> bool:
    """Whether one of these files was written later."""
    return any((ROOT / file).is_file() and (ROOT / file).stat().st_mtime > than_s for file in files)


def commit_number() -> int:
    """Another one for each commit."""
    return int((_git("rev-parse", "HEAD") or ["0"])[0], 16)


def _git(*arguments: str) -> list[str]:
    """The names that git prints; none where there is no git, or no checkout."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True, text=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return []
    return [name for name in done.stdout.strip().split("\0") if name]
