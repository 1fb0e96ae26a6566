"""What `workbook run` and `workbook sweep` say of their cost, what they refuse, and how a Ctrl-C ends them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from simcore.results.cost import Cost
from tests.sweeps import BUFFER, sweep, write
from workbook.commands import cost
from workbook.commands.cli import main
from workbook.sweep import report

LINK = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}
TCP = {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.1, "stop_s": 1e6}
# A shell's background jobs ignore SIGINT, and so do their children, until they say otherwise.
PROGRAM = """
import signal
from workbook.commands.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
LONG = {"profile": "ns-2.27", "end_s": 1e6, "bottleneck": LINK, "flows": [TCP]}


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    Path("long.yaml").write_text(yaml.safe_dump(LONG))
    return CliRunner().invoke(main, ["run", "long.yaml", *arguments])


def test_a_run_that_needs_too_much_memory_is_refused_before_it_starts() -> None:
    result = run("--max-memory", "5", "--trace", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: long.yaml: would need about ")
    assert "more than the 5 GB allowed; shorten it, or allow more with --max-memory" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("out").exists()


def test_without_the_option_three_quarters_of_the_memory_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "machine_memory_bytes", lambda: 8e9)
    assert "more than the 6 GB allowed" in run().stderr


def test_what_is_large_is_told_and_what_is_small_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    cost.announce({"a": Cost(1000, 1.0, 1e6), "b": Cost(2e6, 300.0, 1e6), "c": Cost(3e6, 1.0, 2e9)}, max_memory=3)
    assert capsys.readouterr().err.splitlines() == [
        "b: up to about 0.001 GB and 5 min for 2,000,000 packets",
        "c: up to about 2 GB and 1 s for 3,000,000 packets",
    ]


@pytest.mark.system
@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_a_ctrl_c_ends_a_run_with_one_line(engine: str) -> None:
    """A finished run before it keeps its results. The compiled engine also shows what it has of the other."""
    Path("short.yaml").write_text(yaml.safe_dump(LONG | {"end_s": 2}))
    Path("long.yaml").write_text(yaml.safe_dump(LONG))
    options = ["--trace", "out", "--engine", engine, "--max-memory", "1e6"]
    command = [sys.executable, "-c", PROGRAM, "run", "short.yaml", "long.yaml", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        while not Path("out", "short.tr").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.1)  # what the compiled engine has by then is written, too
        process.send_signal(signal.SIGINT)
        try:
            printed, said = process.communicate(timeout=180)
        finally:
            process.kill()
    assert process.returncode == 130
    assert Path("out", "short.tr").stat().st_size > 10_000
    assert printed.startswith("short.yaml: short\n")
    stopped = said.splitlines()[1:]  # the first says what the long one will need
    assert len(stopped) == 1
    assert stopped[0].startswith("Stopped")
    assert Path("out", "long.tr").exists() == (engine == "compiled")


def test_a_sweep_that_needs_too_much_memory_is_refused() -> None:
    write(vary={"buffer": BUFFER})
    result = sweep("--max-memory", "0.000001")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: mine.yaml: would need about ")
    assert not Path("build").exists()


def test_checking_many_cells_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "SECONDS_BETWEEN_LINES", 0)
    write(vary={"buffer": BUFFER})
    assert "2 of 3 cells checked" in sweep("--max-memory", "0.000001").stderr
