"""The benchmark's parts, without timing anything: loads are valid, tables tell what is missing."""

import json
import shutil
import subprocess
import sys

import pytest

from benchmarks import __main__ as program
from benchmarks import costs, installation, page, results, rivals
from benchmarks.kinds import kinds
from benchmarks.loads import BASELINE, LOADS
from benchmarks.ours import time_loop
from benchmarks.report import NOTHING, report, table
from simcore import TOTALS, simulate
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.variants import VARIANTS
from tests.workbook.site.pages import small_page
from workbook.paths import REPO


@pytest.mark.parametrize("load", LOADS, ids=lambda load: load.key)
def test_a_load_is_a_valid_scenario_and_its_beginning_too(load) -> None:  # type: ignore[no-untyped-def]
    assert load.scenario().end_s >= load.scenario(slow=True).end_s > 0


def test_the_loop_that_is_timed_sends_what_a_simulation_sends() -> None:
    scenario = LOADS[0].scenario(slow=True).model_copy(update={"end_s": 1.0})
    assert time_loop(scenario, TOTALS).packets == int(simulate(scenario, "compiled")["sent"].sum()) > 0


def test_help_is_help_and_no_benchmark() -> None:
    asked = [sys.executable, "-m", "benchmarks", "--help"]
    said = subprocess.run(asked, cwd=REPO.root, capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout.startswith("usage: python -m benchmarks")
    assert said.stderr == ""


def test_the_bar_is_for_terminals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A log that is no terminal stays empty."""
    monkeypatch.setattr(program, "measure", lambda simulators, loads, on_turn: [on_turn("a turn")])
    monkeypatch.setattr(costs, "first_runs", lambda on_turn: on_turn("a first run"))
    for name in ("start", "small_run", "memory", "many_flows", "figure_ms"):
        monkeypatch.setattr(costs, name, dict)
    monkeypatch.setattr(program, "page_ms", dict)
    monkeypatch.setattr(program, "installation", dict)
    for name in ("speeds", "ratios"):
        monkeypatch.setattr(results, name, lambda *_: {})
    monkeypatch.setattr(rivals, "versions", dict)
    assert program.measured()["start"] == {}
    assert capsys.readouterr() == ("", "")


def test_what_the_library_needs_is_counted_without_its_extras() -> None:
    needed = installation.required()
    assert {"numpy", "pydantic", "simpy", "xarray"} <= needed.keys()
    assert not {"llvmlite", "matplotlib", "jupyterlab", "scipy"} & needed.keys()


def test_the_librarys_size_and_start_are_rows_with_their_goals() -> None:
    result = json.loads((REPO.figures / "benchmarks" / "benchmarks.json").read_text())
    taken = {"wheel_mb": 0.8, "installed_mb": 201.0, "packages": 17}
    times = dict.fromkeys(("import_s", "simulate_s", "run_s"), results.spread([0.2, 0.3]))
    text = report(result | {"installation": taken | times})
    assert "| 201, goal below 200 missed" in text
    assert "| 0.25 (0.2 to 0.3), goal below 0.4 met" in text


def test_what_was_not_measured_before_is_a_row_and_a_section_when_it_is() -> None:
    result = json.loads((REPO.figures / "benchmarks" / "benchmarks.json").read_text())
    ns, ms = results.spread([90.0, 110.0, 100.0]), results.spread([50.0])
    first = {"first_runs": {"reno": 1.5, "cubic": 2.5}}
    text = report(result | {"many_flows": {"1": ns, "5000": ns}, "figure": {"figure_ms": ms}} | first)
    assert "| 5000  | 100 (90.0 to 110) |" in text
    assert text.endswith("| cubic           | 2.5   |\n| reno            | 1.5   |\n")
    assert "goal below 5 met by all" in text
    assert "goal below 5 missed" in report(result | {"first_runs": {"reno": 5.5}})
    assert "goal below 60 met" in text


def test_the_figure_and_the_many_flows_that_are_timed_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "FIGURES", 1)
    monkeypatch.setattr(costs, "FLOW_RUNS", 1)
    monkeypatch.setattr(costs, "PACKETS", 1000)
    monkeypatch.setattr(costs, "NUMBERS_OF_FLOWS", (1, 3))
    assert costs.figure_ms()["runs"] == 1
    assert {flows: cost["runs"] for flows, cost in costs.many_flows().items()} == {"1": 1, "3": 1}  # type: ignore[index]


def test_the_memory_of_a_recorded_packet_is_that_of_its_rows_and_their_dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LOADS", [BASELINE, BASELINE])
    held = costs.memory()
    assert 100 < held["log"] < held["dataset"] < held["peak"]  # type: ignore[operator]


def test_every_variant_and_every_queue_is_a_kind_of_network_and_runs_when_nothing_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = kinds()
    assert {f"{name}, linux" for name in VARIANTS} | DISCIPLINES.keys() <= found.keys()
    monkeypatch.setattr(costs, "kinds", lambda: {"pie": found["pie"]})
    told: list[str] = []
    assert costs.first_runs(told.append)["pie"] > 0  # type: ignore[operator]
    assert told == ["first run: pie"]


def test_a_table_is_aligned() -> None:
    assert table([["a", "bb"], ["ccc", "d"]]).splitlines() == ["| a   | bb |", "| --- | -- |", "| ccc | d  |"]


def test_the_committed_report_is_what_the_committed_numbers_say() -> None:
    folder = REPO.figures / "benchmarks"
    result = json.loads((folder / "benchmarks.json").read_text())
    assert report(result) == (folder / "benchmarks.md").read_text()


def test_a_simulator_that_is_not_installed_is_a_dash_with_the_reason() -> None:
    result = json.loads((REPO.figures / "benchmarks" / "benchmarks.json").read_text())
    ns3 = result["speeds"]["ns3"]
    ns3["loads"] = {load: {"missing": "not on this machine"} for load in ns3["loads"]}
    lines = report(result).splitlines()
    assert f"{NOTHING} {ns3['title']}: not on this machine." in lines
    [row] = [line for line in lines if line.startswith(f"| {ns3['title']} ") and "/" not in line]
    assert row.count(f"| {NOTHING} ") == len(ns3["loads"])


def test_the_page_has_a_table_with_goals_or_a_sentence() -> None:
    kept = json.loads((REPO.figures / "benchmarks" / "benchmarks.json").read_text())
    kept.pop("page", None)
    assert "the explorer as a page" not in report(kept)
    assert "Not measured: chromium is not installed." in report(
        kept | {"page": {"missing": "chromium is not installed"}}
    )
    spreads = {name: results.spread([ms]) for name, ms in (("first", 999.0), ("slider", 20.0), ("drag", 50.0))}
    text = report(kept | {"page": {"browser": "Chromium 1"} | spreads})
    assert "goal below 1000 met" in text
    assert "goal below 50 missed" in text


def test_without_a_browser_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert page.page_ms() == {"missing": "chromium is not installed"}


@pytest.mark.browser
def test_the_page_is_measured_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright comes with the studio's packages")
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    for name, few in (("explorer", small_page), ("OPENINGS", 1), ("STEPS", 2), ("DRAGS", 1)):
        monkeypatch.setattr(page, name, few)
    monkeypatch.setattr(page, "SLIDERS", ("bn-buffer_packets",))
    found = page.page_ms()
    for name in ("first", "slider", "drag"):
        assert 0 < found[name]["median"] < 60_000  # type: ignore[index]  # something was measured, on any machine
