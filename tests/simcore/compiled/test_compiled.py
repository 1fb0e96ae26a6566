"""The compiled engine's own promises: interrupts, recording, growth, a cache that is never stale, new rules."""

import errno
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace

import llvmlite.binding
import numpy as np
import pytest
import xarray as xr

from simcore import TOTALS, WINDOWS, Scenario, SimulationInterrupted, scenario_from, simulate
from simcore.compiled import engine, layout, machine_code
from simcore.compiled.layout import world_of
from simcore.network.topology import topology_of
from simcore.rules.causes import CAUSES
from simcore.rules.recovery import reno
from simcore.rules.recovery.registry import RECOVERIES, register
from simcore.rules.tcp.sender import LEAST_SSTHRESH, SEND

ROOT = Path(__file__).parents[3]
TCP = {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.1, "stop_s": 10}
BOTTLENECK = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}


def baseline(**changed: object) -> Scenario:
    return scenario_from({"profile": "ns-2.27", "end_s": 10.5, "bottleneck": BOTTLENECK, "flows": [TCP, TCP]} | changed)


def test_an_interrupted_run_keeps_what_was_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "EVENTS_A_CALL", 1000)
    whole = simulate(baseline(), "compiled")

    def stop_after_two_seconds(now: float) -> None:
        if now > 2:
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted, match="stopped at 2") as stopped:
        simulate(baseline(), "compiled", progress=stop_after_two_seconds)
    part = stopped.value.dataset
    assert 2 < part.attrs["simulated_until_s"] < 3
    events = part.sizes["event"]
    np.testing.assert_array_equal(part["event_s"], whole["event_s"][:events])
    np.testing.assert_array_equal(part["event_uid"], whole["event_uid"][:events])


def test_progress_moves_forward_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "EVENTS_A_CALL", 1000)
    for name in ("process", "compiled"):
        told: list[float] = []
        simulate(baseline(), name, progress=told.append)
        assert told == sorted(told)
        assert told[-1] > 9


def test_tables_that_must_grow_hold_the_same_as_those_that_were_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(baseline(), "compiled")
    monkeypatch.setattr(layout, "MOST_ROOM_BYTES", 0)
    xr.testing.assert_identical(simulate(baseline(), "compiled"), whole)


@pytest.mark.parametrize("name", ["process", "compiled"])
def test_without_recording_the_totals_are_the_same(name: str) -> None:
    full, bare = simulate(baseline(), name), simulate(baseline(), name, TOTALS)
    assert "packet" not in bare.dims
    for total in ("sent", "dropped", "received_bytes", "retransmitted", "timeouts", "fast_retransmits", "in_flight"):
        xr.testing.assert_identical(full[total], bare[total])


def test_thinned_windows_keep_every_loss_event_and_agree_between_engines() -> None:
    full = simulate(baseline(), "compiled")
    ours, theirs = simulate(baseline(), "process", WINDOWS), simulate(baseline(), "compiled", WINDOWS)
    xr.testing.assert_identical(ours.drop_attrs(), theirs.drop_attrs())
    assert ours.sizes["update"] < full.sizes["update"] / 2
    for cause in ("fast_retransmit", "timeout", "recovery_end"):
        assert (ours["update_cause"] == CAUSES.index(cause)).sum() == (
            full["update_cause"] == CAUSES.index(cause)
        ).sum()


def halves_on_anything(tcp, own, ack, now):  # type: ignore[no-untyped-def]
    """A student's controller: Reno, but every 50th ACK halves the window."""
    to_do = reno.ack_arrived(tcp, own, ack, now)
    if ack > 0 and ack % 50 == 0 and tcp.duplicate_acks == 0:
        tcp.cwnd = max(tcp.cwnd / 2, float(LEAST_SSTHRESH))
    return to_do | SEND


def test_a_new_variant_is_one_registered_set_of_rules() -> None:
    register("student", SimpleNamespace(ack_arrived=halves_on_anything, timer_expired=reno.timer_expired))
    try:
        flows = [TCP | {"variant": "student"}, TCP]
        ours, theirs = (simulate(baseline(flows=flows), name) for name in ("process", "compiled"))
        xr.testing.assert_identical(ours.drop_attrs(), theirs.drop_attrs())
        assert ours["received"][0] != simulate(baseline(), "process")["received"][0]
    finally:
        del RECOVERIES["student"]


def refuses_acks(tcp, own, ack, now):  # type: ignore[no-untyped-def]
    """A student's controller with a guard, which machine code that runs without Python cannot raise."""
    if ack < 0:
        raise ValueError("a negative ACK")
    return reno.ack_arrived(tcp, own, ack, now)


def test_a_rule_that_raises_is_refused_in_words_before_anything_runs() -> None:
    register("guarded", SimpleNamespace(ack_arrived=refuses_acks, timer_expired=reno.timer_expired))
    try:
        with pytest.raises(
            TypeError, match=r"test_compiled.refuses_acks, line \d+, cannot be compiled: .raise ValueError"
        ):
            simulate(baseline(flows=[TCP | {"variant": "guarded"}]), "compiled")
    finally:
        del RECOVERIES["guarded"]


def says_less_than_one_list(tcp, own, ack, now):  # type: ignore[no-untyped-def]
    """A student's controller with a list, which compiled code has not."""
    return sum([reno.ack_arrived(tcp, own, ack, now)])


def loses_the_point(tcp, own, ack, now):  # type: ignore[no-untyped-def]
    """A student's controller that puts a float where an integer is kept."""
    tcp.next_seq = tcp.next_seq + 0.5
    return reno.ack_arrived(tcp, own, ack, now)


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (says_less_than_one_list, r"'\[reno.ack_arrived\(tcp, own, ack, now\)\]' is nothing that a rule may say"),
        (loses_the_point, "a float where an integer is needed"),
    ],
)
def test_what_a_rule_may_not_say_is_told_with_its_place(rule: FunctionType, told: str) -> None:
    register("odd", SimpleNamespace(ack_arrived=rule, timer_expired=reno.timer_expired))
    try:
        with pytest.raises(TypeError, match=rf"{rule.__name__}, line \d+, cannot be compiled: {told}"):
            simulate(baseline(flows=[TCP | {"variant": "odd"}]), "compiled")
    finally:
        del RECOVERIES["odd"]


def test_an_uncommon_kind_of_network_is_compiled_once_and_then_only_loaded(tmp_path: Path) -> None:
    """The first process translates; the second loads what the first one kept. Neither imports a compiler of Python."""
    flows = [TCP | {"variant": "cubic", "sink": "delayed"}, TCP | {"variant": "sack", "sink": "delayed"}]
    scenario = baseline(profile="ns-2.35", flows=flows)
    program = (
        "import sys; from simcore import scenario_from, simulate; "
        f"simulate(scenario_from({scenario.to_mapping()!r}), 'compiled'); "
        "print(sorted({'numba', 'scipy', 'dask', 'simcore.compiled.translation'} & set(sys.modules)))"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    for imported in ("['simcore.compiled.translation']\n", "[]\n"):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == imported
    assert len(list(tmp_path.rglob("code/*"))) == 1


def test_which_sources_come_first_makes_no_other_kind_of_network() -> None:
    """Or each of their orders would have to be compiled."""
    on_off: dict[str, object] = {"rate_mbps": 1, "burst_s": 1, "idle_s": 1}
    sources: dict[str, dict[str, object]] = {"cbr": {"rate_mbps": 1}, "exponential": on_off, "replay": {"times_s": [0]}}
    common = {"kind": "udp", "packet_bytes": 500, "start_s": 0, "stop_s": 1}
    flows = [common | {"source": name} | said for name, said in sources.items()]
    scenarios = [baseline(flows=order) for order in (flows, flows[::-1], flows[:2])]
    kinds = {world_of(each, topology_of(each), TOTALS).sources.dtype for each in scenarios}
    assert len(kinds) == 1


Code = Callable[[str, str], bytes]  # for sources of this name, which give this text


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Code:
    """Machine code from a cache of its own. What is compiled says how many were before it."""
    monkeypatch.setattr(machine_code, "CACHE", tmp_path / "cache")
    count = itertools.count()

    def found(sources: str, text: str) -> bytes:
        return machine_code.code_for(tmp_path / "cache" / sources / "types", lambda: text, compiled)

    def compiled(text: str) -> bytes:
        return f"{text}, compiled as number {next(count)}".encode()

    return found


def test_a_full_disk_leaves_nothing_behind_and_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: Code
) -> None:
    def write_half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    assert code("sources", "text") == b"text, compiled as number 0"
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_a_cache_that_cannot_be_written_stops_nobody(tmp_path: Path, code: Code) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert code("sources", "text") == b"text, compiled as number 0"


def test_other_sources_that_say_the_same_are_not_compiled_again(code: Code) -> None:
    assert code("sources", "text") == b"text, compiled as number 0"
    assert code("sources with a comment", "text") == b"text, compiled as number 0"
    assert code("other sources", "another text") == b"another text, compiled as number 1"
    assert code("sources", "text") == b"text, compiled as number 0"


@pytest.mark.parametrize("damaged", ["code/*", "sources/*"])
def test_what_was_cut_off_is_made_anew(tmp_path: Path, code: Code, damaged: str) -> None:
    code("sources", "text")
    [file] = (tmp_path / "cache").glob(damaged)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    again = code("sources", "text")
    assert again == f"text, compiled as number {1 if damaged == 'code/*' else 0}".encode()
    assert code("sources", "text") == again
    assert len(file.read_bytes()) == len(whole)


def test_what_is_gone_from_the_cache_is_made_anew(tmp_path: Path, code: Code) -> None:
    code("sources", "text")
    shutil.rmtree(tmp_path / "cache" / "code")
    assert code("sources", "text") == b"text, compiled as number 1"


def test_another_version_of_llvm_another_processor_and_another_way_to_compile_have_code_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [machine_code.name_of("text"), machine_code.name_of("another text")]
    (tmp_path / "way.py").write_text("LEVEL = 2")
    names.append(machine_code.name_of("text", [str(tmp_path / "way.py")]))
    with monkeypatch.context() as patch:
        patch.setattr("llvmlite.__version__", "0.1")
        names.append(machine_code.name_of("text"))
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_name", lambda: "abacus")
    names.append(machine_code.name_of("text"))
    assert len(set(names)) == 5


def test_two_processes_that_compile_the_same_at_once_leave_one_file_that_is_whole(tmp_path: Path) -> None:
    said = baseline().to_mapping()
    program = f"from simcore import scenario_from, simulate; simulate(scenario_from({said!r}), 'compiled')"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    processes = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(2)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    [file] = tmp_path.rglob("code/*")
    written = file.read_bytes()
    assert written[:32] == hashlib.sha256(written[32:]).digest()


def test_an_edited_rule_is_never_served_from_the_cache(tmp_path: Path) -> None:
    """Compile, edit a rule in a copy of the sources, run again: the new rule decides."""
    shutil.copytree(ROOT / "simcore", tmp_path / "simcore", ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "from tests_scenario import baseline; from simcore import simulate; "
        "print(*simulate(baseline(), 'compiled')['dropped'].values)"
    )
    text = (
        f"from simcore import scenario_from\ndef baseline():\n    return scenario_from({baseline().to_mapping()!r})\n"
    )
    (tmp_path / "tests_scenario.py").write_text(text)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def dropped() -> str:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def compiled() -> int:
        return len(list(tmp_path.rglob("code/*")))

    assert dropped() == "15 20"
    assert compiled() == 1
    rule = tmp_path / "simcore" / "rules" / "queues" / "droptail.py"
    rule.write_text(f"{rule.read_text()}# the same, in other words\n")
    assert dropped() == "15 20"
    assert compiled() == 1
    rule.write_text(rule.read_text().replace("waiting + 1 >= limit", "waiting >= limit"))
    assert dropped() != "15 20"
    assert compiled() == 2
