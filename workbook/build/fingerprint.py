"""Whether a chapter has to be made again: what it depends on, and what it left behind."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from workbook.build.machine import MACHINE
from workbook.chapters.chapter import Chapter
from workbook.imports import imported_files, modules_in
from workbook.paths import MANIFEST, Places

BESIDE = (MANIFEST, MACHINE, "README.md")  # what is written about a chapter's files is none of them
RULERS = "rulers"
"""What words like "fair" mean, in claims/, for all sources."""


def inputs(chapter: Chapter, places: Places) -> str:
    """A hash of all that decides a chapter's results.

    That is its notebook and what its cells import, directly or through others, its parameters, the claims about it,
    the kept sweeps, which any chapter may read, and the locked versions.
    """
    notebook = places.root / chapter.notebook
    files = [notebook, places.params / f"{chapter.chapter}.yaml", places.lock, *places.sweeps.glob("*.json")]
    files += [places.claims / f"{name}.yaml" for name in (chapter.chapter, RULERS)]
    digest = sha256()
    imported = imported_files(_imports_of(notebook), places.root)
    for path in sorted({path for path in [*imported, *files] if path.is_file()}):
        digest.update(f"{path.relative_to(places.root).as_posix()} {_hash(path)}\n".encode())
    return digest.hexdigest()


def _imports_of(notebook: Path) -> frozenset[str]:
    """What the cells of a notebook import; a notebook that can't be read imports nothing, and fails when it is run."""
    try:
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        return modules_in("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    except (OSError, ValueError, KeyError, TypeError, SyntaxError):
        return frozenset()


def write_manifest(directory: Path, fingerprint: str) -> int:
    """Write what is in `directory`, and from which inputs it came. Returns the number of files."""
    files = {path.relative_to(directory).as_posix(): _hash(path) for path in _files_in(directory)}
    content = {"inputs": fingerprint, "files": files}
    (directory / MANIFEST).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return len(files)


def is_same(directory: Path, other: Path) -> bool:
    """Do two folders of a chapter have the same manifest, and so the same inputs and files?"""
    manifests = [folder / MANIFEST for folder in (directory, other)]
    return all(path.is_file() for path in manifests) and manifests[0].read_bytes() == manifests[1].read_bytes()


def is_current(chapter: Chapter, places: Places, fingerprint: str) -> bool:
    """Whether the chapter was made from these inputs, and everything it left is still there, unchanged."""
    directory = places.figures / chapter.chapter
    try:
        manifest = json.loads((directory / MANIFEST).read_text("utf-8"))
        unchanged = all(_hash(directory / name) == digest for name, digest in manifest["files"].items())
        return unchanged and manifest["inputs"] == fingerprint and places.executed(chapter.notebook).is_file()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False  # no manifest, one that is no manifest, or a file that is gone


def _files_in(directory: Path) -> Iterable[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file() and path.name not in BESIDE)


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
