"""`pip install .` outside the checkout: the library and `workbook run` work, and what needs the checkout says so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system("workbook.commands.cli")

ROOT = Path(__file__).parents[1]
SCENARIO = """\
profile: ns-2.27
end_s: 2
bottleneck: {rate_mbps: 2, delay_ms: 10, queue: droptail, buffer_packets: 20}
flows:
  - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 1.5}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with nothing in it but ours, built from a copy of the sources."""
    root = tmp_path_factory.mktemp("install")
    for package in ("simcore", "workbook"):
        shutil.copytree(ROOT / package, root / "source" / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, root / "source")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", f"--target={root / 'site'}", str(root / "source")],
        check=True,
    )  # fmt: skip
    return root / "site"


def workbook(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a folder; the locked packages come from this environment, ours from `installed`."""
    environment = os.environ | {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, str(installed / "bin" / "workbook"), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_installed_packages_are_those_that_run(installed: Path, tmp_path: Path) -> None:
    where = "import simcore, workbook; print(simcore.__file__); print(workbook.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(line.startswith(str(installed)) for line in done.stdout.splitlines())


def test_a_scenario_runs_anywhere(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(SCENARIO)
    done = workbook(installed, tmp_path, "run", "mine.yaml", "--trace", "out", "--dataset", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert "TCP Reno 1" in done.stdout
    assert (tmp_path / "out" / "mine.tr").read_text().startswith("+ 0.1 0 1 tcp 40 ")
    assert (tmp_path / "out" / "mine.nc").stat().st_size > 0


@pytest.mark.parametrize("command", ["figures", "claims", "assignments", "grade", "book"])
def test_what_needs_the_checkout_says_so_in_one_line(installed: Path, tmp_path: Path, command: str) -> None:
    done = workbook(installed, tmp_path, command)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: no chapters in ")
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_whatever_is_read_at_run_time_is_installed_too(installed: Path) -> None:
    data = {
        path.relative_to(ROOT)
        for package in ("simcore", "workbook")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and "__pycache__" not in path.parts
    }
    assert data
    assert {path for path in data if not (installed / path).is_file()} == set()
