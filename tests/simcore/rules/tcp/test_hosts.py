"""A host's network interface: what it refuses, its gap between packets, and Ethernet's PAUSE."""

import numpy as np
import numpy.typing as npt
import pytest
import xarray as xr

from simcore import MODELS, Scenario, ScenarioError, simulate
from simcore.results.dataset import causes
from simcore.rules.queues import pause
from simcore.rules.tcp import local_congestion
from simcore.rules.tcp.sender import ARM_TIMER, NOTHING, REDUCED, REFUSED
from simcore.scenario.profiles import NS_2_35
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow
from tests.simcore.script import under_way

PACKET_S = 0.0008  # 1000 bytes at 10 Mb/s


def host(**changes: object) -> dict[str, object]:
    """At 10 Mb/s a packet of 1000 bytes takes 0.8 ms."""
    return {"rate_mbps": 10, "delay_ms": 0.01, "queue_packets": 20} | changes


def behind(interface: dict[str, object], *flows: dict[str, object], **changes: object) -> Scenario:
    """Flows through one host over a long link that is faster than the host; windows end at 200 packets."""
    given = flows or (tcp_flow(variant="sack", packet_bytes=960, window_packets=200, start_s=0, stop_s=5, host=1),)
    link = bottleneck(rate_mbps=100, delay_ms=50, buffer_packets=10_000, back=None)
    return scene(*given, **{"profile": "ns-2.35", "end_s": 5, "bottleneck": link, "hosts": [interface]} | changes)


@pytest.mark.parametrize("engine", list(MODELS))
def test_a_refused_segment_is_not_lost_but_cuts_the_window(engine: str) -> None:
    """Slow start sends bursts twice as fast as the interface: it runs full when half a window exceeds its queue."""
    run = simulate(behind(host(when_full="congestion")), engine)
    refusals = causes(run).values == "local_congestion"
    assert run["dropped"].sum() == run["retransmitted"].sum() == 0
    assert refusals.sum() >= 1
    first = np.flatnonzero(refusals)[0]
    before, after = run["update_cwnd"].values[first - 1], run["update_ssthresh"].values[first]
    assert after == before // 2
    reduced = run["update_cwnd"].values[causes(run).values == "local_reduction"]
    assert reduced.min() >= after
    assert reduced[-1] == after


@pytest.mark.parametrize("engine", list(MODELS))
def test_an_interface_may_be_ignored_or_drop(engine: str) -> None:
    """Ignoring keeps the window; dropping loses packets, though none in the network."""
    ignored = simulate(behind(host(when_full="ignore")), engine)
    assert "local_congestion" not in causes(ignored).values
    assert ignored["retransmitted"].sum() == 0
    assert float(ignored["update_cwnd"].max()) > 200
    dropping = simulate(behind(host(when_full="drop")), engine)
    assert dropping["retransmitted"].sum() > 0
    assert dropping["dropped"].sum() == 0


def test_the_congested_sender_is_slower_than_the_one_that_ignores() -> None:
    received = {how: int(simulate(behind(host(when_full=how)))["received"].sum()) for how in ("congestion", "ignore")}
    assert received["congestion"] < received["ignore"]


def test_a_queue_one_packet_longer_than_the_burst_refuses_nothing() -> None:
    """A window of 40 opens from 20 to 40 in bursts of two for each ACK; the last round leaves at most 20 waiting."""
    flow = tcp_flow(variant="sack", packet_bytes=960, window_packets=40, start_s=0, stop_s=5, host=1)
    few, enough = (simulate(behind(host(when_full="congestion", queue_packets=n), flow)) for n in (10, 40))
    assert "local_congestion" in causes(few).values
    assert "local_congestion" not in causes(enough).values


@pytest.mark.parametrize("engine", list(MODELS))
def test_a_syn_that_was_refused_is_sent_by_the_timer(engine: str) -> None:
    """Another flow of the same host fills the interface for good; nothing of the second one is outstanding."""
    greedy = udp_flow(rate_mbps=20, start_s=0, stop_s=1, host=1)
    second = tcp_flow(variant="reno", start_s=0.5, stop_s=5, host=1)
    run = simulate(behind(host(when_full="congestion", queue_packets=1), greedy, second), engine)
    own = run["packet_flow"].values == 2
    assert run["packet_sent_s"].values[own][0] > 1.0
    assert run["received"].values[1] > 50


def spacing_s(run: xr.Dataset) -> npt.NDArray[np.float64]:
    """The times between the packets of full size that reach the bottleneck."""
    reached = run["packet_enqueued_s"].values[run["packet_bytes"].values == 1000]
    return np.diff(reached[~np.isnan(reached)])


@pytest.mark.parametrize("engine", list(MODELS))
def test_a_gap_spaces_the_packets(engine: str) -> None:
    """Twice a packet's time: a burst leaves at half the rate. A gap shorter than the packet changes nothing."""
    plain, short, long = (simulate(behind(host(gap_us=us, queue_packets=500)), engine) for us in (0, 799, 1600))
    xr.testing.assert_equal(plain, short)
    assert spacing_s(long).min() == pytest.approx(2 * PACKET_S, rel=1e-9)  # differences of times
    assert spacing_s(plain).min() == pytest.approx(PACKET_S, rel=1e-9)


@pytest.mark.parametrize("engine", list(MODELS))
def test_pause_keeps_a_small_buffer_from_overflowing(engine: str) -> None:
    """The host sends twice as fast as the bottleneck, whose 20 packets overflow without PAUSE."""
    link = bottleneck(rate_mbps=5, delay_ms=50, buffer_packets=20)
    marks = {"high_packets": 15, "low_packets": 10}
    without = simulate(behind(host(queue_packets=500), bottleneck=link), engine)
    run = simulate(behind(host(queue_packets=500), bottleneck=link | {"pause": marks}), engine)
    assert without["dropped"].sum() > 0
    assert run["dropped"].sum() == 0
    assert run["change_queue_packets"].max() == 15
    busy = run["change_queue_packets"].values[(run["change_s"].values > 2) & (run["change_s"].values < 4)]
    assert busy.min() >= 9  # between the low mark and the first packet that comes after it one more has left


def test_the_marks_of_a_pause() -> None:
    assert [pause.must_begin(n, high=15) for n in (14, 15, 16)] == [False, True, True]
    assert not pause.must_begin(10**6, high=0)
    assert [pause.may_end(n, low=10) for n in (11, 10, 9)] == [False, True, True]


def test_what_linux_does_when_the_interface_refuses() -> None:
    """At a window of 20 with 12 outstanding: half as threshold, and a window of what is outstanding and one."""
    state = under_way(99, 111, NS_2_35, cwnd=20.0)
    assert local_congestion.segment_refused(state, reacts=True, now=1.0) == NOTHING
    assert (state.ssthresh, state.cwnd, state.cause) == (10.0, 13.0, REFUSED)
    assert local_congestion.segment_refused(state, reacts=True, now=1.0) == NOTHING  # once a window
    assert (state.ssthresh, state.cwnd) == (10.0, 13.0)
    windows = []
    for ack in range(100, 112):
        state.highest_ack = ack
        local_congestion.reduce(state)
        windows.append(state.cwnd)
    assert windows == [13, 12, 12, 11, 11, 10, 10, 10, 10, 10, 10, 10]
    assert (state.interface.reducing, state.cause) == (False, REDUCED)


def test_without_anything_outstanding_the_timer_must_bring_the_segment_back() -> None:
    state = under_way(9, 9, timer_pending=False)
    assert local_congestion.segment_refused(state, reacts=False, now=1.0) == ARM_TIMER


@pytest.mark.parametrize(
    ("place", "given", "message"),
    [
        (
            "hosts",
            [host(when_full="wait")],
            "hosts.0.when_full: 'wait' is not known; allowed: drop, congestion, ignore",
        ),
        ("hosts", [host(gap_us=-1)], "hosts.0.gap_us: -1 is not allowed; must be greater than or equal to 0"),
        (
            "bottleneck",
            bottleneck(pause={"high_packets": 10, "low_packets": 10}),
            "bottleneck.pause.low_packets: 10 is not allowed; must be less than high_packets, 10",
        ),
        (
            "bottleneck",
            {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_bytes": 9000}
            | {"pause": {"high_packets": 10, "low_packets": 5}},
            "bottleneck.pause: not allowed beside buffer_bytes; the marks are in packets",
        ),
    ],
)
def test_what_is_wrong_with_an_interface_is_said(place: str, given: object, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scene(**{place: given})
    assert str(refused.value) == message
