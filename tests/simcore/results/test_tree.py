"""A run as a tree: the same numbers, not copied, in groups with names of their own, and back."""

import numpy as np
import pytest
import xarray as xr

from simcore import TOTALS, WINDOWS, metrics, simulate
from simcore.results.tree import GROUPS, dataset_of, tree_of
from simcore.rounds import simulate_rounds
from tests.simcore.rounds.scenes import single
from tests.simcore.scenes import scene, tcp_flow, udp_flow

UNASKED = ("sacks", "states", "disciplines")  # the first only a kernel tells


@pytest.fixture(scope="module")
def flat() -> xr.Dataset:
    return simulate(scene(tcp_flow(), udp_flow(), end_s=3))


def test_there_and_back_nothing_changes_and_nothing_is_copied(flat: xr.Dataset) -> None:
    tree = tree_of(flat)
    assert dataset_of(tree).identical(flat)
    assert list(tree.children) == [name for name in GROUPS.values() if name not in UNASKED]
    assert np.shares_memory(tree["windows"].cwnd.values, flat["update_cwnd"].values)
    assert np.shares_memory(dataset_of(tree)["packet_seq"].values, flat["packet_seq"].values)
    assert tree_of(tree) is tree
    assert dataset_of(flat) is flat


def test_a_group_has_a_dimension_and_short_names_of_its_own(flat: xr.Dataset) -> None:
    windows = tree_of(flat)["windows"]
    assert (list(windows.coords), dict(windows.sizes)) == (["time_s"], {"update": flat.sizes["update"]})
    assert set(windows.data_vars) == {"flow", "cwnd", "ssthresh", "inflation", "rto_s", "cause"}
    assert tree_of(flat)["flows"].to_dataset()["sent"].identical(flat["sent"])
    assert tree_of(flat)["flows"].to_dataset()["kind"].values.tolist() == ["tcp", "udp"]


@pytest.mark.parametrize("recording", [WINDOWS, TOTALS])
def test_a_run_of_which_less_was_recorded_has_fewer_groups(recording: object) -> None:
    flat = simulate(scene(tcp_flow(), end_s=1), recording=recording)  # type: ignore[arg-type]
    assert list(tree_of(flat).children) == ["windows", "flows"]
    assert dataset_of(tree_of(flat)).identical(flat)


def test_every_variable_says_what_it_is_and_a_step_says_so(flat: xr.Dataset) -> None:
    variables = [variable for node in tree_of(flat).subtree for variable in node.to_dataset().variables.values()]
    assert all(variable.attrs["long_name"] and variable.attrs["units"] for variable in variables)
    assert tree_of(flat)["windows"].cwnd.attrs["step"] == "post"
    assert metrics.queue_packets(flat).attrs["step"] == metrics.window(flat, 1)["cwnd"].attrs["step"] == "post"
    assert "step" not in tree_of(flat)["packets"]["sent_s"].attrs


def test_a_metric_takes_either_form(flat: xr.Dataset) -> None:
    tree = tree_of(flat)
    assert metrics.latency_ms(tree, 1).identical(metrics.latency_ms(flat, 1))
    assert metrics.throughput_kbps(tree).identical(metrics.throughput_kbps(flat))
    assert metrics.window(tree, flow=1).identical(metrics.window(flat, flow=1))


def test_what_lies_along_no_dimension_of_a_run_is_refused() -> None:
    with pytest.raises(ValueError, match=r"colour: has the dimensions \('x',\); must have one of packet, ack"):
        tree_of(xr.Dataset({"colour": ("x", [1])}))


def test_a_run_in_rounds_is_its_own_group() -> None:
    run = simulate_rounds(single(rounds=20))
    assert dataset_of(xr.DataTree(run)).identical(run)


def test_both_engines_give_columns_of_types_that_zarr_knows() -> None:
    kinds = {variable.dtype.char for variable in simulate(scene(tcp_flow(), end_s=1)).variables.values()}
    assert "q" not in kinds, "C's long long, from array.array"
