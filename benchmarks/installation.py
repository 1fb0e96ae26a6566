"""What somebody waits and pays for who installs the library and runs one scenario: sizes, imports, a command."""

import os
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distribution
from pathlib import Path
from time import perf_counter
from typing import Final

from packaging.requirements import Requirement

from benchmarks.loads import BASELINE
from benchmarks.results import spread
from workbook.paths import REPO

Json = dict[str, object]

NAME: Final = "bottleneck-workbook"
SOURCES: Final = ("simcore", "workbook", "pyproject.toml", "README.md", "LICENSE")
TURNS: Final = 9
IMPORT: Final = (sys.executable, "-c", "import simcore")
SIMULATE: Final = (sys.executable, "-c", "from simcore import simulate, load_scenario")
COMMAND: Final = (sys.executable, "-c", "from workbook.commands.cli import main; main()", "run", "mine.yaml")


def installation() -> Json:
    """MB of the wheel and of what is installed with it, and seconds of imports and of `workbook run mine.yaml`."""
    packages = required()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mine.yaml").write_text(BASELINE.scenario().to_yaml(), "utf-8")
        return {
            "wheel_mb": _wheel_bytes(Path(folder)) / 1e6,
            "installed_mb": sum(map(_installed_bytes, packages.values())) / 1e6,
            "packages": len(packages),
            "import_s": _seconds(IMPORT, Path(folder)),
            "simulate_s": _seconds(SIMULATE, Path(folder)),
            "run_s": _seconds((*COMMAND, "--engine", "compiled"), Path(folder)),
        }


def required() -> dict[str, Distribution]:
    """The packages that the library needs, without any extra, and all that these need."""
    needed: dict[str, Distribution] = {}
    waiting = [Requirement(line) for line in distribution(NAME).requires or ()]
    while waiting:
        requirement = waiting.pop()
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in needed:
            needed[requirement.name] = distribution(requirement.name)
            waiting += map(Requirement, needed[requirement.name].requires or ())
    return needed


def _installed_bytes(package: Distribution) -> int:
    paths = [Path(str(file.locate())) for file in package.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())


def _wheel_bytes(folder: Path) -> int:
    """Built from the sources as they are, without an index."""
    for name in SOURCES:
        (folder / name).symlink_to(REPO.root / name)
    build = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run([sys.executable, "-c", build], cwd=folder, capture_output=True, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel.stat().st_size


def _seconds(command: tuple[str, ...], folder: Path) -> Json:
    """Of a whole process on the wall; the first, which may compile, does not count.

    Python keeps the bytecode of what it imports unless it is told not to, as some containers do: 160 modules, 80 ms.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    taken = []
    for _ in range(TURNS + 1):
        began = perf_counter()
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        taken.append(perf_counter() - began)
    return spread(taken[1:])
