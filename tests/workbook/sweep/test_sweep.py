"""Sweeps: which cells there are, and that each holds what a run of its scenario gives."""

import json
import shutil
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
import yaml
from click.testing import CliRunner

from simcore import Scenario, scenario_from, simulate
from tests.sweeps import BASE, BOTTLENECK, BUFFER, JITTER, RANDOM, TCP, UDP, one_thread, sweep, write
from workbook.commands.cli import main
from workbook.sweep import Design, Sweep, SweepError, cell_scenario, frame
from workbook.sweep.batches import batch_shape, batches, cells_of

ROOT = Path(__file__).parents[3]
SIZE = {"paths": ["flows.0.packet_bytes", "flows.1.packet_bytes"], "from": 100, "to": 1000, "steps": 2, "whole": True}
SINK = {"path": "flows.0.sink", "values": ["immediate", "delayed"]}


@pytest.fixture(autouse=True)
def _in_this_process_and_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("workbook.sweep.running.processes", one_thread)


def design(**said: Any) -> Design:
    return Design(Sweep.load(write(**said)))


def swept(**said: Any) -> xr.Dataset:
    """The Dataset of a sweep."""
    write(**said)
    result = sweep()
    assert result.exit_code == 0, result.stderr
    dataset: xr.Dataset = xr.open_zarr("build/sweeps/mine.zarr").load()
    return dataset


def assert_is_run(cell: xr.Dataset, scenario: Scenario) -> None:
    """A cell has the totals of a run of its scenario."""
    run = simulate(scenario)
    for name in ("sent", "dropped", "received", "received_bytes", "retransmitted", "timeouts", "in_flight"):
        np.testing.assert_array_equal(cell[name], run[name], err_msg=name)
    assert cell["seed"] == scenario.seed


def test_a_grid_has_a_dimension_for_each_name_and_a_run_in_each_cell() -> None:
    ds = swept(vary={"buffer": BUFFER, "size": SIZE, "sink": SINK})
    assert dict(ds["sent"].sizes) == {"buffer": 3, "size": 2, "sink": 2, "flow": 2}
    assert ds["buffer"].values.tolist() == [2, 5, 20]
    assert ds["size"].values.tolist() == [100, 1000]
    flows = [TCP | {"packet_bytes": 100, "sink": "delayed"}, UDP | {"packet_bytes": 100}]
    bottleneck = BOTTLENECK | {"buffer_packets": 5}
    cell = ds.sel(buffer=5, size=100, sink="delayed")
    assert_is_run(cell, scenario_from({**BASE, "bottleneck": bottleneck, "flows": flows}))
    assert ds["in_flight"].any(), "the runs end with packets on their way"
    assert ds["simulated"].all()


def test_a_random_design_has_samples_with_the_drawn_values_as_coordinates() -> None:
    ds = swept(random=RANDOM)
    assert dict(ds["sent"].sizes) == {"sample": 4, "flow": 2}
    assert ((ds["rate"] >= 1) & (ds["rate"] <= 3) & (ds["delay"] >= 1) & (ds["delay"] <= 100)).all()
    assert len(set(ds["rate"].values)) == 4
    cell = ds.sel(sample=3)
    about = {"rate_mbps": float(cell["rate"]), "delay_ms": float(cell["delay"]), "buffer_packets": int(cell["buffer"])}
    flows = [TCP | {"sink": cell["sink"].item()}, UDP]
    assert_is_run(cell, scenario_from({**BASE, "bottleneck": BOTTLENECK | about, "flows": flows}))


def test_the_compiled_engine_is_used_unless_another_is_asked_for() -> None:
    flows = [TCP | {"stop_s": 5.0}, UDP | {"stop_s": 5.0}]
    path = write(vary={"buffer": BUFFER}, base={**BASE, "end_s": 4, "flows": flows})
    path.write_text(path.read_text().replace("engine: process\n", ""))
    assert sweep().exit_code == 0
    assert sweep("--engine", "process", "--output", "other.zarr").exit_code == 0
    compiled, process = xr.open_zarr("build/sweeps/mine.zarr").load(), xr.open_zarr("other.zarr").load()
    assert (compiled.attrs["engine"], process.attrs["engine"]) == ("compiled", "process")
    xr.testing.assert_equal(compiled, process)
    assert compiled["in_flight"].any(), "the runs end with packets on their way"


def test_every_variable_says_what_it_is_and_the_dataset_where_it_came_from() -> None:
    ds = swept(vary={"buffer": BUFFER}, replications=2)
    for name, variable in ds.variables.items():
        assert set(variable.attrs) >= {"long_name", "units"}, name
    assert ds["buffer"].attrs == {"long_name": "bottleneck.buffer_packets", "units": "packets"}
    assert ds.attrs["params"] == Path("mine.yaml").read_text()
    assert ds.attrs["engine"] == "process"
    assert set(json.loads(ds.attrs["versions"])) >= {"python", "numpy", "sources"}
    assert json.loads(Path("build/sweeps/mine.zarr/zarr.json").read_text())["zarr_format"] == 3


def test_derived_variables_follow_from_the_totals_and_the_flows_times() -> None:
    ds = swept(vary={"buffer": BUFFER})
    tcp, udp = ds.sel(flow=1), ds.sel(flow=2)
    np.testing.assert_allclose(tcp["received_kbps"], tcp["received_bytes"] * 8e-3 / 0.6)  # the run ends before it
    np.testing.assert_allclose(udp["received_kbps"], udp["received_bytes"] * 8e-3 / 0.45)
    np.testing.assert_allclose(ds["loss_percent"], 100 * ds["dropped"] / ds["sent"])


def test_the_number_of_flows_can_be_varied_and_who_is_not_there_counts_nothing() -> None:
    size = {"path": "flows.*.packet_bytes", "values": [500, 1000]}
    ds = swept(vary={"size": size, "n": {"path": "flows", "copies": [1, 3]}}, replications=2, jitter=JITTER)
    assert dict(ds["sent"].sizes) == {"size": 2, "n": 2, "replication": 2, "flow": 6}
    few, many = ds.sel(n=1, size=500, replication=2), ds.sel(n=3, size=500, replication=2)
    assert np.isnan(few[["sent", "in_flight", "received_kbps"]].sel(flow=[3, 4, 5, 6]).to_array()).all()
    assert_is_run(few.sel(flow=[1, 2]), cell_scenario(ds, n=1, size=500, replication=2))
    scenario = cell_scenario(ds, n=3, size=500, replication=2)
    assert_is_run(many, scenario)
    assert [flow.kind for flow in scenario.flows] == 3 * ["tcp", "udp"]
    assert {flow.packet_bytes for flow in scenario.flows} == {500}, "what is set in all flows is set in the copies"
    assert len({flow.start_s for flow in scenario.flows}) == 6, "each copy has a start of its own"
    assert len(frame(ds)) == 2 * 2 * (2 + 6), "who is not there has no row"


def test_what_passes_in_the_warm_up_is_not_counted() -> None:
    whole = swept(vary={"buffer": BUFFER})
    shutil.rmtree("build")
    later = swept(vary={"buffer": BUFFER}, warm_up_s=0.3)
    before = simulate(scenario_from({**BASE, "end_s": 0.3, "bottleneck": BOTTLENECK | {"buffer_packets": 5}}))
    cell = later.sel(buffer=5)
    for name in ("sent", "dropped", "received_bytes", "retransmitted", "timeouts"):
        np.testing.assert_array_equal(cell[name] + before[name], whole[name].sel(buffer=5), err_msg=name)
    assert before["sent"].all()
    np.testing.assert_array_equal(later["in_flight"], whole["in_flight"])
    np.testing.assert_allclose(cell["received_kbps"], cell["received_bytes"] * 8e-3 / [0.3, 0.2])


def test_the_scenario_of_a_cell_can_be_had_back_and_run_in_full() -> None:
    ds = swept(vary={"buffer": BUFFER}, replications=2, jitter=JITTER)
    scenario = cell_scenario(ds, buffer=5, replication=2)
    assert scenario.name == "mine: buffer=5, replication=2"
    assert_is_run(ds.sel(buffer=5, replication=2), scenario)
    with pytest.raises(SweepError, match="buffer given; a cell has buffer, replication"):
        cell_scenario(ds, buffer=5)
    with pytest.raises(SweepError, match=r"buffer: there is no 6, but 2 \.\.\. 20"):
        cell_scenario(ds, buffer=6, replication=1)


def test_replications_have_seeds_and_starts_of_their_own() -> None:
    cells = design(vary={"buffer": BUFFER}, replications=3, jitter=JITTER)
    scenarios = [cells.scenario((i, j)) for i in range(3) for j in range(3)]
    starts = [flow.start_s for scenario in scenarios for flow in scenario.flows]
    assert len({scenario.seed for scenario in scenarios}) == 9
    assert len(set(starts)) == 18
    assert all(0 <= start <= 0.1 for start in starts[0::2])
    assert all(0.05 <= start <= 0.15 for start in starts[1::2]), "what is drawn is added to what is there"


def test_more_cells_change_no_other() -> None:
    small = design(vary={"buffer": BUFFER}, replications=2, jitter=JITTER)
    large = design(vary={"buffer": BUFFER | {"values": [2, 5, 20, 30]}}, replications=5, jitter=JITTER)
    assert small.scenario((2, 1)) == large.scenario((2, 1))
    few, many = design(random=RANDOM), design(random={**RANDOM, "samples": 9})
    assert [few.scenario((i,)) for i in range(4)] == [many.scenario((i,)) for i in range(4)]
    fewer_names = {name: drawn for name, drawn in RANDOM["vary"].items() if name != "rate"}
    assert few.scenario((1,)).flows == design(random={**RANDOM, "vary": fewer_names}).scenario((1,)).flows


def test_steps_are_numbers_that_a_person_would_write_and_select() -> None:
    def values(said: str) -> list[Any]:
        axis = {"path": "bottleneck.rate_mbps"} | yaml.safe_load(said)
        return Sweep.load(write(vary={"x": axis})).vary["x"].all_values()

    assert values("{from: 0.1, to: 0.5, steps: 5}") == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert values("{from: 1, to: 1000, steps: 4, scale: log}") == [1, 10, 100, 1000]
    assert values("{from: 10, to: 1, steps: 3, whole: true}") == [10, 6, 1]


@pytest.mark.parametrize("shape", [(1,), (64,), (65,), (100, 100), (20, 10, 50), (3, 1, 7), (500_000,)])
def test_batches_are_chunks_that_hold_every_cell_once(shape: tuple[int, ...]) -> None:
    blocks, size = list(batches(shape)), batch_shape(shape)
    assert np.prod(size) <= 1000
    assert all(block.start % step == 0 for batch in blocks for block, step in zip(batch, size, strict=True))
    assert len(blocks) >= min(64, int(np.prod(shape))) / 2, "enough to share out"
    seen = np.zeros(shape, int)
    for batch in blocks:
        seen[batch] += 1
    assert (seen == 1).all()
    assert list(cells_of(blocks[-1]))[-1] == tuple(length - 1 for length in shape)


def test_the_examples_in_the_help_can_be_pasted() -> None:
    text = CliRunner().invoke(main, ["sweep", "--help"]).stdout
    assert "Exit status" in text
    grid = text[text.index("    name: mine") : text.index("  Then:")]
    random = text[text.index("    random:") : text.index("  The Dataset has")]
    Path("mine.yaml").write_text(grid)
    Design(Sweep.load(Path("mine.yaml"))).check()
    said = yaml.safe_load(textwrap.dedent(grid))
    Path("mine.yaml").write_text(yaml.safe_dump(said | {"vary": {}} | yaml.safe_load(textwrap.dedent(random))))
    Design(Sweep.load(Path("mine.yaml"))).check()


@pytest.mark.parametrize("path", sorted((ROOT / "params" / "sweeps").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_sweeps_of_the_workbook_are_sweeps(path: Path) -> None:
    examples = Sweep.load(path)
    assert examples.name == path.stem
    once = examples.model_copy(update={"replications": examples.replications and 1})  # others differ in draws alone
    Design(once).check()
