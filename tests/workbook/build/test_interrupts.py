"""A build that is interrupted, killed or not alone: `workbook figures` in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.workbook.build.conftest import WRITE, add_chapter
from workbook.build.build import FORKS
from workbook.paths import Places

pytestmark = pytest.mark.system("workbook.commands.cli", "workbook.build.prepared")

SCRIPT = """
from pathlib import Path
from workbook import paths
from workbook.commands import cli
if __name__ == "__main__":
    paths.REPO = paths.Places(Path.cwd())
    cli.main(["figures"])
"""


# What a shell starts in the background ignores SIGINT, and so do its children, until they say otherwise.
SIGNALS = "import signal\nsignal.signal(signal.SIGINT, signal.{})\n"
AT_A_TERMINAL, IN_THE_BACKGROUND = "default_int_handler", "SIG_IGN"
WAIT = "import os, time\nfrom pathlib import Path\nPath('running').write_text(str(os.getpid()))\ntime.sleep(600)"


def started(places: Places, cell: str, handler: str = AT_A_TERMINAL) -> subprocess.Popen[str]:
    """`workbook figures` in a process and a group of its own, with one chapter of one cell."""
    add_chapter(places, "good", cell)
    (places.root / "script.py").write_text(SIGNALS.format(handler) + SCRIPT)
    return subprocess.Popen(
        [sys.executable, "script.py"], cwd=places.root, env=os.environ | {"BUILD_IN": str(places.root)},
        start_new_session=True, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def started_and_running(places: Places, handler: str = AT_A_TERMINAL) -> subprocess.Popen[str]:
    """A build in the middle of a cell that has written its process's number."""
    process = started(places, WAIT, handler)
    while not (places.root / "running").exists() or not (places.root / "running").read_text():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


@pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")
@pytest.mark.parametrize("wait_s", [0.0, 0.8])
def test_ctrl_c_while_the_server_imports_gives_no_traceback(places: Places, wait_s: float) -> None:
    with started(places, "import time; time.sleep(600)") as process:
        while not servers_of(process.pid):
            assert process.poll() is None, "it ended before it was interrupted"
            time.sleep(0.02)
        time.sleep(wait_s)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.split() == ["Aborted!"]


def servers_of(pid: int) -> list[str]:
    """The fork servers that a process has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [child for child in children if b"forkserver" in Path(f"/proc/{child}/cmdline").read_bytes()]


def processes_of(places: Places) -> list[str]:
    """What the processes that a build has started were told to run, also of those whose parent has gone."""
    mark, found = f"BUILD_IN={places.root}\0".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


@pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")
@pytest.mark.parametrize("moment", ["its server imports", "a cell runs"])
def test_in_the_background_a_build_ends_when_told_to_and_leaves_no_process(places: Places, moment: str) -> None:
    if moment == "a cell runs":
        process = started_and_running(places, IN_THE_BACKGROUND)
        assert len(processes_of(places)) == 5  # with the resource tracker, the server, the chapter and its kernel
    else:
        process = started(places, WAIT, IN_THE_BACKGROUND)
        while not servers_of(process.pid):
            time.sleep(0.02)
    with process:
        os.killpg(process.pid, signal.SIGINT)  # a Ctrl-C at the terminal is not for it
        time.sleep(0.5)
        assert process.poll() is None
        process.terminate()
        until = time.monotonic() + 2
        while (left := processes_of(places)) and time.monotonic() < until:
            time.sleep(0.05)
        assert left == []
        assert process.poll() == -signal.SIGTERM


def test_in_the_background_a_build_is_made(places: Places) -> None:
    with started(places, WRITE, IN_THE_BACKGROUND) as process:
        _, errors = process.communicate(timeout=120)
    assert (places.figures / "good" / "case" / "numbers.txt").exists(), errors
    assert processes_of(places) == []


def test_when_the_build_is_killed_its_kernels_end(places: Places) -> None:
    process = started_and_running(places)
    kernel = Path("/proc") / (places.root / "running").read_text()
    process.kill()
    process.communicate(timeout=60)
    until = time.monotonic() + 30
    while kernel.exists() and "zombie" not in (kernel / "status").read_text():
        assert time.monotonic() < until, "the kernel goes on"
        time.sleep(0.1)


def test_a_second_build_in_the_same_folder_is_refused_and_ctrl_c_ends_the_first(places: Places) -> None:
    with started_and_running(places) as process:
        try:
            second = subprocess.run(
                [sys.executable, "script.py"], cwd=places.root, capture_output=True, text=True, check=False, timeout=60
            )
        finally:
            os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert second.returncode == 2
    assert second.stderr == f"Error: {places.root}: another build is at work in this folder; wait for its end\n"
    assert process.returncode == 1
    assert errors.split() == ["Aborted!"]
    assert not (places.figures / "good").exists()
