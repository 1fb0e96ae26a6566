"""The command line when everything goes well; tests/workbook/commands/test_bad_input.py has the rest."""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import xarray as xr
import yaml
from click.testing import CliRunner

from simcore import load_scenario, simulate
from simcore.scenario.flows import UDP_FLOWS, Flow, TcpFlow
from workbook.commands.cli import main
from workbook.export.trace import trace_lines

BASELINE = {
    "name": "TCP against UDP",
    "profile": "ns-2.27",
    "end_s": 10.5,
    "bottleneck": {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20},
    "flows": [
        {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.1, "stop_s": 10},
        {"kind": "udp", "source": "cbr", "packet_bytes": 1000, "rate_mbps": 0.95, "start_s": 0.1, "stop_s": 10},
    ],
}
SILENT = BASELINE | {"end_s": 0.2, "flows": [BASELINE["flows"][1] | {"start_s": 0.199, "stop_s": 1}]}  # type: ignore[index]


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> str:
    """What `workbook run` prints."""
    result = CliRunner().invoke(main, ["run", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_run_prints_the_studys_numbers_for_each_flow_and_in_total() -> None:
    Path("mine.yaml").write_text(yaml.safe_dump(BASELINE))
    title, head, tcp, udp, total = run("mine.yaml").splitlines()
    assert title == "mine.yaml: TCP against UDP"
    assert head.split("  ")[0] == "flow"
    assert tcp.split()[:8] == ["TCP", "Reno", "1", "1158", "24", "1134", "1150.74", "2.07"]
    assert udp.split()[:8] == ["UDP", "CBR", "2", "1176", "0", "1176", "1148.44", "0.00"]
    assert total.split()[:5] == ["total", "2334", "24", "2310", "2299.18"]
    assert len({len(line) for line in (head, tcp, udp, total)}) == 1, "the columns are aligned"


def test_every_file_gets_its_table_and_json_is_as_good_as_yaml() -> None:
    Path("a.yaml").write_text(yaml.safe_dump(BASELINE))
    Path("b.json").write_text(json.dumps(BASELINE))
    first, second = run("a.yaml", "b.json").split("\n\n")
    assert first.replace("a.yaml", "b.json").rstrip() == second.rstrip()


def test_where_nothing_arrives_there_is_no_mean_to_print() -> None:
    Path("silent.yaml").write_text(yaml.safe_dump(SILENT))
    flow = run("silent.yaml").splitlines()[2]
    assert flow.split() == ["UDP", "CBR", "1", "1", "0", "0", "0.00", "0.00", "0.0", "-", "-"]


def test_a_trace_and_a_dataset_are_written_into_directories_made_for_them() -> None:
    Path("mine.yaml").write_text(yaml.safe_dump(BASELINE))
    run("mine.yaml", "--trace", "some/traces", "--dataset", "data")
    expected = simulate(load_scenario("mine.yaml"))
    assert Path("some/traces/mine.tr").read_text() == "".join(trace_lines(expected))
    xr.testing.assert_identical(xr.load_dataset("data/mine.nc", engine="h5netcdf"), expected)
    assert sorted(path.name for path in Path().rglob("*.*")) == ["mine.nc", "mine.tr", "mine.yaml"]


def test_a_dataset_of_nothing_is_a_file_too() -> None:
    Path("silent.yaml").write_text(yaml.safe_dump(SILENT))
    run("silent.yaml", "--dataset", ".")
    xr.testing.assert_identical(xr.load_dataset("silent.nc"), simulate(load_scenario("silent.yaml")))


def test_the_example_in_the_help_can_be_pasted_and_run() -> None:
    text = CliRunner().invoke(main, ["run", "--help"]).stdout
    example = text[text.index("    profile:") : text.index("  Then:")]
    Path("mine.yaml").write_text(textwrap.dedent(example))
    assert "1158" in run("mine.yaml")
    Path("mine.yaml").write_text(example)
    assert "1158" in run("mine.yaml"), "indented, as it stands in the help"


def test_the_help_names_every_field_of_a_flow() -> None:
    words = set(re.findall(r"\w+", CliRunner().invoke(main, ["run", "--help"]).stdout))
    flows: list[type[Flow]] = [TcpFlow, *UDP_FLOWS.values()]
    assert {name for flow in flows for name in flow.model_fields} <= words


def test_help_needs_none_of_the_large_libraries() -> None:
    libraries = "{'numpy', 'xarray', 'pydantic', 'papermill'}"
    code = f"import sys, workbook.commands.cli; print(sorted({libraries} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_run_with_its_table_imports_neither_dask_nor_scipy() -> None:
    """They take longer than all the rest. xarray imports them to ask if a number is an array of dask's."""
    Path("mine.yaml").write_text(yaml.safe_dump(BASELINE))
    code = (
        "import sys; from workbook.commands.cli import main; main(['run', 'mine.yaml'], standalone_mode=False); "
        "print(sorted({'dask', 'scipy', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", [[], ["run"], ["figures"], ["claims"]])
def test_help_says_what_the_exit_status_means(command: list[str]) -> None:
    assert "exit status" in CliRunner().invoke(main, [*command, "--help"]).stdout.lower()


def test_a_run_that_is_stopped_shows_and_writes_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C as the compiled engine sees it: an interrupt between two of its calls."""
    from simcore.compiled import machine_code

    run_events, calls = machine_code.compiled_loop(), []

    def interrupted_later(world: object, most: int) -> int:
        calls.append(most)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return run_events(world, 1000)  # type: ignore[arg-type]

    monkeypatch.setattr(machine_code, "compiled_loop", lambda: interrupted_later)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(BASELINE))
    arguments = ["run", str(tmp_path / "mine.yaml"), "--engine", "compiled", "--trace", str(tmp_path / "out")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 130
    assert result.stderr.startswith("Stopped at ")
    assert "TCP Reno 1" in result.stdout
    lines = (tmp_path / "out" / "mine.tr").read_text().splitlines()
    assert 2000 < len(lines) < 2 * 2000  # an event of the loop is one line or two: what arrives leaves again at once
