"""The kernel's TCP over the model's network. Skipped where no namespaces can be made; the runs go side by side."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from simcore import EngineUnavailableError, Scenario, ScenarioError, scenario_from, simulate
from simcore.kernel import refusals
from simcore.results.dataset import causes
from simcore.results.invariants import sends_in_order
from simcore.rules.congestion import registry
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow
from workbook.reading.lockstep import events_of, lockstep

pytestmark = pytest.mark.system("simcore.kernel.child")

Answer = TypeVar("Answer")
MEASURED = ["update_srtt_s", "update_rto_s", "packet_clock_s", "ack_clock_s"]  # by the kernel, with its own clock
DUMBBELL = {"access": {"rate_mbps": 10, "delay_ms": 2, "buffer_packets": 50}}
DUMBBELL["exit"] = DUMBBELL["access"]
BURSTS = udp_flow(source="exponential", rate_mbps=0.5, burst_s=0.2, idle_s=0.2)
ONWARD = [bottleneck(rate_mbps=1.5, queue="codel", marks=True, buffer_packets=50)]


def kernel_scene(*flows: dict[str, Any], **changes: Any) -> Scenario:
    return scene(*flows, **{"end_s": 2.0} | changes)


SCENARIOS = {
    "baseline": kernel_scene(tcp_flow(variant="newreno"), udp_flow()),
    "again": kernel_scene(tcp_flow(variant="newreno"), udp_flow()),
    "once more": kernel_scene(tcp_flow(variant="newreno"), udp_flow()),
    "one loss": kernel_scene(tcp_flow(variant="sack", transfer_bytes=50_000, lost_packets=[20], **DUMBBELL)),
    "row": kernel_scene(tcp_flow(variant="cubic", ecn=True), tcp_flow(sink="delayed"), BURSTS, onward=ONWARD, end_s=3),
    "timeout": kernel_scene(tcp_flow(lost_packets=[1, 2]), end_s=4),
}
needs_bbr = pytest.mark.skipif("bbr" not in refusals.AVAILABLE.read_text(), reason="this kernel has no BBR loaded")


@pytest.fixture(scope="module")
def runs() -> Callable[[str], xr.Dataset]:
    """Every scenario, each started at once with the others and waited for when a test wants it."""
    try:
        simulate(kernel_scene(tcp_flow(start_s=0), end_s=0.01), "kernel")
    except EngineUnavailableError as forbidden:
        pytest.skip(str(forbidden))
    pool = ThreadPoolExecutor(len(SCENARIOS) + 1)
    underway: dict[str, Future[xr.Dataset]] = {
        name: pool.submit(simulate, scenario, "kernel") for name, scenario in SCENARIOS.items()
    }
    underway["default"] = pool.submit(simulate, SCENARIOS["baseline"], "kernel-default")
    return lambda name: underway[name].result()


def test_a_run_without_timers_is_the_same_bit_for_bit(runs: Callable[[str], xr.Dataset]) -> None:
    first, *others = (runs(name) for name in ("baseline", "again", "once more"))
    assert first.attrs["stamped_by_clock_packets"] == 0
    assert first["dropped"].sum() > 5
    for other in others:
        xr.testing.assert_equal(first.drop_vars(MEASURED), other.drop_vars(MEASURED))


@pytest.mark.parametrize("name", ["baseline", "one loss", "timeout"])
def test_the_model_of_linux_answers_every_ack_as_the_kernel_did(runs: Callable[[str], xr.Dataset], name: str) -> None:
    """But for what its own timers sent, a run is exact however late it was: see `workbook.reading.lockstep`."""
    facts = {"profile": "linux-nearest", "initial_window_packets": 2}
    scenario = scenario_from(SCENARIOS[name].to_mapping() | facts)
    found = lockstep(events_of(runs(name), 1), scenario, 1)
    assert found.acks > 40
    assert found.same == found.acks, found


def test_it_is_near_the_model(runs: Callable[[str], xr.Dataset]) -> None:
    ours, kernels = simulate(SCENARIOS["baseline"]), runs("baseline")
    tcp, udp = abs(ours["received"] - kernels["received"]).values
    assert tcp <= 0.05 * ours["received"][0]
    assert udp <= 3
    assert abs(ours["dropped"] - kernels["dropped"]).max() <= 5


@pytest.mark.parametrize("name", ["baseline", "one loss", "row", "timeout", "default"])
def test_no_packet_is_lost_but_by_the_network(runs: Callable[[str], xr.Dataset], name: str) -> None:
    ds = runs(name)
    on_their_way = ds["sent"] - ds["received"] - ds["dropped"]
    xr.testing.assert_equal(on_their_way, ds["in_flight"])
    assert (ds["received"] > 0).all()
    sends_in_order(ds, SCENARIOS["baseline" if name == "default" else name])


def test_one_loss_is_repaired_by_one_retransmission(runs: Callable[[str], xr.Dataset]) -> None:
    ds = runs("one loss")
    assert [int(ds[name][0]) for name in ("dropped", "retransmitted", "fast_retransmits", "timeouts")] == [1, 1, 1, 0]
    assert ds["acknowledged"][0] == 50
    assert "recovery_end" in causes(ds).values
    assert (ds["ack_window"].values >= 20).all()  # what the scenario says
    told = pd.DataFrame({name: ds[f"sack_{name}"].values for name in ("uid", "start", "end")})
    assert (told["start"] == 20).all()  # the 20th packet, the SYN among them, was lost: segment 19
    assert told["end"].is_monotonic_increasing
    assert set(told["uid"]) < set(ds["ack_uid"].values.tolist())


def test_a_timer_of_the_kernels_is_stamped_by_the_clock(runs: Callable[[str], xr.Dataset]) -> None:
    ds = runs("timeout")
    by_clock = ds["packet_by_clock"].values
    assert ds["packet_seq"].values[by_clock].tolist()[:2] == [0, 0]  # the SYN, sent again twice
    waits_s = ds["packet_sent_s"].values[by_clock][:2] - [0.1, ds["packet_sent_s"].values[by_clock][0]]
    assert (waits_s > 0.9).all()  # RFC 6298, section 2.1: 1 s. Linux does not yet double it; its timers may be late
    assert (waits_s < 1.8).all()
    assert ds["received"][0] > 100


def test_marks_reach_the_kernel(runs: Callable[[str], xr.Dataset]) -> None:
    ds = runs("row")
    assert ds["marked"][0] > 0
    assert ds["marked"][1] == 0  # it did not ask for ECN
    assert "congestion_echo" in causes(ds).values[ds["update_flow"].values == 1]


def test_the_default_settings_have_timestamps_and_delay_acks(runs: Callable[[str], xr.Dataset]) -> None:
    default, nearest = runs("default"), runs("baseline")
    assert set(nearest["ack_bytes"].values) == {40, 44}  # 44: the SYN's answer says how large segments may be
    assert default["ack_bytes"].min() == 52
    assert default.sizes["ack"] < 0.9 * default["received"][0]
    assert nearest.sizes["ack"] == nearest["received"][0]


def test_the_dataset_says_whose_tcp_it_was(runs: Callable[[str], xr.Dataset]) -> None:
    told = runs("baseline").attrs
    assert (told["engine"], told["kernel_settings"]) == ("kernel", "nearest")
    assert told["kernel"].startswith("Linux ")
    assert told["window_causes"].startswith("inferred")
    assert 0 < told["lateness_median_us"] <= told["lateness_p99_us"] <= told["lateness_max_us"]
    srtt_s = runs("baseline")["update_srtt_s"].values[-1]
    assert 0.03 < srtt_s < 0.3


@needs_bbr
def test_bbr_alone_has_the_kernels_link_and_loses_as_little() -> None:
    """Without a competitor nothing hangs on the phase that Linux draws."""
    bbr = kernel_scene(tcp_flow(variant="bbr"), end_s=1.5).changed({"profile": "linux-nearest"})
    kernel, model = simulate(bbr, "kernel"), simulate(bbr, "compiled")
    assert kernel["flow_name"].item() == model["flow_name"].item() == "BBR 1"
    received = [int(run["received"][0]) for run in (kernel, model)]
    assert abs(received[0] - received[1]) <= 0.03 * received[0]


OWN = """
from types import SimpleNamespace
from simcore.rules.congestion.registry import register
register("own", SimpleNamespace(RECOVERY="sack", loss_detected=lambda tcp, own, now: setattr(tcp, "ssthresh", LEAST)))
"""


def test_a_control_of_ones_own_meets_the_kernel_on_the_same_network(runs: Callable[[str], xr.Dataset]) -> None:
    """It was written in a notebook, where no other process can import it; its flow keeps the model's TCP."""
    before = dict(registry.CONTROLS)
    exec(OWN, {"__name__": "__main__", "LEAST": 7.0})
    try:
        flows = tcp_flow(variant="own"), tcp_flow(variant="sack")
        ds = simulate(kernel_scene(*flows, profile="linux-nearest"), "kernel")
    finally:
        registry.CONTROLS.clear()
        registry.CONTROLS.update(before)
    whose = ds["update_flow"].values
    assert (ds["received"] > 50).all()
    assert 7.0 in ds["update_ssthresh"].values[whose == 1]
    assert np.isnan(ds["update_srtt_s"].values[whose == 1]).all()  # the kernel's alone
    assert not np.isnan(ds["update_srtt_s"].values[whose == 2]).all()


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"flows": [tcp_flow(variant="vegas")]}, "flows.0.variant: 'vegas' is not possible with the kernel; allowed: "),
        (
            {"flows": [udp_flow(), tcp_flow(variant="tahoe")]},
            "flows.1.variant: 'tahoe' is not possible with the kernel",
        ),
        ({"flows": [tcp_flow(growth="highspeed")]}, "flows.0.growth: 'highspeed' is not possible with the kernel; all"),
        (
            {"flows": [tcp_flow(slow_start="hystart_pp")]},
            "flows.0.slow_start: 'hystart_pp' is not possible with the kernel; must be left out",
        ),
        ({"flows": [tcp_flow(send_jitter_ms=4)]}, "flows.0.send_jitter_ms: 4.0 is not possible with the kernel; must"),
        (
            {"flows": [tcp_flow(packet_bytes=87)]},
            "flows.0.packet_bytes: 87 is not possible with the kernel; must be 88",
        ),
        ({"header_bytes": 20}, "header_bytes: 20 is not possible with the kernel; must be 40"),
        (
            {
                "flows": [tcp_flow(host=1)],
                "hosts": [{"rate_mbps": 10, "delay_ms": 1, "queue_packets": 9, "when_full": "ignore"}],
            },
            "hosts.0.when_full: 'ignore' is not possible with the kernel; allowed: drop",
        ),
        ({"flows": [tcp_flow()] * 101}, "flows: 101 TCP flows is not possible with the kernel; must be at most 100"),
    ],
)
def test_what_the_kernel_cannot_do_is_refused(changed: dict[str, Any], line: str) -> None:
    scenario = scene(*changed.get("flows", []), **{key: value for key, value in changed.items() if key != "flows"})
    with pytest.raises(ScenarioError) as refused:
        simulate(scenario, "kernel")
    assert str(refused.value).startswith(line)


RUN_LONG = """
from simcore import load_scenario, simulate
simulate(load_scenario("long.yaml"), "kernel")
"""


def test_nothing_is_left_behind_when_it_is_killed(runs: Callable[[str], xr.Dataset], tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(kernel_scene(end_s=300.0).to_yaml())
    outside = devices_and_settings()
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", RUN_LONG], cwd=tmp_path, env=os.environ | path) as process:
        child = eventually(lambda: child_in_a_namespace(process.pid))
        process.send_signal(signal.SIGKILL)
    assert child is not None
    assert eventually(lambda: not is_running(child))
    assert devices_and_settings() == outside


def child_in_a_namespace(pid: int) -> int | None:
    """The process of its run, once that is in a network namespace of its own."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if (Path(f"/proc/{child}") / "ns/net").readlink() != Path("/proc/self/ns/net").readlink():
                return int(child)
    return None


def is_running(pid: int) -> bool:
    """Does a process run? One that ended waits, as a zombie, until somebody asks how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def devices_and_settings() -> tuple[list[str], list[str], list[str]]:
    """What an engine could leave behind in this namespace."""
    named = Path("/run/netns")
    settings = [f"{path}: {path.read_text()}" for path in sorted(Path("/proc/sys/net/ipv4").glob("tcp_[a-eg-z]*s*"))]
    names = sorted(path.name for path in named.iterdir()) if named.is_dir() else []
    return sorted(path.name for path in Path("/sys/class/net").iterdir()), names, settings


def eventually(ask: Callable[[], Answer], patience_s: float = 60.0) -> Answer:
    """The first answer that is not nothing; the last one when patience ends."""
    end_s = time.monotonic() + patience_s
    while not (answer := ask()) and time.monotonic() < end_s:
        time.sleep(0.05)
    return answer
