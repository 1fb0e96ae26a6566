"""A sweep as a Python call."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from simcore import Scenario, scenario_from, simulate_totals
from tests.simcore.scenes import mapping, tcp_flow
from workbook.sweep import SweepError, running, sweep

SCENARIO: Scenario = scenario_from(mapping(tcp_flow(stop_s=2), end_s=2))
BUFFERS = {"bottleneck.buffer_packets": [3, 20]}


def test_a_grid_is_a_dataset_with_a_dimension_for_each_path() -> None:
    ds = sweep(SCENARIO, {**BUFFERS, "flows.0.variant": ["reno", "cubic"]}, engine="process")
    assert dict(ds.sizes) == {"buffer_packets": 2, "variant": 2, "flow": 1}
    alone = simulate_totals(SCENARIO.changed({"bottleneck.buffer_packets": 3, "flows.0.variant": "cubic"}))
    assert ds["received"].sel(buffer_packets=3, variant="cubic").values.tolist() == alone["received"].tolist()


def test_replications_have_seeds_of_their_own_and_jitter() -> None:
    ds = sweep(SCENARIO, BUFFERS, replications=3, jitter={"flows.*.start_s": {"uniform": [0, 0.5]}}, engine="process")
    assert ds.sizes["replication"] == 3
    assert len(set(ds["received"].sel(buffer_packets=20).values.ravel().tolist())) == 3


def test_what_a_store_holds_is_not_simulated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sweep(SCENARIO, BUFFERS, engine="process", store=tmp_path / "kept.zarr").load()

    def nobody(number: int) -> object:
        raise AssertionError("all is there")

    monkeypatch.setattr(running, "processes", nobody)
    xr.testing.assert_identical(sweep(SCENARIO, BUFFERS, engine="process", store=tmp_path / "kept.zarr").load(), first)


def test_a_store_of_another_sweep_is_left_alone(tmp_path: Path) -> None:
    sweep(SCENARIO, BUFFERS, engine="process", store=tmp_path / "kept.zarr")
    with pytest.raises(SweepError, match="was made with other parameters"):
        sweep(SCENARIO, {"bottleneck.delay_ms": [1, 2]}, engine="process", store=tmp_path / "kept.zarr")


def test_values_may_be_an_array() -> None:
    ds = sweep(SCENARIO, {"bottleneck.buffer_packets": np.arange(3, 5)}, engine="process")
    assert ds["buffer_packets"].values.tolist() == [3, 4]


def test_no_replications_are_refused() -> None:
    with pytest.raises(SweepError, match="replications: 0 is not allowed"):
        sweep(SCENARIO, BUFFERS, replications=0)


@pytest.mark.parametrize(
    ("over", "problem"),
    [
        ({"bottleneck.buffer_packets": [-5]}, "cell buffer_packets=-5: bottleneck.buffer_packets: -5 is not allowed"),
        ({"a.b": [1]}, "vary.b: a.b: no key 'a'"),
        ({}, "vary: missing; must have one of vary, random, replications"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(over: dict[str, list[int]], problem: str) -> None:
    with pytest.raises(SweepError) as refused:
        sweep(SCENARIO, over)
    assert str(refused.value).startswith(problem)
