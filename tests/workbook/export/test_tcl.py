"""Scripts for ns-2: what they say, what is refused, and where `ns` is installed, that both programs do the same."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.goldens import GOLDEN
from tests.simcore.scenes import bottleneck, mapping, scene, tcp_flow, udp_flow
from workbook.commands.cli import main
from workbook.export.tcl import FACTS, NotInNs2Error, script

with_ns = pytest.mark.skipif(shutil.which("ns") is None, reason="ns-2 (the program ns) is not installed")
STOCK = {"profile": "ns-2.35"}


def test_a_script_makes_nodes_links_agents_and_events_in_this_order() -> None:
    flows = (
        tcp_flow(ecn=True, lost_packets=[3], start_s=0),
        udp_flow(access={"rate_mbps": 9, "delay_ms": 1, "buffer_packets": 7}),
    )
    lines = script(scene(*flows, **STOCK, seed=9), "out.tr").splitlines()
    assert lines[1:6] == [
        "ns-random 9",
        "set ns [new Simulator]",
        "set trace [open {out.tr} w]",
        "set n0 [$ns node]",
        "set n1 [$ns node]",
    ]
    assert lines[6:13] == [
        "Queue/DropTail set limit_ 20",
        "$ns simplex-link $n0 $n1 2.0Mb 10.0ms DropTail",
        "Queue/DropTail set limit_ 50",
        "Queue/DropTail set queue_in_bytes_ false",
        "$ns simplex-link $n1 $n0 2.0Mb 10.0ms DropTail",
        "Queue/DropTail set limit_ 50",
        "set losses [new ErrorModule Fid]",
    ]
    assert "$loss0 droplist 2" in lines, "ns-2 counts from 0"
    assert "$src0 set ecn_ 1" in lines
    own = lines.index("$ns duplex-link $n2 $n0 9.0Mb 1.0ms DropTail")
    assert lines[own + 1 : own + 3] == ["$ns queue-limit $n2 $n0 7", "$ns queue-limit $n0 $n2 7"]
    assert lines[-6:] == [
        '$ns at 0.0 "$app0 start"', '$ns at 10.0 "$app0 stop"', '$ns at 0.1 "$app1 start"', '$ns at 10.0 "$app1 stop"',
        '$ns at 10.5 "close $trace; exit 0"', "$ns run",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"profile": "ns-2.27"}, "recovery_exit_marked: False is not possible in stock ns-2.35; must be True"),
        ({"bottleneck": bottleneck(queue="codel")}, "bottleneck.queue: 'codel' is not in ns-2.35; allowed: droptail"),
        ({"flows": [tcp_flow(variant="cubic")]}, "flows.0.variant: 'cubic' is not written for ns-2; allowed: tahoe"),
        ({"flows": [tcp_flow(transfer_bytes=5)]}, "flows.0.transfer_bytes: an FTP of ns-2 has no end"),
        ({"flows": [tcp_flow(spared_packets=[2])]}, "flows.0.spared_packets: ns-2 spares no packets"),
        ({"random_streams": "independent"}, "random_streams: independent is not possible in ns-2; must be shared"),
    ],
)  # fmt: skip
def test_what_ns_2_cannot_do_is_refused_by_name(changes: dict[str, object], said: str) -> None:
    with pytest.raises(NotInNs2Error) as refused:
        script(scene(**STOCK | changes), "out.tr")
    assert str(refused.value).startswith(said)


def test_the_command_refuses_before_it_simulates_and_writes_what_it_can(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(str(mapping()))
    (tmp_path / "good.yaml").write_text(str(mapping(**STOCK, end_s=0.3)))
    refused, written = (
        CliRunner().invoke(main, ["run", str(tmp_path / f"{name}.yaml"), "--tcl", str(tmp_path / "out")])
        for name in ("bad", "good")
    )
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "bad.yaml: --tcl: recovery_exit_marked: False" in refused.stderr
    assert written.exit_code == 0
    assert (tmp_path / "out" / "good.tcl").read_text().endswith("$ns run\n")


def test_linux_is_no_ns_2(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(str(mapping(profile="linux")))
    refused = CliRunner().invoke(main, ["run", str(tmp_path / "mine.yaml"), "--tcl", str(tmp_path)])
    assert refused.exit_code == 2
    assert "mine.yaml: --tcl: stack: linux is not possible in stock ns-2.35; must be ns-2" in refused.stderr


def test_without_ns_2_one_line_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text(str(mapping(**STOCK)))
    monkeypatch.setenv("PATH", str(tmp_path))
    checked = CliRunner().invoke(main, ["check", str(tmp_path / "mine.yaml")])
    said = "ns-2 is not installed: there is no program `ns`; on Debian and Ubuntu it is in the package ns2"
    assert (checked.exit_code, checked.stderr) == (2, f"Error: {said}\n")


@with_ns
@pytest.mark.parametrize(
    "golden", ["losses/sack-4", "losses/newreno-2", "queues/sfq-2", "rows/narrow-way-back", "senders/lost-syn-2"]
)
def test_ns_2_does_the_same(golden: str) -> None:
    checked = CliRunner().invoke(main, ["check", str(GOLDEN / f"{golden}.yaml")])
    assert checked.exit_code == 0, checked.output
    assert "the same in ns-2: " in checked.stdout


@with_ns
def test_the_first_event_that_differs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text(str(mapping(tcp_flow(), **STOCK, end_s=1)))
    monkeypatch.setitem(FACTS, "initial_window_packets", "Agent/TCP set windowInit_ 1")
    checked = CliRunner().invoke(main, ["check", str(tmp_path / "mine.yaml")])
    assert checked.exit_code == 1
    assert "mine.yaml and ns-2 part at 0.12" in checked.stdout, "the second segment of the first window"
