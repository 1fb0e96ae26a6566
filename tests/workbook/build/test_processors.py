"""A chapter has the same bytes on every processor: in one of two builds numpy may not use what only some have."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from workbook.paths import REPO

FOUND: list[str] = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
"""What numpy uses beyond its baseline: AVX2 and AVX-512 by their groups."""


def made(chapter: str, output: Path, without: list[str]) -> dict[str, bytes]:
    """Execute a chapter in a process without these features; every file that it wrote."""
    environment = os.environ | {"PYTHONPATH": str(REPO.root), "NPY_DISABLE_CPU_FEATURES": " ".join(without)}
    asked = json.dumps([chapter, str(output / "executed.ipynb"), str(output / "out")])
    done = subprocess.run(
        [sys.executable, "-m", "tests.workbook.build.executed"],
        cwd=REPO.root / "notebooks", env=environment, input=f"{asked}\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "0\n", done.stderr
    root = output / "out"
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.exhaustive
@pytest.mark.skipif(not FOUND, reason="this processor has nothing that numpy could switch off")
@pytest.mark.parametrize("chapter", ["many-flows", "one-flow"])
def test_a_chapter_is_the_same_without_what_only_some_processors_have(chapter: str, tmp_path: Path) -> None:
    """Numbers of many-flows, and a regression in one-flow, differed in a bit and in a pixel."""
    plain, here = (made(chapter, tmp_path / name, off) for name, off in (("plain", FOUND), ("here", [])))
    assert plain.keys() == here.keys()
    assert [name for name in plain if plain[name] != here[name]] == []
