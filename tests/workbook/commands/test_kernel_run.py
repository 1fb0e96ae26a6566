"""`workbook run --engine kernel` on the real command line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import xarray as xr
import yaml

from simcore import EngineUnavailableError, simulate
from tests.simcore.scenes import mapping, scene, tcp_flow, udp_flow
from tests.workbook.commands.test_cost import PROGRAM

pytestmark = pytest.mark.system("workbook.commands.cli", "simcore.kernel.child")

ARGUMENTS = ["run", "mine.yaml", "--engine", "kernel"]
COMMAND = [sys.executable, "-c", PROGRAM, *ARGUMENTS]


@pytest.fixture(autouse=True, scope="module")
def _namespaces() -> None:
    try:
        simulate(scene(tcp_flow(start_s=0), end_s=0.01), "kernel")
    except EngineUnavailableError as forbidden:
        pytest.skip(str(forbidden))


def started(
    tmp_path: Path, *more: str, start_s: float = 0.1, end_s: float = 1.0, command: list[str] = COMMAND
) -> "subprocess.Popen[str]":
    times = {"start_s": start_s, "stop_s": start_s + 10}
    flows = tcp_flow(variant="newreno", **times), udp_flow(**times)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(mapping(*flows, end_s=end_s)))
    return subprocess.Popen(
        [*command, *more], cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_run_prints_and_writes_what_every_run_does(tmp_path: Path) -> None:
    process = started(tmp_path, "--trace", "out", "--dataset", "out")
    printed, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, "")
    assert "TCP NewReno 1" in printed
    assert "settings nearest: late by " in printed
    assert (tmp_path / "out" / "mine.tr").read_text().startswith("+ 0.1 0 1 tcp 44 ")
    with xr.open_dataset(tmp_path / "out" / "mine.nc") as ds:
        assert ds.attrs["engine"] == "kernel"
        assert ds["packet_by_clock"].sum() == ds.attrs["stamped_by_clock_packets"]


def child_of(process: "subprocess.Popen[str]") -> str:
    """The process in namespaces of its own that it starts, as soon as there is one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (begun := children.read_text().split()):
        assert process.poll() is None, "it ended before it was interrupted"
        time.sleep(0.02)
    return begun[0]


def received_packets(pid: str) -> int:
    """By the interfaces of a process's namespace, but for the loopback."""
    lines = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
    return sum(int(line.split()[2]) for line in lines if not line.strip().startswith("lo:"))


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    process = started(tmp_path, "--dataset", "out", end_s=300.0)
    child = child_of(process)
    while Path(f"/proc/{child}/ns/net").readlink() == Path("/proc/self/ns/net").readlink():
        time.sleep(0.05)
    while received_packets(child) < 50:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate()
    assert process.returncode == 130, complaints
    assert "of 300 s" in complaints
    with xr.open_dataset(tmp_path / "out" / "mine.nc") as ds:
        assert 0 < ds.attrs["simulated_until_s"] < 300
        assert ds["received"].sum() > 0


def test_ctrl_c_before_the_run_begins_is_answered_when_it_does(tmp_path: Path) -> None:
    process = started(tmp_path, end_s=300.0, start_s=200.0)
    child_of(process)
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 130, complaints
    assert "Traceback" not in complaints
    assert "of 300 s" in complaints


def test_where_namespaces_are_forbidden_one_line_says_so(tmp_path: Path) -> None:
    forbidden = 'echo 0 >/proc/sys/user/max_net_namespaces && exec "$@"'
    process = started(tmp_path, command=["unshare", "--user", "--map-root-user", "sh", "-c", forbidden, "sh", *COMMAND])
    printed, complaints = process.communicate()
    assert (process.returncode, printed) == (2, "")
    assert complaints.startswith("Error: engine: kernel: network namespaces: no space left on device; allowed by ")
    assert complaints.count("\n") == 1
