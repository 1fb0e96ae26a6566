"""Sweeps that can't be run: one line that says where, what was given and what is allowed; nothing is overwritten."""

import json
from pathlib import Path

import pytest
import xarray as xr
import yaml
from click.testing import CliRunner, Result

from simcore import Scenario
from tests.sweeps import BUFFER, files, one_thread, sweep, write
from workbook.commands.cli import main
from workbook.sweep.variables import Array, simulated

# What the file says beside name, base and engine, and what the line must say after the file's name.
WRONG = [
    ("{}", "vary: missing; must have one of vary, random, replications"),
    ("colour: 1",
     "colour: unknown key, given 1; allowed here: name, base, engine, vary, random, replications, jitter, warm_up_s"),
    ("name: a/b", "name: 'a/b' is not allowed; must be letters, digits, - and ."),
    ("engine: steam", "engine: 'steam' is not known; allowed: process, compiled"),
    ("{base: {}, replications: 2}", "base: "),
    ("replications: 0", "replications: 0 is not allowed; must be greater than or equal to 1"),
    ("vary: {x: 5}", "vary.x: 5 is not allowed; must be a mapping"),
    ("vary: {x: {values: [1]}}", "vary.x: nothing given; must have exactly one of path, paths"),
    ("vary: {x: {path: end_s, paths: [end_s], values: [1]}}", "vary.x: path and paths given; must have exactly one"),
    ("vary: {x: {path: end_s, value: [1]}}", "vary.x.value: unknown key, given [1]; allowed here: path, "),
    ("vary: {x: {path: end_s}}", "vary.x.from: missing; must be given, or values"),
    ("vary: {x: {path: end_s, from: 1, to: 2}}", "vary.x.steps: missing; must be given, or values"),
    ("vary: {x: {path: end_s, from: 1, values: [1]}}", "vary.x.from: not allowed beside values"),
    ("vary: {x: {path: end_s, from: 1, to: 2, steps: 1}}", "vary.x.steps: 1 is not allowed; must be greater than or "),
    ("vary: {x: {path: end_s, from: 0, to: 2, steps: 3, scale: log}}", "vary.x.scale: log is not allowed; must go "),
    ("vary: {x: {path: end_s, from: 1, to: 2, steps: 3, scale: cubic}}", "vary.x.scale: 'cubic' is not known; "),
    ("vary: {x: {path: end_s, from: 1, to: 2, steps: 5, whole: true}}", "vary.x.steps: gives 1 twice"),
    ("vary: {x: {path: end_s, values: [1, 2, 1]}}", "vary.x.values: gives 1 twice"),
    ("vary: {x: {path: end_s, values: [1, a]}}", "vary.x: [1, 'a'] is not allowed; must be numbers, or texts, or true"),
    ("vary: {x: {path: end_s, copies: [2]}}", "vary.x.copies: allowed only with the path flows"),
    ("vary: {x: {path: flows, copies: [2], values: [1]}}", "vary.x.copies: not allowed beside values"),
    ("vary: {x: {path: flows, copies: [1, 2501]}}", "vary.x.copies: 5,002 flows are not allowed; must be at most"),
    ("vary: {x: {path: flows, copies: [2], from: 1}}", "vary.x.from: not allowed beside copies"),
    ("vary: {x: {path: flows, copies: [2, 2]}}", "vary.x.copies: gives 2 twice"),
    ("vary: {x: {path: flows, copies: [0]}}", "vary.x.copies.0: 0 is not allowed; must be greater than or equal to 1"),
    ("{replications: 2, warm_up_s: 0.02}", "cell replication=1: flows.1: from 0.05 s to 0.5 s is not allowed; must"),
    ("{replications: 2, warm_up_s: -1}", "warm_up_s: -1 is not allowed; must be greater than or equal to 0"),
    ("vary: {x: {path: end_s, values: []}}", "vary.x.values: [] is not allowed; must have at least 1"),
    ("vary: {sent: {path: end_s, values: [1]}}", "vary.sent: not allowed as a name; must be a word"),
    ("vary: {a-b: {path: end_s, values: [1]}}", "vary.a-b: not allowed as a name; must be a word"),
    ("vary: {x: {path: end_s, values: [1]}, y: {path: end_s, values: [2]}}", "vary.y: end_s is varied by x already"),
    ("{vary: {x: {path: seed, values: [1]}}, replications: 2}", "vary.x: seed is varied by the replications already"),
    ("vary: {x: {path: flow.0.kind, values: [1]}}", "vary.x: flow.0.kind: no key 'flow'; there is bottleneck, end_s, "),
    ("vary: {x: {path: flows.2.kind, values: [1]}}", "vary.x: flows.2.kind: no element '2'; there are 2"),
    ("vary: {x: {path: bottleneck.rate, values: [1]}}", "cell x=1: bottleneck.rate: unknown key, given 1; allowed"),
    ("vary: {x: {path: end_s, values: [1, -1]}}", "cell x=-1: end_s: -1 is not allowed; must be greater than 0"),
    ("vary: {x: {path: bottleneck.buffer_packets, values: [5.0]}}", "cell x=5.0: bottleneck.buffer_packets: 5.0 is"),
    ("vary: {x: {path: end_s, from: 1, to: 2, steps: 10000}, y: {path: seed, from: 1, to: 2, steps: 10000}}",
     "100,000,000 cells are not allowed; must be at most 10,000,000"),
    ("{vary: {x: {path: end_s, values: [1]}}, random: {samples: 1, seed: 1, vary: {y: {path: seed, choice: [1, 2]}}}}",
     "random: not allowed beside vary; a sweep is a grid or random"),
    ("random: {samples: 1, vary: {x: {path: end_s, uniform: [1, 2]}}}", "random.seed: missing; must be given"),
    ("random: {sample: 1, seed: 1}", "random.sample: unknown key, given 1; allowed here: samples, seed, vary"),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, uniform: [2, 1]}}}",
     "random.vary.x.uniform: [2.0, 1.0] is not allowed; must be [low, high] with low < high"),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, loguniform: [0, 2]}}}",
     "random.vary.x.loguniform: [0.0, 2.0] is not allowed; must be [low, high] with 0 < low < high"),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, integers: [1, 100000000000000000000000]}}}",
     "random.vary.x.integers.1: 100000000000000000000000 is not allowed; must be less than or equal to "),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, integers: [1, 1.0e+23]}}}",
     "random.vary.x.integers.1: 1e+23 is not allowed; must be a whole number"),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, uniform: [1, 2], choice: [1]}}}",
     "random.vary.x: uniform and choice given; must have exactly one of uniform, loguniform, integers, choice"),
    ("random: {samples: 1, seed: 1, vary: {x: {path: end_s, normal: [1, 2]}}}",
     "random.vary.x.normal: unknown key, given [1, 2]; allowed here: "),
    ("{vary: {x: {path: end_s, values: [1]}}, jitter: {end_s: {uniform: [0, 1]}}}",
     "replications: missing; must be given where there is jitter"),
    ("{replications: 2, jitter: {flows.*.kind: {integers: [1, 2]}}}",
     "jitter: flows.*.kind: flows.0.kind is 'tcp'; must be a number"),
    ("{replications: 2, jitter: {flows.*.start: {uniform: [1, 2]}}}", "jitter: flows.*.start: no key 'start'; there"),
    ("{replications: 2, jitter: {end_s: {choice: [a]}}}", "jitter.end_s.choice: is added to what is there; must"),
    ("{replications: 2, jitter: {flows.0.start_s: {uniform: [0.9, 1]}}}", "cell replication=1: flows.0.start_s: "),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _in_this_process_and_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("workbook.sweep.running.processes", one_thread)


def assert_refused(result: Result, *parts: str) -> None:
    """Exit status 2, and nothing but a line on standard error, with these parts, and more only for missing keys."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    first, *others = result.stderr.splitlines()
    assert first.startswith("Error: ")
    assert all(": missing; " in other for other in others)
    for part in parts:
        assert part in first


@pytest.mark.parametrize(("said", "line"), WRONG, ids=[line for _, line in WRONG])
def test_a_file_that_is_wrong(said: str, line: str) -> None:
    write(**yaml.safe_load(said))
    assert_refused(sweep(), f"Error: mine.yaml: {line}")
    assert [path.name for path in Path().iterdir()] == ["mine.yaml"]


def test_options_that_cannot_be_used() -> None:
    write(vary={"buffer": BUFFER})
    assert_refused(sweep("--engine", "steam"), "--engine: 'steam' is not known; allowed: process, compiled")
    assert_refused(sweep("--scheduler", "here"), "--scheduler: 'here' is not allowed; must be as tcp://host:8786")
    assert_refused(sweep("--output", "mine.yaml"), "mine.yaml: is there and no sweep; remove it or choose another")
    assert_refused(sweep("--output", "mine.yaml/below"), "mine.yaml/below: cannot be written: ")
    assert_refused(CliRunner().invoke(main, ["sweep", "no.yaml"]), "no.yaml: cannot be read: no such file")
    assert [path.name for path in Path().iterdir()] == ["mine.yaml"]


def test_another_sweeps_result_is_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    write(vary={"buffer": BUFFER})
    assert sweep().exit_code == 0
    store = Path("build/sweeps/mine.zarr")
    before, versions = files(store), json.loads(xr.open_zarr(store).attrs["versions"])
    remedy = "remove it or choose another with --output"
    assert_refused(sweep("--engine", "compiled"), f"{store}: was made with the engine process; {remedy}")
    for changed, said in (("sources", "other sources"), ("python", f"python {versions['python']} instead of new")):
        monkeypatch.setattr("workbook.sweep.store.made_with", lambda changed=changed: versions | {changed: "new"})
        assert_refused(sweep(), f"{store}: was made with {said}; {remedy}")
    write(vary={"buffer": BUFFER | {"values": [2, 5]}})
    assert_refused(sweep(), f"{store}: was made with other parameters; {remedy}")
    assert files(store) == before


def test_a_worker_with_other_sources_is_not_listened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    write(vary={"buffer": BUFFER})
    monkeypatch.setattr("workbook.sweep.work.made_with", lambda: {"sources": "edited"})
    assert_refused(sweep(), "a worker has ", "; every worker must have what this machine has")
    assert not xr.open_zarr("build/sweeps/mine.zarr")["simulated"].any()


def test_a_file_that_stands_for_more_than_any_memory_holds_is_refused() -> None:
    levels = ", ".join(f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))
    Path("mine.yaml").write_text(f"name: mine\nbase: [&a0 [1], {levels}]\n")
    assert_refused(sweep(), "Error: mine.yaml: not readable as YAML: aliases within aliases stand for too much")


def test_too_little_memory_keeps_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    write(vary={"buffer": BUFFER})

    def too_much_for_a_large_buffer(scenario: Scenario, engine: str, warm_up_s: float) -> dict[str, Array]:
        if scenario.to_mapping()["bottleneck"]["buffer_packets"] == 20:
            raise MemoryError
        return simulated(scenario, engine, warm_up_s)

    monkeypatch.setattr("workbook.sweep.work.simulated", too_much_for_a_large_buffer)
    stopped = sweep()
    assert stopped.exit_code == 1
    assert stopped.stderr.splitlines()[-1] == "Error: not enough memory; what was finished before is kept"
    assert xr.open_zarr("build/sweeps/mine.zarr")["simulated"].values.tolist() == [True, True, False]
