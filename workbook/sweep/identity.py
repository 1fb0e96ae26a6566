"""What decides a sweep's numbers beside its parameters: sources and versions."""

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import simcore
import workbook.sweep

PACKAGES: Final = ("numpy", "llvmlite", "simpy", "xarray", "zarr", "bottleneck-workbook")


@cache
def made_with() -> dict[str, str]:
    """The versions in use, and a hash of the sources that make scenarios and simulate them."""
    versions = {"python": platform.python_version()} | {package: _version(package) for package in PACKAGES}
    return versions | {"sources": _hash_of_sources()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # llvmlite, which the process model does without
        return "not installed"


def difference(theirs: dict[str, str], ours: dict[str, str]) -> str | None:
    """How `theirs` is not what we have, to a person; None if it is."""
    for name in ours:
        if theirs.get(name) != ours[name]:
            return "other sources" if name == "sources" else f"{name} {theirs.get(name)} instead of {ours[name]}"
    return None


def _hash_of_sources() -> str:
    model, sweep = Path(str(simcore.__file__)).parent, Path(str(workbook.sweep.__file__)).parent
    files = [*model.rglob("*.py"), *sweep.rglob("*.py")]
    digest = sha256()
    for name, path in sorted((path.relative_to(model.parent).as_posix(), path) for path in files):
        digest.update(f"{name} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
