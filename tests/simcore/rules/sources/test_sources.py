"""On/off and replay sources: when packets leave, told by their rules and seen in small runs."""

import math

import pytest

from simcore import simulate
from simcore.rules.mrg32k3a import seeded, uniform
from simcore.rules.sources import exponential, replay
from tests.simcore.scenes import scene, udp_flow

INTERVAL_S = 0.004


def on_off(**changed: float) -> dict[str, object]:
    flow = {"source": "exponential", "packet_bytes": 512, "rate_mbps": 1.024, "burst_s": 0.15, "idle_s": 0.1}
    return udp_flow(**flow | changed)


def test_a_silence_and_a_burst_are_drawn_burst_first_and_nothing_leaves_at_the_start() -> None:
    draws = [uniform(stream) for stream in [seeded(7)] for _ in range(2)]
    state = exponential.State(INTERVAL_S, mean_burst_packets=37.5, mean_idle_s=0.1)
    first = exponential.first_packet_s(state, seeded(7), 20.0)
    assert first == 20.0 + (INTERVAL_S + 0.1 * -math.log(draws[1]))
    assert state.left_in_burst == int(37.5 * -math.log(draws[0]) + 0.5) - 1


def test_within_a_burst_packets_keep_the_interval_and_no_number_is_drawn() -> None:
    state, stream = exponential.State(INTERVAL_S, 37.5, 0.1, left_in_burst=2), seeded(1)
    assert exponential.next_packet_s(state, stream, 1.0) == 1.0 + INTERVAL_S
    assert stream == seeded(1)
    exponential.next_packet_s(state, stream, 1.0)
    assert stream == seeded(1)
    exponential.next_packet_s(state, stream, 1.0)  # the burst is over
    assert stream != seeded(1)


def test_a_burst_has_at_least_one_packet() -> None:
    state, stream = exponential.State(INTERVAL_S, mean_burst_packets=0.01, mean_idle_s=0.1), seeded(1)
    for _ in range(50):
        exponential.next_packet_s(state, stream, 0.0)
        assert state.left_in_burst == 0


def test_long_runs_of_bursts_and_silences_have_the_means_asked_for() -> None:
    """While on 1.024 Mb/s, on 60 % of the time: 200 s of it must come within five standard errors of the mean."""
    flow = on_off(start_s=0, stop_s=200)
    sent = int(simulate(scene(flow, end_s=200), "compiled")["sent"][0])
    cycles = 200 / 0.25
    expected = cycles * 0.15 / INTERVAL_S
    assert abs(sent - expected) < 5 * math.sqrt(2 * cycles) * 0.15 / INTERVAL_S


def test_a_replay_sends_at_the_very_times_it_was_given() -> None:
    times = [0.1, 0.1 + 2**-40, 0.25, 0.25, 0.7]
    flow = udp_flow(source="replay", times_s=times, start_s=0.1, stop_s=0.6)
    del flow["rate_mbps"]
    assert simulate(scene(flow))["packet_sent_s"].values.tolist() == times[:4]


@pytest.mark.parametrize(("start_s", "count"), [(0.25, 3), (0.2500001, 1)])
def test_a_replay_leaves_out_what_lies_before_its_start(start_s: float, count: int) -> None:
    state = replay.State(times_s=[0.1, 0.25, 0.25, 0.7, math.inf])
    due = replay.first_packet_s(state, seeded(1), start_s)
    left = 0
    while due < math.inf:
        left, due = left + 1, replay.next_packet_s(state, seeded(1), due)
    assert left == count
