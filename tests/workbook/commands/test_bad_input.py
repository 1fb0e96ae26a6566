"""Bad input, through the real command line: a line each that says where, what was given and what is allowed."""

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from workbook.commands.cli import main
from workbook.paths import REPO

GOOD = """\
profile: ns-2.27
end_s: 10.5
bottleneck: {rate_mbps: 2, delay_ms: 10, queue: droptail, buffer_packets: 20}
flows:
  - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 10}
  - {kind: udp, source: cbr, packet_bytes: 1000, rate_mbps: 0.95, start_s: 0.1, stop_s: 10}
"""
FLOWS = GOOD[GOOD.index("flows") :]

# What is changed in the good file, to what, and what the line must say after the file's name.
CHANGES = [
    ("end_s: 10.5", "end_s: 1\ncolour: red", "colour: unknown key, given 'red'; allowed here: name, profile, "),
    ("delay_ms", "delay_s", "bottleneck.delay_s: unknown key, given 10; allowed here: rate_mbps, delay_ms"),
    ("variant: reno", "source: cbr", "flows.0.source: unknown key, given 'cbr'; allowed here: packet_bytes"),
    ("end_s", 'name: "a\\0b"\nend_s', "name: 'a\\x00b' is not allowed; must be text without null characters"),
    ("end_s: 10.5\n", "", "end_s: missing"),
    ("rate_mbps: 2", "rate_mbps: -2", "bottleneck.rate_mbps: -2 is not allowed; must be greater than 0"),
    ("buffer_packets: 20", "buffer_packets: 0", "bottleneck.buffer_packets: 0 is not allowed; must be greater"),
    ("packet_bytes: 1000", "packet_bytes: 0.5", "flows.0.packet_bytes: 0.5 is not allowed; must be a whole number"),
    ("stop_s: 10}", "stop_s: 0.05}", "flows.0.stop_s: 0.05 is not allowed; must be greater than start_s, 0.1"),
    ("start_s: 0.1, stop_s: 10", "start_s: 11, stop_s: 12",
     "flows.0.start_s: 11.0 is not allowed; must be less than end_s"),
    ("ns-2.27", "ns-3", "profile: 'ns-3' is not known; allowed: ns-2.27, ns-2.35"),
    ("ns-2.27", "2.27", "profile: 2.27 is not known; allowed: ns-2.27, ns-2.35"),
    ("end_s: 10.5", "end_s: 1\nmin_rto: 1", "min_rto: unknown key, given 1; allowed here: name, profile, "),
    ("end_s: 10.5", "end_s: 1\nmin_rto_s: -1", "min_rto_s: -1 is not allowed; must be greater"),
    ("reno", "bbr9", "flows.0.variant: 'bbr9' is not known; allowed: tahoe, reno, vegas, sack, newreno, "),
    ("cbr", "vbr", "flows.1.source: 'vbr' is not known; allowed: cbr"),
    ("kind: tcp", "kind: sctp", "flows.0.kind: 'sctp' is not known; allowed: tcp, udp"),
    ("droptail", "blue", "bottleneck.queue: 'blue' is not known; allowed: droptail, sfq, drr, red, codel, fq_codel"),
    ("variant: reno", "variant: reno, sink: lazy", "flows.0.sink: 'lazy' is not known; allowed: immediate"),
    ("reno", "reno, send_jitter_ms: -1", "flows.0.send_jitter_ms: -1 is not allowed; must be greater than or "),
    ("reno", "reno, ecn: 1", "flows.0.ecn: 1 is not allowed; must be true or false"),
    ("reno", "vegas, ecn: true", "flows.0.ecn: true is not allowed with vegas; allowed with tahoe, reno, sack, "),
    ("droptail", "droptail, marks: true", "bottleneck.marks: unknown key, given True; allowed here: rate_mbps, "),
    ("source: cbr", "source: cbr, send_jitter_ms: 1", "flows.1.send_jitter_ms: unknown key, given 1; allowed here: "),
    ("rate_mbps: 2", "rate_mbps: .nan", "bottleneck.rate_mbps: nan is not allowed; must be a finite number"),
    ("end_s: 10.5", "end_s: .inf", "end_s: inf is not allowed; must be a finite number"),
    ("end_s: 10.5", "end_s: '10.5'", "end_s: '10.5' is not allowed; must be a number"),
    ("packet_bytes: 1000", "packet_bytes: yes", "flows.0.packet_bytes: True is not allowed; must be"),
    (FLOWS, "flows: []", "flows: "),
    (FLOWS, "flows: [3]", "flows.0: 3 is not allowed; must be a mapping"),
    ("{rate", "{rate: [", "not readable as YAML: "),
    ("10.5", "!!python/object/apply:os.system [id]", "not readable as YAML: could not determine"),
    ("end_s: 10.5", "end_s: 10.5\nend_s: 11", "not readable as YAML: the key 'end_s' is given twice"),
    ("delay_ms: 10,", "delay_ms: 10, delay_ms: 9,", "not readable as YAML: the key 'delay_ms' is given twice"),
    ("end_s: 10.5", "[end_s]: 10.5", "not readable as YAML: "),
    ("end_s: 10.5", "---\nend_s: 10.5", "not readable as YAML: expected a single document"),
]  # fmt: skip

# 900 bytes that stand for 1e30 values: a message that repeats what was given would never end.
LAUGHS = "x: [&a0 [1, 1], " + ", ".join(f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)) + "]"
MERGES = "\n".join(["a0: &a0 {}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, 30)])

# Whole files: ending, content, and what the line must say.
FILES = {
    "empty": (".yaml", b"", "the file holds nothing; must be a mapping"),
    "only a comment": (".yaml", b"# later\n", "the file holds nothing; must be a mapping"),
    "a list": (".yaml", b"- 1\n- 2\n", "the file holds a list; must be a mapping"),
    "a word": (".yaml", b"hello\n", "must be a mapping"),
    "binary": (".yaml", bytes(range(256)), "not text in UTF-8"),
    "zero bytes": (".yaml", b"\x00\x01\x02", "not readable as YAML: "),
    "not UTF-8": (".yaml", "name: Köln".encode("latin-1"), "not text in UTF-8"),
    "YAML that contains itself": (".yaml", b"&a {profile: *a}", "not readable as YAML: "),
    "nested too deeply": (".json", b"[" * 100_000, "not readable as JSON: "),
    "broken JSON": (".json", b'{"profile": ', "not readable as JSON: "),
    "aliases within aliases": (".yaml", LAUGHS.encode(), "not readable as YAML: aliases within aliases stand for too "),
    "merges within merges": (".yaml", MERGES.encode(), "not readable as YAML: aliases within aliases stand for too "),
    "a key twice in JSON": (".json", b'{"end_s": 1, "end_s": 2}', "not readable as JSON: the key 'end_s' is given"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(GOOD)
    Path("out").mkdir()
    Path("out", "bad.tr").write_text("an earlier result")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments])


def assert_untouched() -> None:
    assert [path.name for path in Path("out").iterdir()] == ["bad.tr"]
    assert Path("out", "bad.tr").read_text() == "an earlier result"


def assert_refused(result: Result, line: str) -> None:
    """Exit status 2, one line on standard error, more only for keys that are missing, and all that was there is."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    first, *others = result.stderr.splitlines()
    assert first.startswith(f"Error: {line}")
    assert all(other.endswith(": missing; must be given") for other in others), "what is misspelt is missing as well"
    assert_untouched()


def test_all_problems_of_a_file_are_told_at_once() -> None:
    flows = "[{kind: tcp, variant: renoo, colour: red}, {kind: xx}]"
    Path("bad.yaml").write_text(f"{{profile: nope, bottleneck: {{queue: droptail, rate_mbps: -1}}, flows: {flows}}}")
    told = run("bad.yaml").stderr.splitlines()
    missing = [f"flows.0.{field}: missing" for field in ("packet_bytes", "start_s", "stop_s", "window_packets")]
    places = [line.removeprefix("Error: bad.yaml: ").partition(";")[0].partition(",")[0] for line in told]
    assert sorted(places) == sorted(
        [
            "flows.0.colour: unknown key",
            "profile: 'nope' is not known",
            "end_s: missing",
            "bottleneck.rate_mbps: -1 is not allowed",
            "bottleneck.delay_ms: missing",
            "flows.0.variant: 'renoo' is not known",
            *missing,
            "flows.1.kind: 'xx' is not known",
        ]
    )
    assert places[0] == "flows.0.colour: unknown key", "it may explain a missing one"


def test_of_very_many_problems_some_are_told() -> None:
    Path("bad.yaml").write_text(GOOD.replace("flows:\n", "flows:\n" + 100 * "  - {}\n", 1))
    told = run("bad.yaml").stderr.splitlines()
    assert len(told) == 21
    assert told[-1] == "Error: bad.yaml: 80 more like these"


@pytest.mark.parametrize(("old", "new", "line"), CHANGES, ids=[line for _, _, line in CHANGES])
def test_a_scenario_that_is_wrong(old: str, new: str, line: str) -> None:
    assert old in GOOD
    Path("bad.yaml").write_text(GOOD.replace(old, new, 1))
    assert_refused(run("bad.yaml", "--trace", "out"), f"bad.yaml: {line}")


@pytest.mark.parametrize(("ending", "content", "line"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_scenario(ending: str, content: bytes, line: str) -> None:
    Path(f"bad{ending}").write_bytes(content)
    result = run(f"bad{ending}", "--trace", "out")
    assert_refused(result, f"bad{ending}: ")
    assert line in result.stderr


def test_a_file_that_is_not_there() -> None:
    assert_refused(run("bad.yaml", "--trace", "out"), "bad.yaml: cannot be read: no such file or directory")


def test_a_directory() -> None:
    assert_refused(run("out", "--trace", "out"), "out: cannot be read: is a directory")


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)  # root, who may run this, is refused nothing
    result = run("good.yaml", "--trace", "out")
    monkeypatch.undo()
    assert result.exit_code == 2
    assert result.stderr == "Error: good.yaml: cannot be read: permission denied\n"


def test_one_bad_file_among_good_ones_stops_them_all_before_the_first_is_run() -> None:
    Path("bad.yaml").write_text("")
    assert_refused(run("good.yaml", "bad.yaml", "--trace", "out"), "bad.yaml: the file holds nothing")


def test_every_bad_file_gets_its_line() -> None:
    result = run("no.yaml", "good.yaml", "out")
    assert result.exit_code == 2
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()] == ["no.yaml", "out"]


@pytest.mark.parametrize("option", ["--trace", "--dataset"])
def test_two_files_that_would_be_written_to_one(option: str) -> None:
    Path("other").mkdir()
    Path("other", "good.json").write_text("{}")
    Path("other", "good.yaml").write_text(GOOD)
    line = f"{option}: two files would both be written to out/good.*; rename one"
    assert_refused(run("good.yaml", "other/good.yaml", option, "out"), line)


def test_an_engine_that_is_not_there() -> None:
    result = run("good.yaml", "--engine", "steam", "--trace", "out")
    assert_refused(result, "--engine: 'steam' is not known; allowed: process")


@pytest.mark.parametrize("target", ["good.yaml", "good.yaml/below"])
def test_a_file_where_a_directory_should_be(target: str) -> None:
    result = run("good.yaml", "--trace", target)
    assert_refused(result, f"--trace: {target}: not a directory; must be a directory that can be written")
    assert Path("good.yaml").read_text() == GOOD


def test_a_directory_that_may_not_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root, who may run this, is refused nothing
    assert_refused(run("good.yaml", "--dataset", "out"), "--dataset: out: permission denied; must be a directory")


def test_a_disk_that_is_full_leaves_the_old_trace_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def half(_: object, path: Path) -> None:
        path.write_text("half a trace")
        raise OSError(28, "No space left on device")

    Path("bad.yaml").write_text(GOOD)
    monkeypatch.setattr("workbook.export.trace.write_trace", half)
    result = run("bad.yaml", "--trace", "out")
    assert result.exit_code == 2
    assert result.stderr == "Error: out/bad.tr: cannot be written: no space left on device\n"
    assert_untouched()


@pytest.mark.parametrize("content", ["", "!!python/name:os.system", GOOD.replace("ns-2.27", "ns-3")])
def test_the_installed_command_shows_no_traceback(content: str) -> None:
    Path("bad.yaml").write_text(content)
    command = [str(Path(sys.executable).with_name("workbook")), "run", "bad.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: bad.yaml: ")
    assert done.stderr.count("\n") == 1


def test_claims_of_a_source_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["claims", "no-such-study"])
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: SOURCE: 'no-such-study' is not known; allowed: ")


def test_a_long_name_is_not_repeated_in_full() -> None:
    result = CliRunner().invoke(main, ["figures", "x" * 10_000])
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: CHAPTER: 'xxxx")
    assert " is not known; allowed: " in result.stderr
    assert len(result.stderr) < 1000


def test_a_chapter_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["figures", "no-such-chapter"])
    assert result.exit_code == 2
    chapters = ", ".join(sorted(path.stem for path in REPO.params.glob("*.yaml")))
    assert result.stderr == f"Error: CHAPTER: 'no-such-chapter' is not known; allowed: {chapters}\n"


@pytest.mark.parametrize(
    "arguments", [["good.yaml", "--dataset", "d" * 300], ["x" * 250 + ".yaml", "--dataset", "datasets"]]
)
def test_a_name_that_is_too_long_is_refused_before_anything_is_simulated(arguments: list[str]) -> None:
    Path(arguments[0]).write_text(GOOD)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.endswith("name too long\n") or "file name too long" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_said_in_one_line() -> None:
    command = [str(Path(sys.executable).parent / "workbook"), "run", "good.yaml"]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Error: standard output: no space left on device\n"


def test_a_full_disk_leaves_the_earlier_dataset_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _: object) -> int:
        raise OSError(28, "No space left on device", str(path))

    Path("out", "good.nc").write_text("an earlier result")
    monkeypatch.setattr(Path, "write_bytes", full)
    result = run("good.yaml", "--dataset", "out")
    assert result.exit_code == 2
    assert result.stderr == "Error: out/good.nc: cannot be written: no space left on device\n"
    assert sorted(path.name for path in Path("out").iterdir()) == ["bad.tr", "good.nc"]
    assert Path("out", "good.nc").read_text() == "an earlier result"


@pytest.mark.parametrize("option", ["--dataset", "--trace", "--pcap", "--figures"])
def test_a_disk_that_is_really_full_costs_one_line_and_no_earlier_result(option: str) -> None:
    """As on a full disk no file grows beyond some bytes, whoever writes it: HDF5 in C, matplotlib, Python."""
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, allowed[1]))
    try:
        result = run("good.yaml", option, "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert result.exit_code == 2, result.output
    assert re.fullmatch(r"Error: out/good[.\w]*: cannot be written: file too large\n", result.stderr)
    assert [path.name for path in Path("out").rglob("*") if path.is_file()] == ["bad.tr"]


@pytest.mark.parametrize("name", ["n" * 300, "a/b", "..", "\n"])
def test_a_name_says_nothing_about_files(name: str) -> None:
    """Whatever a scenario is called, its results have the name of its file."""
    Path("named.yaml").write_text(GOOD.replace("end_s: 10.5", f"end_s: 1\nname: {json.dumps(name)}"))
    result = run("named.yaml", "--dataset", "out", "--trace", "out")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("out").iterdir()} == {"bad.tr", "named.nc", "named.tr"}


def test_too_little_memory_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("simcore.simulation.record", too_much)
    result = run("good.yaml")
    assert result.exit_code == 1
    assert result.stderr == "Error: not enough memory; what was finished before is kept\n"
