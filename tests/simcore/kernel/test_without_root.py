"""Without root, and with or without /dev/net/tun: the same run, bit for bit. Where both ways are closed: one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyroute2.netlink.exceptions import NetlinkError

from simcore import EngineUnavailableError, simulate
from simcore.kernel import device
from tests.simcore.kernel.test_kernel import SCENARIOS, devices_and_settings, kernel_scene
from tests.simcore.scenes import tcp_flow
from workbook.export.trace import trace_lines

pytestmark = pytest.mark.system("simcore.kernel.child")

NOBODY = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]  # no capability is left
MOUNT = 'test ! -d /dev/net || mount -t tmpfs none /dev/net && exec "$@"'
HIDDEN = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh"]  # no device in /dev/net
RUN = """
import os, pathlib, sys
from simcore import load_scenario, simulate
from workbook.export.trace import trace_lines
held = [line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff")]
ds = simulate(load_scenario("mine.yaml"), "kernel")
print(int(held[0].split()[1], 16), os.path.exists("/dev/net/tun"), ds.attrs["stamped_by_clock_packets"])
print(*trace_lines(ds), sep="", end="")
"""


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    """Skip where no namespaces can be made."""
    try:
        simulate(kernel_scene(tcp_flow(start_s=0), end_s=0.01), "kernel")
    except EngineUnavailableError as forbidden:
        pytest.skip(str(forbidden))


@pytest.fixture(scope="module")
def as_root() -> list[str]:
    return list(trace_lines(simulate(SCENARIOS["baseline"], "kernel")))


def printed(tmp_path: Path, around: list[str]) -> list[str]:
    (tmp_path / "mine.yaml").write_text(SCENARIOS["baseline"].to_yaml())
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*around, sys.executable, "-c", RUN]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(keepends=True)


def test_nobody_has_the_same_trace_with_and_without_a_tun_device(tmp_path: Path, as_root: list[str]) -> None:
    """Where /dev/net/tun cannot be opened, a pair of virtual Ethernet devices takes its place."""
    outside = devices_and_settings()
    has_tun = device.TUN.exists()
    first, *with_tun = printed(tmp_path, NOBODY)
    assert first == f"0 {has_tun} 0\n"  # no capability; no packet was sent by a timer
    first, *without_tun = printed(tmp_path, [*HIDDEN, *NOBODY])
    assert first == "0 False 0\n"
    assert with_tun == without_tun == as_root
    assert len(as_root) > 1000
    assert devices_and_settings() == outside


def test_where_neither_device_is_to_be_had_one_line_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def forbidden() -> device.Device:
        raise NetlinkError(95, "veth is no kind of device here")

    monkeypatch.setattr(device, "TUN", tmp_path / "tun")
    monkeypatch.setattr(device, "_pair", forbidden)
    with pytest.raises(EngineUnavailableError) as told:
        device.new_device()
    assert str(told.value) == (
        f"engine: kernel: {tmp_path / 'tun'}: no such file or directory, and veth: operation not supported; "
        f"allowed by `modprobe tun` and `chmod 0666 {tmp_path / 'tun'}`, or by `modprobe veth af_packet`"
    )
