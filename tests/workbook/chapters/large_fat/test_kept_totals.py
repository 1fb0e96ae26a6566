"""The kept totals: of the committed parameters, made again where a run is short, and of no other scenario."""

import json
from typing import Any, Final

import pytest

from simcore.results.totals import Totals
from workbook.chapters.large_fat import lab as laboratory
from workbook.chapters.large_fat.kept_totals import KEPT, LONG_PACKETS, key, load
from workbook.chapters.large_fat.lab import Lab

RUNS: Final[dict[str, dict[str, Any]]] = json.loads(KEPT.read_text("utf-8"))
SHORT: Final = sorted(RUNS, key=lambda name: sum(RUNS[name]["totals"]["sent"]))[:12]


def test_every_run_is_of_the_committed_parameters(lab: Lab) -> None:
    """Where it fails, parameters have changed: `python -m workbook.chapters.large_fat.keep` makes the runs again."""
    assert {key(lab.scenario(run["case"], run["changes"])) for run in RUNS.values()} == set(RUNS)
    assert min(sum(run["totals"]["sent"]) for run in RUNS.values()) >= LONG_PACKETS


@pytest.mark.parametrize("name", SHORT)
def test_the_shortest_runs_come_out_again(lab: Lab, name: str) -> None:
    run = RUNS[name]
    again = lab.counted(run["case"], run["changes"]).totals
    assert {total: of_flows.tolist() for total, of_flows in again.items()} == run["totals"]


def test_what_is_kept_is_not_simulated_and_what_is_changed_is(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def simulated(scenario: object, engine: str) -> Totals:
        asked.append(scenario)
        return load()[SHORT[0]]

    monkeypatch.setattr(laboratory, "simulate_totals", simulated)
    reading, run = Lab(lab.chapter, "compiled", load()), RUNS[SHORT[0]]
    reading.counted(run["case"], run["changes"])
    assert asked == []
    changed = run["changes"] | {"end_s": 0.5}
    reading.counted(run["case"], changed)
    assert asked == [lab.scenario(run["case"], changed)]
