"""`import simcore` loads what a simulation needs, and no more."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.simcore.scenes import scene

HEAVY = ("IPython", "dask", "distributed", "llvmlite", "matplotlib", "pandas", "scipy", "seaborn", "xarray", "zarr")


def loaded_by(statements: str) -> set[str]:
    """The top-level names of all modules that are there after some statements, in a new process."""
    code = f"{statements}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "statements", ["import simcore", "from simcore import Scenario, check, load_scenario, simulate, simulate_totals"]
)
def test_a_simulation_can_be_set_up_without_what_takes_long_to_import(statements: str) -> None:
    assert loaded_by(statements).isdisjoint(HEAVY)


def test_totals_of_a_run_need_no_dataset() -> None:
    flow = {"kind": "udp", "source": "cbr", "packet_bytes": 1000, "rate_mbps": 1, "start_s": 0, "stop_s": 1}
    link = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}
    given = {"profile": "rfc", "end_s": 1, "bottleneck": link, "flows": [flow]}
    run = f"from simcore import scenario_from, simulate_totals\nsimulate_totals(scenario_from({given}))"
    assert loaded_by(run).isdisjoint(HEAVY)


def test_the_command_that_shows_a_table_needs_no_dataset(tmp_path: Path) -> None:
    given = tmp_path / "mine.yaml"
    given.write_text(scene().to_yaml())
    run = f"from workbook.commands.cli import main\nmain(['run', {str(given)!r}], standalone_mode=False)"
    assert loaded_by(run).isdisjoint(HEAVY)


def test_every_public_name_is_found() -> None:
    import simcore

    assert set(simcore.WHERE) == set(simcore.__all__) == set(dir(simcore))
    assert [name for name in simcore.__all__ if not hasattr(simcore, name)] == []


def test_trees_of_runs_are_loaded_when_they_are_asked_for() -> None:
    assert "xarray" in loaded_by("from simcore import simulate_many")


def test_a_name_that_there_is_not_is_told_as_ever() -> None:
    import simcore

    with pytest.raises(AttributeError, match="module 'simcore' has no attribute 'simulate_all'"):
        _ = simcore.simulate_all
