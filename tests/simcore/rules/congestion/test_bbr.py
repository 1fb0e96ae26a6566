"""BBR, version 1: its phases on a path of which all is known, and its shares beside a kernel's."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from simcore import Recording, metrics, scenario_from, simulate
from simcore.network.states import tcp_state
from simcore.rules.congestion import bbr
from simcore.rules.linux import reduction
from simcore.rules.tcp.sender import TcpState
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import PROFILES
from tests.simcore.scenes import bottleneck, scene, tcp_flow
from workbook.chapters.chapter import Chapter
from workbook.chapters.twenty_years_later.ensembles import as_linux, kernels, members, row
from workbook.paths import REPO

KERNELS = kernels()


@pytest.fixture(scope="module")
def alone() -> xr.Dataset:
    """20 s on a path of 24 ms, where ten packets fit."""
    flow = tcp_flow(variant="bbr", window_packets=200, start_s=0, stop_s=20)
    given = scene(flow, profile="linux", end_s=20, bottleneck=bottleneck(buffer_packets=100))
    return simulate(given, "compiled", Recording(states=True))


def test_it_finds_the_bandwidth_and_the_round_trip(alone: xr.Dataset) -> None:
    bandwidth, rtt = (metrics.sender_state(alone, 1, f"bbr_{name}").values for name in ("bandwidth", "least_rtt_s"))
    packet = float(alone["packet_bytes"].values[-1])
    assert bandwidth[-1] == pytest.approx(2e6 / 8 / packet, rel=0.01)
    assert 0.020 < rtt[-1] < 0.025


def test_startup_drain_and_cycles_follow_each_other(alone: xr.Dataset) -> None:
    mode = metrics.sender_state(alone, 1, "bbr_mode").values.astype(int)
    order = mode[np.flatnonzero(np.diff(mode, prepend=-1))].tolist()
    assert order[:3] == [bbr.STARTUP, bbr.DRAIN, bbr.PROBE_BANDWIDTH]
    assert bbr.PROBE_ROUND_TRIP in order  # after ten seconds in which no round trip was as short
    gains = metrics.sender_state(alone, 1, "bbr_pacing_gain").values
    assert set(gains[mode == bbr.PROBE_BANDWIDTH]) == {1.25, 0.75, 1.0}


def test_it_fills_the_link_and_not_the_buffer(alone: xr.Dataset) -> None:
    later = metrics.latency_ms(alone, 1).where(lambda latency: latency["time_s"] > 2, drop=True)
    assert metrics.utilisation_percent(alone) > 97
    assert float(later.mean()) < 40  # 14 ms without a queue, 410 with a full one
    assert int(alone["dropped"][0]) == 0


def test_to_probe_the_round_trip_it_nearly_stops(alone: xr.Dataset) -> None:
    mode = metrics.sender_state(alone, 1, "bbr_mode")
    began_s = float(mode["time_s"][mode.values == bbr.PROBE_ROUND_TRIP][0])
    rows = (alone["update_s"].values >= began_s) & (alone["update_s"].values < began_s + bbr.PROBE_S)
    assert alone["update_cwnd"].values[rows].max() == bbr.LEAST_WINDOW


@pytest.mark.parametrize("profile", ["rfc", "linux"])
def test_engines_agree_with_losses_and_others(profile: str) -> None:
    flows = [tcp_flow(variant="bbr", loss_probability=0.02), tcp_flow(variant="cubic"), tcp_flow(variant="reno")]
    given = scene(*flows, profile=profile, end_s=6, bottleneck=bottleneck(buffer_packets=10))
    process, compiled = (simulate(given, engine, Recording(states=True)) for engine in ("process", "compiled"))
    assert int(process["fast_retransmits"][0]) > 0
    xr.testing.assert_identical(process.drop_attrs(), compiled.drop_attrs())


@pytest.fixture(scope="module")
def beside_kernel() -> pd.DataFrame:
    """Means over six start offsets, of the model of Linux and of the kept runs of a kernel."""
    chapter = Chapter.load(REPO.params / "twenty-years-later.yaml")
    runs = [
        row(each, simulate(as_linux(each), "compiled")) for each in members(chapter) if each.case.startswith("bbr-")
    ]
    frames = {"model": pd.DataFrame(runs), "kernel": KERNELS}
    means = {whose: frame.groupby("case")[["share_1_percent", "dropped_1"]].mean() for whose, frame in frames.items()}
    return pd.concat(means, axis=1)


@pytest.mark.parametrize("case", [f"bbr-{other}-{buffer}" for other in ("cubic", "reno") for buffer in (5, 20, 100)])
def test_its_share_and_its_losses_are_a_kernels(case: str, beside_kernel: pd.DataFrame) -> None:
    """Within three points of the link: Linux draws the phase in which it begins to probe, and its runs vary by that."""
    model, kernel = (beside_kernel[whose].loc[case].to_dict() for whose in ("model", "kernel"))
    assert model["share_1_percent"] == pytest.approx(kernel["share_1_percent"], abs=3)
    assert model["dropped_1"] == pytest.approx(kernel["dropped_1"], rel=0.1, abs=4)


def sender(variant: str) -> TcpState:
    """A sender of Linux with 20 segments for cwnd, far below ssthresh."""
    [flow] = scene(tcp_flow(variant=variant, window_packets=200), profile="linux").flows
    assert isinstance(flow, TcpFlow)
    state = tcp_state(flow, PROFILES["linux"], boot_s=0.0)
    state.cwnd, state.ssthresh = 20.0, 60.0
    return state


@pytest.mark.parametrize(("variant", "cwnd"), [("bbr", 20.0), ("cubic", 60.0)])
def test_recovery_ends_with_the_window_of_whose_it_is(variant: str, cwnd: float) -> None:
    """Linux, tcp_end_cwnd_reduction(): ssthresh, unless the control has a cong_control()."""
    state = sender(variant)
    reduction.end(state, state.recovery_state)
    assert state.cwnd == cwnd


def test_a_loss_takes_as_many_segments_and_no_more() -> None:
    """Linux, bbr_set_cwnd_to_recover_or_restore()."""
    state = sender("bbr")
    state.control_state.newly_lost = 3
    assert not bbr.follow_recovery(state, state.control_state)
    assert state.cwnd == 17.0


def test_a_scenario_may_name_it_only_with_sack() -> None:
    with pytest.raises(ValueError, match=r"flows\.0.growth: bbr is not allowed with newreno"):
        scenario_from(scene().to_mapping() | {"flows": [tcp_flow(variant="newreno", growth="bbr")]})
