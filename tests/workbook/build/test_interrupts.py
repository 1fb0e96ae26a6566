"""A build that is interrupted, killed or not alone: `workbook figures` in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.workbook.build.conftest import add_chapter
from workbook.build.build import FORKS
from workbook.paths import Places

SCRIPT = """
from pathlib import Path
from workbook import paths
from workbook.commands import cli
if __name__ == "__main__":
    paths.REPO = paths.Places(Path.cwd())
    cli.main(["figures"])
"""


def started(places: Places, cell: str) -> subprocess.Popen[str]:
    """`workbook figures` in a process and a group of its own, with one chapter of one cell."""
    add_chapter(places, "good", cell)
    (places.root / "script.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "script.py"], cwd=places.root, start_new_session=True, stderr=subprocess.PIPE, text=True
    )


def started_and_running(places: Places) -> subprocess.Popen[str]:
    """A build in the middle of a cell that has written its process's number."""
    wait = "import os, time\nfrom pathlib import Path\nPath('running').write_text(str(os.getpid()))\ntime.sleep(600)"
    process = started(places, wait)
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
