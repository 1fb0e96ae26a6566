"""The chapter on many flows: some kept cells come out again, and what follows from cells can be counted by hand."""

import numpy as np
import pytest
import xarray as xr
import yaml

from simcore import metrics, simulate
from simcore.metrics import theory
from tests.simcore.scenes import scene, tcp_flow
from workbook.chapters.chapter import Chapter
from workbook.chapters.many_flows.keep import WARM_S, WINDOWS, correlation, laws, looked_at, mean_queue, windows_of
from workbook.chapters.many_flows.kept import load, sums
from workbook.chapters.many_flows.numbers import bootstrapped, cells, needed, off_by, student, windows
from workbook.chapters.many_flows.settings import LOOK_BUFFER, LOOKS, Settings, settings_of
from workbook.paths import REPO
from workbook.sweep import Design, Sweep, cell_scenario
from workbook.sweep.variables import simulated

CHAPTER = Chapter.load(REPO.params / "many-flows.yaml")
SWEPT = REPO.params / "sweeps" / "many-flows.yaml"
SETTINGS = Settings(packets_a_s=1000, rtt_s=0.1, measured_s=10.0, full_percent=98.0)
KEPT = load()


def test_kept_is_the_sweep_of_the_parameters() -> None:
    assert KEPT.attrs["params"] == SWEPT.read_text("utf-8")
    design = Design(Sweep.load(SWEPT))
    assert KEPT["sent"].dims == ("n", "buffer", "replication")
    assert KEPT["sent"].shape == design.shape
    assert KEPT["correlation"].sizes == {"n": 7, "look": len(LOOKS)}
    assert not any(values.isnull().any() for values in KEPT.values())


@pytest.mark.parametrize(("n", "buffer", "replication"), [(2, 8, 1), (5, 1024, 10), (20, 128, 3)])
def test_some_cells_come_out_again(n: int, buffer: int, replication: int) -> None:
    scenario = cell_scenario(KEPT, n=n, buffer=buffer, replication=replication)
    again = simulated(scenario, "compiled", WARM_S)
    cell = KEPT.sel(n=n, buffer=buffer, replication=replication)
    for name in ("sent", "dropped", "received", "fast_retransmits", "timeouts"):
        assert cell[name] == again[name].sum(), name
    assert float(cell["jain"]) == pytest.approx(metrics.jain_index(xr.DataArray(again["received"])), abs=1e-6)


def test_a_look_comes_out_again() -> None:
    found = looked_at(cell_scenario(KEPT, n=2, buffer=LOOK_BUFFER, replication=2).to_mapping())
    kept = KEPT.sel(n=2, look=2)
    assert found == {name: float(kept[name]) for name in found}


def test_the_mean_queue_is_that_of_the_metric() -> None:
    scenario = scene(tcp_flow(), tcp_flow(start_s=0.3), end_s=5)
    values, seconds = metrics.spells(metrics.queue_packets(simulate(scenario)), 1, 5)
    assert mean_queue(scenario, 1, 5) == pytest.approx(np.average(values, weights=seconds), rel=0.01)


def test_the_settings_are_those_of_the_sweep() -> None:
    settings, base = settings_of(CHAPTER), yaml.safe_load(SWEPT.read_text("utf-8"))
    link, [flow] = base["base"]["bottleneck"], base["base"]["flows"]
    low, high = base["jitter"]["flows.*.access.delay_ms"]["uniform"]
    wire_bytes = flow["packet_bytes"] + CHAPTER.scenario("pipe").profile.header_bytes
    assert settings.packets_a_s == link["rate_mbps"] * 1e6 / (8 * wire_bytes)
    assert settings.rtt_s == pytest.approx(2e-3 * (link["delay_ms"] + flow["access"]["delay_ms"] + (low + high) / 2))
    assert settings.measured_s == base["base"]["end_s"] - base["warm_up_s"]
    assert base["warm_up_s"] == WARM_S


def test_windows_in_step_have_a_correlation_of_one_and_opposite_ones_the_least() -> None:
    wave = 10 + np.sin(np.arange(0, 100, 0.1))
    assert correlation(np.array([wave, 3 * wave])) == pytest.approx(1)
    assert correlation(np.array([wave, 20 - wave])) == pytest.approx(-1)
    assert correlation(np.array([wave, 10 + np.cos(np.arange(0, 100, 0.1))])) == pytest.approx(0, abs=0.01)


def test_windows_are_what_they_were_at_the_time() -> None:
    run = simulate(scene(tcp_flow(), tcp_flow(start_s=0.3), end_s=5), "compiled", WINDOWS)
    found, steps = windows_of(run, 1.0), metrics.window(run, 2)
    assert found.shape == (2, 40)
    before = steps["cwnd"].values[steps["time_s"].values <= 1.5]
    assert found[1, 5] == before[-1]


def test_the_needed_buffer_lies_between_the_last_too_small_and_the_next() -> None:
    def used(*percent: float) -> xr.DataArray:
        return xr.DataArray([percent], {"buffer": [10, 100, 1000]}, ["n", "buffer"])

    assert float(needed(used(90, 96, 100), 98)[0]) == pytest.approx(100 * 10**0.5)
    assert float(needed(used(99, 97, 99), 98)[0]) == pytest.approx(100 * 10**0.5), "the last that is too small"
    assert float(needed(used(99, 99, 99), 98)[0]) == pytest.approx(10)
    assert np.isnan(needed(used(90, 91, 92), 98)[0])


def one_cell(**changes: int) -> xr.Dataset:
    """Two flows over ten seconds in two replications, each looked at, with a queue of 100 packets."""
    given = {"sent": 10_000, "dropped": 100, "received": 9_900, "fast_retransmits": 30, "timeouts": 10} | changes
    cell = {name: (("n", "buffer", "replication"), [[[value, value]]]) for name, value in given.items()}
    coordinates = {"n": [2], "buffer": [128], "replication": [1, 2], "look": [1, 2]}
    extra = {
        "jain": (("n", "buffer", "replication"), [[[1.0, 0.9]]]),
        "queue_packets": (("n", "look"), [[100.0, 100.0]]),
    }
    return xr.Dataset(cell | extra, coordinates)


def test_what_a_cell_tells() -> None:
    found = cells(one_cell(), SETTINGS).sel(n=2, buffer=128, replication=1)
    assert {name: float(found[name]) for name in ("utilisation", "loss", "events", "by_timer")} == {
        "utilisation": pytest.approx(99), "loss": 0.01, "events": 0.004, "by_timer": 0.25,
    }  # fmt: skip


def test_a_flow_is_measured_in_packets_a_round_trip() -> None:
    """495 packets a second each, 200 ms with the queue: 99 packets."""
    cell = one_cell()
    assert windows(cell, SETTINGS).values.tolist() == [[pytest.approx(99), pytest.approx(99)]]
    said = xr.DataArray([[[[90.0]], [[110.0]]]], {"n": [2], "look": [1, 2], "law": ["Mathis"], "p": ["losses"]},
                        ["n", "look", "law", "p"])  # fmt: skip
    off = off_by(cell.assign(law_packets=said), SETTINGS)
    assert off["percent"].tolist() == [pytest.approx(10), pytest.approx(-10)]


def test_a_law_is_asked_for_each_flow_with_its_own_losses() -> None:
    """Losses of 1 in 100 and of 1 in 10,000, and as many events: the law has sqrt(1.5 / p)."""
    looks = list(LOOKS)
    nan = float("nan")  # a third flow, which this cell has not
    flows = {"sent": [10_000, 10_000, nan], "dropped": [100, 1, nan], "fast_retransmits": [60, 1, nan],
             "timeouts": [40, 0, nan]}  # fmt: skip
    dims = ("n", "buffer", "replication", "flow")
    sweep = xr.Dataset({name: (dims, [[[values] * len(looks)]]) for name, values in flows.items()},
                       {"n": [2], "buffer": [128], "replication": looks, "flow": [1, 2, 3]})  # fmt: skip
    looked = xr.Dataset({"queue_packets": (("n", "look"), [[100.0] * len(looks)]),
                         "rto_s": (("n", "look"), [[0.4] * len(looks)])},
                        {"n": [2], "look": looks})  # fmt: skip
    said = laws(sweep, looked, SETTINGS).sel(n=2, look=1)
    one, other = (1.5 / 0.01) ** 0.5, (1.5 / 0.0001) ** 0.5
    assert said.sel(law="Mathis", p="losses") == pytest.approx((one + other) / 2)
    assert said.sel(law="Mathis", p="loss events") == pytest.approx((one + other) / 2)
    pair = [theory.pftk_packets_a_s(p, 1, 2) for p in (0.01, 0.0001)]
    assert said.sel(law="PFTK", p="losses") == pytest.approx(sum(pair) / 2)


def test_intervals() -> None:
    half = 4.303 / 3**0.5
    assert student(np.array([1.0, 2.0, 3.0])) == pytest.approx((2 - half, 2 + half), abs=1e-3)
    assert bootstrapped(np.array([5.0, 5.0])) == (5, 5)
    low, high = bootstrapped(np.arange(10.0))
    assert 2 < low < 4.5 < high < 7


def test_sums_are_over_the_flows_that_are_there() -> None:
    nan = float("nan")
    received = xr.DataArray([[[[3.0, 1.0, nan, nan]]], [[[2.0, 2.0, 2.0, 2.0]]]],
                            {"n": [2, 4], "buffer": [8], "replication": [1], "flow": [1, 2, 3, 4]},
                            ["n", "buffer", "replication", "flow"])  # fmt: skip
    sweep = xr.Dataset(dict.fromkeys(("sent", "dropped", "received", "fast_retransmits", "timeouts"), received))
    found = sums(sweep).sel(buffer=8, replication=1)
    assert found["received"].values.tolist() == [4, 8]
    assert found["jain"].values.tolist() == [0.8, 1.0]
    assert found["sent"].dtype == int
