"""Sweeps that are stopped, killed, and simulated by a cluster that loses a worker: the same bytes in the end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import xarray as xr
import yaml

from tests.sweeps import MANY, files, one_thread, sweep, write

pytestmark = pytest.mark.system("workbook.commands.cli")

BIN = Path(sys.executable).parent
STORE = Path("build/sweeps/mine.zarr")
# A sweep that waits, once it has stored so many batches, until it is told to go on. It cannot be over before.
HELD = """
import signal
import sys
from workbook.commands.cli import main
from workbook.sweep.store import Store

write, left = Store.write, int(sys.argv.pop(1))

def write_and_wait(*batch):
    global left
    cells, left = write(*batch), left - 1
    if left == 0:
        print("held", flush=True)
        sys.stdin.readline()
    return cells

Store.write = write_and_wait
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by all that a shell starts in the background
main()
"""
LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")


@pytest.fixture(autouse=True)
def _in_this_process_and_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("workbook.sweep.running.processes", one_thread)
    write(**MANY)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the sweep when nothing disturbs it, simulated on all cores."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "mine.yaml").write_text(yaml.safe_dump({"name": "mine", "engine": "process", **MANY}))
    command = [str(BIN / "workbook"), "sweep", "mine.yaml", "--output", "mine.zarr"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "120 cells: 120 simulated in " in done.stdout
    return files(folder / "mine.zarr")


def start(*command: str) -> subprocess.Popen[str]:
    """A process in a group of its own, as a terminal has it."""
    return subprocess.Popen(
        [BIN / command[0], *command[1:]],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def held_after(batches: int, *options: str) -> subprocess.Popen[str]:
    """`workbook sweep mine.yaml`, which has stored so many more batches and waits."""
    process = start("python", "-c", HELD, str(batches), "sweep", "mine.yaml", *options)
    assert process.stdout is not None
    for line in process.stdout:
        if line == "held\n":
            return process
    raise AssertionError(process.communicate())


def batches_there() -> int:
    return sum(path.is_file() for path in STORE.glob("simulated/c/**/*"))


def test_a_sweep_that_was_stopped_and_killed_continues_to_the_same_bytes(undisturbed: dict[str, bytes]) -> None:
    process = held_after(3)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert f"of 120 cells are in {STORE}; the same command continues" in said
    assert "Traceback" not in said
    assert batches_there() == 3

    process = held_after(3)
    process.kill()
    process.communicate(timeout=30)  # returns once no worker holds the other end any more
    assert batches_there() == 6
    assert len(files(STORE)) < len(undisturbed)

    result = sweep()
    assert result.exit_code == 0
    assert "120 cells: 120 simulated" not in result.stdout, "only what was missing"
    assert files(STORE) == undisturbed


def test_what_a_kill_left_half_written_is_written_anew(undisturbed: dict[str, bytes]) -> None:
    for name, content in undisturbed.items():
        (STORE / name).parent.mkdir(parents=True, exist_ok=True)
        (STORE / name).write_bytes(content)
    (STORE / "simulated/c/7/0").unlink()
    (STORE / "received/c/7/0/0").unlink()
    (STORE / "sent/c/7/0/0").write_bytes(undisturbed["sent/c/8/0/0"])
    (STORE / "sent/c/7/0/0.1234.partial").write_bytes(b"half")
    assert not xr.open_zarr(STORE)["simulated"][7].all()
    assert "120 cells: 2 simulated" in sweep().stdout
    assert files(STORE) == undisturbed
    assert "120 cells: all of them were there already" in sweep().stdout


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(undisturbed: dict[str, bytes]) -> None:
    told = Path("scheduler.json")
    started = [start("dask", "scheduler", *LOOPBACK, "--port", "0", "--scheduler-file", str(told))]
    one_process = ("--nworkers", "1", "--nthreads", "1", "--no-nanny")
    try:
        # The file is there before anything is written into it.
        wait_until(lambda: told.exists() and told.read_text().endswith("}"), started[0])
        address = json.loads(told.read_text())["address"]
        started += [start("dask", "worker", address, *LOOPBACK, *one_process) for _ in range(2)]
        process = held_after(5, "--scheduler", address)
        started[1].kill()
        said, wrong = process.communicate("go on\n")
        assert process.returncode == 0, wrong
        assert "120 cells: 120 simulated in " in said
        assert files(STORE) == undisturbed
    finally:
        for each in reversed(started):
            each.kill()
            each.communicate()
