"""What made a chapter: the one file of its folder that is not the same on every machine.

Everything else in the folder is, so it is compared and hashed. This file says where those bytes were made first:
whoever makes the same bytes again leaves it as it is.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from simcore.results.provenance import versions

MACHINE: Final = "machine.json"
CPUINFO: Final = Path("/proc/cpuinfo")


def machine(root: Path) -> dict[str, Any]:
    """This machine, and the commit of the workbook in `root`: Python, packages, system, processor."""
    return {
        "versions": versions(),
        "system": platform.platform(),
        "processor": _processor(),
        "processor_features": np.show_config(mode="dicts")["SIMD Extensions"].get("found", []),
        "cores": os.cpu_count(),
        "commit": _git(root, "rev-parse", "HEAD"),
        "changed_since_commit": bool(_git(root, "status", "--porcelain", "--untracked-files=no")),
    }


def write_machine(directory: Path, root: Path) -> None:
    """Write it into a chapter's folder."""
    text = json.dumps(machine(root), indent=1) + "\n"
    (directory / MACHINE).write_text(text, "utf-8")


def _processor() -> str:
    """Its name, as Linux says it; elsewhere as Python does."""
    lines: Iterable[str] = CPUINFO.read_text("utf-8").splitlines() if CPUINFO.is_file() else ()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _git(root: Path, *arguments: str) -> str:
    """What git says; nothing where the workbook is no clone, or git is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip()
