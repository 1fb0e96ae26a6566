"""PIE: its controller by the formulas of RFC 8033, its drops by the RFC's conditions, and both engines."""

from typing import Any

import pytest
import xarray as xr

from simcore import simulate
from simcore.rules.headers.ecn_bits import CAPABLE
from simcore.rules.mrg32k3a import seeded
from simcore.rules.queues import pie
from tests.simcore.queue_script import QueueScript
from tests.simcore.scenes import scene, tcp_flow, udp_flow

TARGET_S = 0.015


def state(**fields: Any) -> pie.State:
    """PIE's state with a target of 15 ms, out of bursts, with a long queue."""
    usual = {"target_s": TARGET_S, "old_delay_s": 0.02, "bytes": 10_000, "mean_packet_bytes": 1500, "burst_updates": 10}
    return pie.State(**usual | fields)


@pytest.mark.parametrize(
    ("probability", "divisor"),
    [(0.0, 2048), (9e-7, 2048), (1e-6, 512), (1e-5, 128), (1e-4, 32), (1e-3, 8), (1e-2, 2), (0.1, 1), (0.5, 1)],
)
def test_steps_are_smaller_where_the_probability_is(probability: float, divisor: int) -> None:
    """Section 4.2: from 20 to 40 ms, 25 ms above the target: 0.125 x 0.025 + 1.25 x 0.02 = 0.028125."""
    step = min(0.028125 / divisor, 0.02) if probability >= 0.1 else 0.028125 / divisor
    assert pie.moved(probability, 0.040, 0.020, TARGET_S) == pytest.approx(probability + step, rel=1e-12)


@pytest.mark.parametrize(
    ("probability", "delay_s", "old_delay_s", "after"),
    [
        (0.3, 0.015, 0.015, 0.3),  # on target and steady
        (0.3, 0.010, 0.015, 0.3 - 0.125 * 0.005 - 1.25 * 0.005),
        (0.3, 0.100, 0.010, 0.32),  # section 5.5: 0.123125, but no more than 0.02
        (0.05, 0.100, 0.010, 0.05 + 0.123125 / 2),  # below a tenth there is no such limit
        (0.3, 0.0, 0.0, (0.3 - 0.125 * 0.015) * 0.98),  # it decays while nobody waits
        (1e-7, 0.0, 0.1, 0.0),
        (0.999, 0.5, 0.4, 1.0),
    ],
)
def test_the_probability_after_an_update(probability: float, delay_s: float, old_delay_s: float, after: float) -> None:
    assert pie.moved(probability, delay_s, old_delay_s, TARGET_S) == pytest.approx(after, rel=1e-12)


@pytest.mark.parametrize(
    ("fields", "may"),
    [
        ({}, True),
        ({"updates_allowed": 1}, False),
        ({"is_active": False}, False),
        ({"bytes": 3000}, False),  # two packets of mean size
        ({"bytes": 3001}, True),
        ({"old_delay_s": 0.0074, "probability": 0.19}, False),
        ({"old_delay_s": 0.0074, "probability": 0.2}, True),
        ({"old_delay_s": 0.0075, "probability": 0.19}, True),
    ],
)
def test_when_a_packet_may_be_dropped_early(fields: dict[str, Any], may: bool) -> None:
    """Sections 4.1 and 4.4. With 8.5 accumulated a packet is dropped, if any may be."""
    assert pie.is_chosen(state(**{"probability": 0.5, "accumulated": 8.4} | fields), seeded(1)) is may


def test_drops_are_neither_too_close_nor_too_far() -> None:
    """Section 5.4: with a probability of 0.1 none of the 8 packets after a drop is dropped, and the 85th always is."""
    queue, stream, since, gaps = state(probability=0.1), seeded(1), 0, []
    for _ in range(20_000):
        since += 1
        if pie.is_chosen(queue, stream):
            gaps.append(since)
            since = 0
    assert min(gaps) == 9  # 9 x 0.1 is the first sum that reaches 0.85
    assert max(gaps) <= 86
    assert sum(gaps) / len(gaps) == pytest.approx(8 + 10, rel=0.05)  # eight, then a geometric distance with mean 10


def test_a_random_number_is_drawn_only_where_chance_decides() -> None:
    for accumulated, draws in ((0.0, False), (0.84, True), (8.4, False)):
        stream = seeded(1)
        pie.is_drawn(state(probability=0.1, accumulated=accumulated), stream)
        assert (stream != seeded(1)) is draws


def test_a_burst_of_150_ms_is_let_in_and_allowed_again_after_congestion() -> None:
    queue = QueueScript("pie")
    updates = [queue.state.updates_allowed]  # type: ignore[attr-defined]
    for name in "abcdef":
        queue.comes(name)
    queue.state.probability = 0.1  # type: ignore[attr-defined]
    for _ in range(11):
        pie.timer_expired(queue.state, queue.stream, queue.state.timer_s)  # type: ignore[arg-type]
        updates.append(queue.state.updates_allowed)  # type: ignore[attr-defined]
    assert updates == [10, *range(9, -1, -1), 0]
    assert queue.state.timer_s == pytest.approx(12 * 0.015)
    queue.state.probability = 0.0  # type: ignore[attr-defined]
    queue.comes("g")
    assert queue.state.updates_allowed == 10  # type: ignore[attr-defined]


@pytest.mark.parametrize(("burst_ms", "updates"), [(0, 0), (1, 1), (135, 9), (150, 10), (151, 11), (165, 11)])
def test_a_burst_is_allowed_for_whole_updates(burst_ms: float, updates: int) -> None:
    """Section 4.4 takes T_UPDATE, 15 ms, off MAX_BURST at each update: 135 ms are nine, and 151 last to the 11th."""
    assert QueueScript("pie", burst_ms=burst_ms).state.updates_allowed == updates  # type: ignore[attr-defined]


def test_a_lost_burst_and_the_probability_are_forgotten_when_it_is_turned_on() -> None:
    """Section 5.3: drop_prob_, qdelay_old_ and accu_prob_ begin with 0, the allowance with MAX_BURST."""
    queue = state(is_active=False, probability=0.3, accumulated=4.0, updates_allowed=2)
    pie.turn_on(queue)
    assert (queue.is_active, queue.probability, queue.old_delay_s, queue.accumulated) == (True, 0.0, 0.0, 0.0)
    assert queue.updates_allowed == 10


def test_the_delay_is_that_of_the_packet_that_left_last_and_none_once_nobody_waits() -> None:
    queue = QueueScript("pie")
    queue.comes("a", at_s=0.0)
    queue.comes("b", at_s=0.001)
    assert queue.sends(0.030) == "a"
    pie.timer_expired(queue.state, queue.stream, 0.030)  # type: ignore[arg-type]
    assert queue.state.old_delay_s == 0.030  # type: ignore[attr-defined]
    assert queue.sends(0.040) == "b"
    pie.timer_expired(queue.state, queue.stream, 0.045)  # type: ignore[arg-type]
    assert queue.state.old_delay_s == 0.0  # type: ignore[attr-defined]


@pytest.mark.parametrize(("probability", "ecn", "fate"), [(0.099, CAPABLE, "marked"), (0.1, CAPABLE, "dropped"),
                                                          (0.099, 0, "dropped")])  # fmt: skip
def test_packets_are_marked_while_the_probability_is_below_a_tenth(probability: float, ecn: int, fate: str) -> None:
    """Section 5.1."""
    queue = QueueScript("pie", marks=True, burst_ms=0)
    for name in "abcd":
        queue.comes(name, ecn=ecn)
    chosen = {"probability": probability, "old_delay_s": 0.02, "accumulated": 8.45, "updates_allowed": 0}
    for name, value in chosen.items():
        setattr(queue.state, name, value)
    queue.comes("e", ecn=ecn)
    queue.sends_all()
    assert getattr(queue, fate) == ["e"]
    assert queue.dropped + queue.marked == ["e"]


def test_it_is_turned_on_by_a_queue_and_off_when_congestion_is_over() -> None:
    """Section 5.3."""
    queue = QueueScript("pie", active_from_packets=2)
    active = []
    for name in "ab":
        queue.comes(name)
        active.append(queue.state.is_active)  # type: ignore[attr-defined]
    queue.sends_all()
    pie.timer_expired(queue.state, queue.stream, 0.015)  # type: ignore[arg-type]
    active.append(queue.state.is_active)  # type: ignore[attr-defined]
    assert active == [False, True, False]


def test_a_full_buffer_drops_what_may_be_marked() -> None:
    queue = QueueScript("pie", buffer_packets=3, marks=True)
    for name in "abcde":
        queue.comes(name, ecn=CAPABLE)
    assert queue.dropped == ["d", "e"]


def test_packets_wait_for_the_target_under_tcp_and_for_the_whole_buffer_without() -> None:
    """At 10 Mb/s twelve Reno senders fill a drop-tail buffer of 200 packets of 1 kB: 160 ms. PIE holds 15 ms."""
    flows = [tcp_flow(window_packets=200, stop_s=20, start_s=0.1 * k) for k in range(12)]
    link = {"rate_mbps": 10, "delay_ms": 20, "buffer_packets": 200}
    waits = {}
    for queue in ("droptail", "pie"):
        ds = simulate(scene(*flows, end_s=20, bottleneck=link | {"queue": queue}))
        late = ds["packet_enqueued_s"] > 5.0
        waits[queue] = float((ds["packet_dequeued_s"] - ds["packet_enqueued_s"])[late].median())
    assert waits["droptail"] > 0.1
    assert 0.010 < waits["pie"] < 0.020


def test_the_engines_agree_with_timers_that_tie_with_applications_and_packets() -> None:
    """Packets of 1500 bytes take 1.5 ms each, so that the timer's 15 ms, starts, and the ends of packets coincide."""
    flows = [
        udp_flow(packet_bytes=1500, rate_mbps=10, start_s=0.0, stop_s=1.5),
        udp_flow(packet_bytes=1500, rate_mbps=1, start_s=0.015, stop_s=1.5),
        tcp_flow(packet_bytes=1460, window_packets=50, start_s=0.03, stop_s=1.5, ecn=True),
    ]
    row = [{"rate_mbps": 8, "delay_ms": 1.5, "queue": "pie", "marks": True},
           {"rate_mbps": 8, "delay_ms": 1.5, "queue": "red"},
           {"rate_mbps": 4, "delay_ms": 1.5, "queue": "pie", "burst_ms": 15}]  # fmt: skip
    scenario = scene(*flows, end_s=2, bottleneck=row[0], onward=row[1:])
    ours, theirs = simulate(scenario), simulate(scenario, "compiled")
    assert ours["dropped"].sum() > 0
    assert (ours.attrs.pop("engine"), theirs.attrs.pop("engine")) == ("process", "compiled")
    xr.testing.assert_identical(ours, theirs)
