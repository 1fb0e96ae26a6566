"""The Dataset: what is in it, what it says about itself, and that it can be made again from what it says."""

import json
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
import yaml

from simcore import Scenario, scenario_from, simulate
from simcore.results.dataset import causes
from simcore.results.log import FORWARD, REVERSE
from simcore.results.totals import MEANINGS
from simcore.rules.causes import CAUSES
from tests.goldens import counts
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow


@pytest.fixture(scope="module")
def study() -> xr.Dataset:
    """The baseline of the study of TCP with UDP."""
    return simulate(scene())


# What is in it


def test_every_variable_says_what_it_is_and_in_which_units(study: xr.Dataset) -> None:
    for name, variable in study.variables.items():
        assert variable.attrs.get("long_name"), name
        assert variable.attrs.get("units"), name


def test_the_names_tell_the_dimension(study: xr.Dataset) -> None:
    for name, variable in study.data_vars.items():
        assert variable.dims == ("flow",) if name in MEANINGS else variable.dims == (str(name).partition("_")[0],)


def test_the_totals_are_ns_2s(study: xr.Dataset) -> None:
    golden = counts("chapters")["tcp-udp_baseline"]
    for name in ("sent", "dropped", "received", "received_bytes"):
        assert study[name].values.tolist() == [golden["1"][name], golden["2"][name]]


def test_retransmissions_are_the_packets_whose_number_was_sent_before(study: xr.Dataset) -> None:
    own = study["packet_seq"].values[study["packet_flow"].values == 1]
    assert int(study["retransmitted"].sel(flow=1)) == len(own) - len(np.unique(own)) > 0
    assert int(study["retransmitted"].sel(flow=2)) == 0


def test_what_is_in_flight_at_the_end_is_counted() -> None:
    """Sent at 100, 108, 116 and 124 ms, 14 ms under way."""
    dataset = simulate(scene(udp_flow(rate_mbps=1), end_s=0.127))
    assert [int(dataset[name][0]) for name in ("sent", "received", "in_flight", "received_bytes")] == [4, 2, 2, 2000]
    assert np.isnan(dataset["packet_received_s"].values).tolist() == [False, False, True, True]


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_what_was_acknowledged_is_what_the_sender_has_heard_of(engine: str) -> None:
    """The last packets, or their ACKs, are still on their way."""
    run = simulate(scene(tcp_flow(), udp_flow(), end_s=0.5), engine)
    heard = run["ack_number"].values[~np.isnan(run["ack_arrived_s"].values)]
    assert run["acknowledged"].values.tolist() == [heard.max(), 0]
    assert 0 < int(run["acknowledged"][0]) < int(run["packet_seq"].values[run["packet_flow"].values == 1].max())


def test_flows_are_numbered_named_and_timed() -> None:
    dataset = simulate(scene(udp_flow(start_s=0.2, stop_s=0.4), tcp_flow(), end_s=0.5))
    assert dataset["flow"].values.tolist() == [1, 2]
    assert dataset["flow_kind"].values.tolist() == ["udp", "tcp"]
    assert dataset["flow_variant"].values.tolist() == ["cbr", "reno"]
    assert dataset["flow_name"].values.tolist() == ["UDP CBR 1", "TCP Reno 2"]
    assert dataset["flow_start_s"].values.tolist() == [0.2, 0.1]
    assert dataset["flow_stop_s"].values.tolist() == [0.4, 10.0]


def test_packets_and_acks_share_one_numbering_and_the_trace_uses_it(study: xr.Dataset) -> None:
    uids = np.concatenate([study["packet_uid"].values, study["ack_uid"].values])
    assert sorted(uids.tolist()) == list(range(len(uids)))
    for link, table in (FORWARD, "packet"), (REVERSE, "ack"):
        shown = study["event_uid"].values[study["event_link"].values == link]
        assert set(shown) == set(study[f"{table}_uid"].values)


def test_the_queue_is_the_sum_of_its_steps_and_leaves_refused_packets_out() -> None:
    dataset = simulate(scene(udp_flow(rate_mbps=4), bottleneck=bottleneck(buffer_packets=3), end_s=0.3))
    assert int(dataset["dropped"][0]) > 0
    steps = dataset["change_step"].values
    assert dataset["change_queue_packets"].values.tolist() == np.cumsum(steps).tolist()
    assert int((steps == 1).sum()) == int(dataset["sent"][0] - dataset["dropped"][0])


def test_every_change_of_a_window_has_the_name_of_its_rule(study: xr.Dataset) -> None:
    named = causes(study)
    assert named.dims == ("update",)
    assert str(named[0].values) == "start"
    assert set(named.values) <= set(CAUSES) - {"none"}
    assert study["update_cause"].attrs["flag_meanings"].split() == list(CAUSES)
    cut = named.values == "fast_retransmit"
    assert cut.any()
    assert (study["update_inflation"].values[cut] == 3).all()
    assert (study["update_cwnd"].values[named.values == "timeout"] == 1.0).all()


def test_a_run_without_tcp_has_no_acks_and_no_updates() -> None:
    dataset = simulate(scene(udp_flow(), end_s=0.5))
    assert (dataset.sizes["ack"], dataset.sizes["update"], causes(dataset).size) == (0, 0, 0)


# Making it again


def test_the_same_scenario_gives_the_same_dataset(study: xr.Dataset) -> None:
    xr.testing.assert_identical(simulate(scene()), study)


def test_another_seed_gives_another_dataset_only_where_a_clocks_phase_matters() -> None:
    """The phase of the clock rounds round trips, which a small least RTO lets through."""
    first, second = (simulate(scene(min_rto_s=0.0, seed=seed, end_s=2)) for seed in (1, 2))
    assert not first["update_rto_s"].equals(second["update_rto_s"])
    first, second = (simulate(scene(seed=seed, end_s=2)) for seed in (1, 2))
    xr.testing.assert_equal(first, second)


@pytest.mark.parametrize(
    "scenario",
    [
        scene(name="as the study has it", end_s=2),
        scene(tcp_flow(sink="delayed"), profile="ns-2.35", min_rto_s=0.5, seed=7, end_s=2),
    ],
    ids=lambda scenario: scenario.name,
)
def test_a_dataset_is_made_again_from_the_scenario_it_carries(scenario: Scenario) -> None:
    dataset = simulate(scenario)
    again = scenario_from(yaml.safe_load(dataset.attrs["scenario"]))
    assert again == scenario
    xr.testing.assert_identical(simulate(again, engine=dataset.attrs["engine"]), dataset)


def test_it_says_what_made_it(study: xr.Dataset) -> None:
    named = simulate(scene(name="a name", seed=3, end_s=0.2))
    assert (named.attrs["title"], named.attrs["seed"], named.attrs["engine"]) == ("a name", 3, "process")
    assert named.attrs["Conventions"].startswith("CF-")
    versions = json.loads(study.attrs["versions"])
    assert {"python", "numpy", "simpy", "xarray", "bottleneck-workbook"} <= versions.keys()
    assert versions["xarray"] == xr.__version__


@pytest.mark.parametrize("flows", [[], [udp_flow()], [tcp_flow()]], ids=["tcp and udp", "udp alone", "tcp alone"])
def test_netcdf_gives_back_the_same_dataset(flows: list[dict[str, object]], tmp_path: Path) -> None:
    dataset = simulate(scene(*flows, end_s=1))
    dataset.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    xr.testing.assert_identical(xr.load_dataset(tmp_path / "run.nc", engine="h5netcdf"), dataset)


def test_an_engine_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^engine: 'steam' is not known; allowed: process"):
        simulate(scene(), engine="steam")
