"""Sweeps and the figures' build, killed or stopped at any moment, and continued: the same files in the end."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import yaml

from campaign.trials import Finding, Kind, Round
from tests.sweeps import MANY, files
from tests.workbook.build.conftest import WRITE, add_chapter
from tests.workbook.build.test_interrupts import SCRIPT
from workbook.paths import MANIFEST, REPO, Places

KILLS: Final = 5  # of a round; then it may finish
LONGEST_S: Final = 300.0
SIGNALS: Final = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
CHAPTERS: Final = ("left", "right")
SWEEP: Final = [str(Path(sys.executable).parent / "workbook"), "sweep", "mine.yaml", "--output", "mine.zarr"]
BUILD: Final = [sys.executable, "script.py"]
MORE: Final = "import time\ntime.sleep(0.5)\nPath(output, 'case', 'more.txt').write_text('more')"


def finished(command: list[str], folder: Path) -> str:
    """Run a command to its end. Returns what it said if it failed."""
    process = _started(command, folder)
    said = _ended(process)
    return said if process.returncode else ""


def killed(command: list[str], folder: Path, random: Random, written: Path) -> str:
    """Run a command for a while and kill or stop it. Returns what it said if that was a traceback.

    A signal other than SIGKILL waits until the command has written something: before, it is Python that answers.
    """
    before = _newest_ns(written)
    process, how = _started(command, folder), random.choice(SIGNALS)
    until = time.monotonic() + random.uniform(0.5, 8.0)
    while process.poll() is None and (
        time.monotonic() < until or (how != signal.SIGKILL and _newest_ns(written) == before)
    ):
        time.sleep(0.02)
    if process.poll() is None and how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does
    elif process.poll() is None:
        process.send_signal(how)
    said = _ended(process)
    return said if "Traceback" in said else ""


def _newest_ns(folder: Path) -> int:
    """When something in a folder, whose files come and go, was changed last."""
    newest = 0
    for path, _, names in os.walk(folder):
        for name in (".", *names):
            with suppress(FileNotFoundError):
                newest = max(newest, Path(path, name).lstat().st_mtime_ns)
    return newest


def _started(command: list[str], folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(REPO.root)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, preexec_fn=_answers_ctrl_c,
    )  # fmt: skip


def _answers_ctrl_c() -> None:
    """Undo what a shell told us if it started us in the background: to ignore SIGINT, as all our children then do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ended(process: subprocess.Popen[str]) -> str:
    """What a process said until it and its children had ended."""
    try:
        return process.communicate(timeout=LONGEST_S)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"no end within {LONGEST_S:g} s: {process.communicate()[1]}"


def tried(command: list[str], prepare: Callable[[Path], None], outcome: str, written: str, number: int) -> Round:
    """A command that is killed some times and one that is left alone, in a folder each: the same files in `outcome`."""
    random, findings = Random(number), []
    with tempfile.TemporaryDirectory() as folder:
        disturbed, calm = Path(folder, "disturbed"), Path(folder, "calm")
        for place in (disturbed, calm):
            place.mkdir()
            prepare(place)
        said = [killed(command, disturbed, random, disturbed / written) for _ in range(KILLS)]
        said += [finished(command, disturbed), finished(command, calm)]
        findings += [Finding("a command failed", {"stderr.txt": text.encode()}) for text in said if text]
        made, expected = (_files(place / outcome) for place in (disturbed, calm))
        different = sorted(name for name in made.keys() | expected.keys() if made.get(name) != expected.get(name))
        if different or not expected:
            findings.append(Finding("other files than without kills", {"names.txt": "\n".join(different).encode()}))
    return Round(KILLS, findings)


def _files(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in files(folder).items() if Path(name).name != MANIFEST}


def prepare_sweep(folder: Path) -> None:
    """A sweep of many small runs."""
    (folder / "mine.yaml").write_text(yaml.safe_dump({"name": "mine", "engine": "process", **MANY}))


def prepare_build(folder: Path) -> None:
    """A workbook of two small chapters, and the script that builds their figures."""
    places = Places(folder)
    for needed in (places.params, places.claims, places.root / "notebooks", places.root / "simcore"):
        needed.mkdir()
    for file in ("claims/rulers.yaml", "notebooks/00-start-here.ipynb", "README.md"):
        shutil.copy(REPO.root / file, places.root / file)
    places.lock.write_text("simpy==4.1.2\n")
    (folder / "script.py").write_text(SCRIPT)
    for name in CHAPTERS:
        add_chapter(places, name, WRITE, MORE)


KINDS: Final = (
    Kind(
        "killed-sweeps",
        "sweeps killed and continued",
        lambda number: tried(SWEEP, prepare_sweep, "mine.zarr", "mine.zarr", number),
    ),
    Kind(
        "killed-builds",
        "the figures' build killed and started again",
        lambda number: tried(BUILD, prepare_build, "figures", "build", number),
    ),
)
