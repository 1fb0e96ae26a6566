"""A replay source whose times stand in a file of their own."""

from pathlib import Path

import pytest
import yaml

from simcore import ScenarioError, load_scenario, scenario_from
from tests.simcore.scenes import mapping, tcp_flow


def replay(**more: object) -> dict[str, object]:
    return {"kind": "udp", "source": "replay", "packet_bytes": 500, "start_s": 0, "stop_s": 10} | more


def written(folder: Path, *flows: dict[str, object]) -> Path:
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(mapping(*flows)))
    return path


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return written(tmp_path, tcp_flow(), replay(times_file="times.txt"))


@pytest.mark.parametrize(
    ("content", "times"),
    [
        ("0.1\n0.25\n0.25\n7\n", (0.1, 0.25, 0.25, 7.0)),
        ("0", (0.0,)),
        ("\n 1e-3 \r\n\n1000000\n\n", (0.001, 1e6)),
    ],
)
def test_a_time_stands_on_every_line_that_is_not_empty(study: Path, content: str, times: tuple[float, ...]) -> None:
    study.with_name("times.txt").write_text(content)
    assert load_scenario(study).to_mapping()["flows"][1]["times_s"] == list(times)


def test_the_scenario_holds_the_times_and_needs_the_file_no_longer(study: Path) -> None:
    study.with_name("times.txt").write_text("0.1\n0.25\n")
    scenario = load_scenario(study)
    assert scenario_from(yaml.safe_load(scenario.to_yaml())) == scenario
    assert scenario == scenario_from(mapping(tcp_flow(), replay(times_s=[0.1, 0.25]), name="study"))


def test_the_file_is_looked_for_from_the_scenarios_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "times").mkdir()
    (tmp_path / "times" / "voice.txt").write_text("0.5\n")
    written(tmp_path, replay(times_file="times/voice.txt"))
    monkeypatch.chdir("/")
    assert load_scenario(tmp_path / "study.yaml").to_mapping()["flows"][0]["times_s"] == [0.5]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"0.1\nabc\n", "times.txt, line 2: 'abc' is not allowed; must be from 0 to 1e+06"),
        (b"0.1\n\n-0.1\n", "times.txt, line 3: '-0.1' is not allowed; must be from 0 to 1e+06"),
        (b"0.1 0.2\n", "times.txt, line 1: '0.1 0.2' is not allowed; must be from 0 to 1e+06"),
        (b"nan\n", "times.txt, line 1: 'nan' is not allowed; must be from 0 to 1e+06"),
        (b"1000000.1\n", "times.txt, line 1: '1000000.1' is not allowed; must be from 0 to 1e+06"),
        (b"0.1\n0.3\n0.2\n", "times.txt, line 3: 0.2 is not allowed after 0.3; must not decrease"),
        (b"\n\n", "times.txt: the file holds no times; must have at least 1"),
        (b"0.1\n\xff\n", "times.txt': not text in UTF-8; must have a time in seconds on every line"),
        (None, "times.txt: cannot be read: no such file or directory"),
    ],
)
def test_a_bad_file_is_answered_with_its_line(study: Path, content: bytes | None, problem: str) -> None:
    if content is not None:
        study.with_name("times.txt").write_bytes(content)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(study)
    line = str(caught.value)
    assert line.startswith(f"{study}: flows.1.times_file: ")
    assert line.endswith(problem)
    assert "\n" not in line


@pytest.mark.parametrize(
    ("flow", "problem"),
    [
        (replay(times_file="a.txt", times_s=[1]), "flows.0.times_file: 'a.txt' is not allowed beside times_s"),
        (replay(times_file=3), "flows.0.times_file: 3 is not allowed; must be text"),
        (replay(times_file="."), "flows.0.times_file: "),
        (replay(times_file="/dev/zero"), "flows.0.times_file: /dev/zero: the file is too large; must have at most "),
        (replay(times_file="t" * 300), "flows.0.times_file: "),
        (replay(times_file="a\0b"), "flows.0.times_file: "),
        (tcp_flow(times_file="a.txt"), "flows.0.times_file: unknown key, given 'a.txt'; allowed here: "),
        (replay(), "flows.0.times_s: missing; must be given"),
    ],
)
def test_a_name_that_is_none(tmp_path: Path, flow: dict[str, object], problem: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(written(tmp_path, flow))
    assert str(caught.value).startswith(f"{tmp_path / 'study.yaml'}: {problem}")
    assert "\n" not in str(caught.value)


def test_times_file_is_among_what_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"flows\.0\.time_file: unknown key, .* times_s, times_file\n"):
        load_scenario(written(tmp_path, replay(time_file="a.txt")))
