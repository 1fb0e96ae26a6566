"""A short part of the campaign, with seeds of its own; and that it tells what it finds."""

import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

from campaign import inputs, kills, report, scenarios
from campaign.__main__ import run
from campaign.bounds import ENDS, at_bounds
from campaign.damage import SCHEMA, VALIDATOR, refused_by_the_schema
from campaign.report import Tally
from campaign.trials import Finding, HangError, Kind, Round, within
from simcore import Scenario, ScenarioError, scenario_from
from tests.simcore.scenes import scene, udp_flow
from tests.sweeps import BASE

SEED = 15
DAMAGED = {"run": 80, "sweep": 40, "read": 30, "claims": 30, "figures": 10, "store": 10}  # 200 in all


@pytest.mark.parametrize("command", DAMAGED)
def test_a_damaged_file_gives_no_traceback_and_no_hang(command: str) -> None:
    done = inputs.tried(command, SEED, DAMAGED[command])
    assert done.trials == DAMAGED[command]
    assert [finding.told for finding in done.findings] == []


def test_what_the_schema_refuses_the_scenario_refuses() -> None:
    for number in range(100):
        damaged = refused_by_the_schema(Random(number), dict(BASE))
        assert not VALIDATOR.is_valid(damaged)
        with pytest.raises(ScenarioError):
            scenario_from(damaged)


def test_the_engines_agree_at_the_bounds() -> None:
    done = scenarios.tried(at_bounds(st.just(dict(BASE))), SEED, examples=15)
    assert done.trials == 15
    assert done.findings == []


def test_the_bounds_are_the_schemas() -> None:
    assert ENDS["buffer_packets"][:2] == [1, 2]
    assert -0.0 in ENDS["delay_ms"]
    assert SCHEMA["properties"]["end_s"]["maximum"] in ENDS["end_s"]


def test_a_difference_is_told_with_the_smallest_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def differ(scenario: Scenario) -> None:
        assert len(scenario.flows) < 2, "two flows"

    monkeypatch.setattr(scenarios, "assert_same", differ)
    several = st.integers(1, 8).map(lambda count: scene(*[udp_flow()] * count))
    [finding] = scenarios.tried(several, SEED).findings
    assert finding.told.startswith("AssertionError: two flows")
    assert finding.files["scenario.yaml"].count(b"kind: udp") == 2


def test_an_answer_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("flows")

    monkeypatch.setattr("simcore.load_scenario", broken)
    done = inputs.tried("run", SEED, 2)
    assert [finding.told for finding in done.findings] == [
        f"workbook run {name} --max-memory {inputs.SMALL_GB}: KeyError: 'flows'" for name in ("run.yaml", "run.json")
    ]


def test_other_files_after_a_kill_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "KILLS", 1)
    write = (
        "from pathlib import Path; import os; Path('out').mkdir(exist_ok=True); Path('out', str(os.getpid())).touch()"
    )
    done = kills.tried(["python3", "-c", write], lambda folder: None, "out", "out", SEED)
    assert [finding.told for finding in done.findings] == ["other files than without kills"]


def test_what_does_not_end_is_told() -> None:
    with pytest.raises(HangError, match=r"no end within 0\.05 s"), within(0.05):
        time.sleep(60)


def test_the_report_has_counts_seeds_and_files(tmp_path: Path) -> None:
    odd = Kind("odd", "odd seeds", lambda seed: Round(2, [Finding("it is odd", {"seed.txt": b"1"})] * (seed % 2)))
    tally = report.Tally(odd)
    for seed in (7, 8):
        tally.run(seed)
    text = report.write([tally], tmp_path)
    assert text == (tmp_path / "report.md").read_text()
    assert "| odd: odd seeds | 4 | 2 | 7 to 8 | 0 | 1 |" in text
    assert "python -m campaign --minutes 0 --seed 7 odd" in text
    assert (tmp_path / "odd-7-1" / "seed.txt").read_bytes() == b"1"


def test_what_was_found_is_kept_when_a_later_round_ends_everything(tmp_path: Path) -> None:
    def odd_then_killed(seed: int) -> Round:
        if seed == 8:
            raise SystemExit("killed")
        return Round(1, [Finding("odd", {"scenario.yaml": b"end_s: 1\n"})])

    with pytest.raises(SystemExit, match="killed"):
        run([Tally(Kind("odd", "one that is odd", odd_then_killed))], 7, 1.0, tmp_path)
    assert "python -m campaign --minutes 0 --seed 7 odd" in (tmp_path / "report.md").read_text()
    assert (tmp_path / "odd-7-1/scenario.yaml").read_bytes() == b"end_s: 1\n"


@pytest.mark.system("workbook.commands.cli", "workbook.build.prepared")
def test_a_build_that_nobody_kills_ends_well(tmp_path: Path) -> None:
    kills.prepare_build(tmp_path)
    assert kills.finished(kills.BUILD, tmp_path) == ""
    assert (tmp_path / "figures/left/manifest.json").exists()
