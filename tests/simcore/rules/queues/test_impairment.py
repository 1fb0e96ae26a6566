"""Losses on purpose: which packets of a flow are lost at the bottleneck, and which are spared from its full queue."""

import numpy as np
import pytest
import xarray as xr

from simcore import MODELS, ScenarioError, simulate
from simcore.results.log import DROPPED, ENQUEUED
from simcore.rules.mrg32k3a import Stream, seeded, uniform
from simcore.rules.queues.impairment import LOSE, NO_MORE, QUEUE, SPARE, State, packet_came
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

each_engine = pytest.mark.parametrize("engine", MODELS)


def decisions(state: State, packets: int, stream: Stream | None = None) -> list[int]:
    drawn_from = stream or seeded(1)
    return [packet_came(state, drawn_from) for _ in range(packets)]


# The rule


def test_packets_are_counted_from_one_and_the_listed_ones_lost() -> None:
    assert decisions(State(lost=[1, 3, 4, NO_MORE]), 6) == [LOSE, QUEUE, LOSE, LOSE, QUEUE, QUEUE]


def test_others_are_spared() -> None:
    assert decisions(State(lost=[2, NO_MORE], spared=[1, 3, NO_MORE]), 4) == [SPARE, LOSE, SPARE, QUEUE]


def test_a_probability_takes_one_number_for_every_packet_and_loses_those_below_it() -> None:
    stream = seeded(7)
    drawn = [uniform(expected) for expected in [seeded(7)] for _ in range(100)]
    assert decisions(State(loss_probability=0.3), 100, stream) == [LOSE if u < 0.3 else QUEUE for u in drawn]
    assert decisions(State(loss_probability=1.0), 10) == [LOSE] * 10


def test_a_packet_lost_by_its_number_draws_all_the_same() -> None:
    listed, unlisted = seeded(7), seeded(7)
    decisions(State(lost=[1, 2, NO_MORE], loss_probability=0.3), 5, listed)
    decisions(State(loss_probability=0.3), 5, unlisted)
    assert listed == unlisted


def test_without_a_probability_nothing_is_drawn() -> None:
    stream = seeded(7)
    decisions(State(lost=[2, NO_MORE]), 5, stream)
    assert stream == seeded(7)


# The bottleneck


def dropped_numbers(dataset: xr.Dataset, flow: int) -> list[int]:
    """Which packets of a flow were dropped, counted from 1 as they came to the bottleneck."""
    order = np.argsort(dataset["packet_enqueued_s"].values, kind="stable")
    own = order[dataset["packet_flow"].values[order] == flow]
    return (np.flatnonzero(dataset["packet_dropped"].values[own]) + 1).tolist()


@each_engine
@pytest.mark.parametrize("queue", [{}, {"queue": "sfq"}, {"queue": "red"}, {"queue": "codel"}])
def test_the_lost_packets_are_dropped_as_soon_as_they_are_enqueued_whatever_the_queue(
    engine: str, queue: dict[str, object]
) -> None:
    flows = udp_flow(stop_s=1, lost_packets=[1, 5, 6]), udp_flow(stop_s=1, rate_mbps=0.5)
    dataset = simulate(scene(*flows, end_s=1, bottleneck=bottleneck(**queue)), engine)
    assert dropped_numbers(dataset, 1) == [1, 5, 6]
    assert dropped_numbers(dataset, 2) == []
    kinds, uids = dataset["event_kind"].values, dataset["event_uid"].values
    for row in np.flatnonzero(kinds == DROPPED):
        assert (kinds[row - 1], uids[row - 1]) == (ENQUEUED, uids[row])


@each_engine
def test_a_retransmission_is_counted_and_may_be_lost_too(engine: str) -> None:
    """Segment 1 is the flow's second packet; repeated after a timeout it is the fifth, and then the sixth."""
    dataset = simulate(scene(tcp_flow(lost_packets=[2, 4, 5]), profile="ns-2.35", end_s=5), engine)
    first = dataset.isel(packet=slice(0, 6))
    assert first["packet_seq"].values.tolist() == [0, 1, 2, 3, 1, 1]
    assert first["packet_dropped"].values.tolist() == [False, True, False, True, True, False]
    assert first["packet_retransmission"].values.tolist() == [False] * 4 + [True] * 2


@each_engine
def test_one_packet_that_the_queue_dropped_is_spared_and_the_future_is_another(engine: str) -> None:
    past = simulate(scene(tcp_flow(), tcp_flow()), engine)
    dropped_first = dropped_numbers(past, 1)[0]
    other = simulate(scene(tcp_flow(spared_packets=[dropped_first]), tcp_flow()), engine)
    moment = past["packet_enqueued_s"].values[past["packet_dropped"].values & (past["packet_flow"].values == 1)][0]
    before = int((past["event_s"].values < moment).sum())
    for name in ("event_s", "event_kind", "event_uid"):
        assert np.array_equal(past[name].values[:before], other[name].values[:before])
    assert dropped_first not in dropped_numbers(other, 1)
    assert not other["received"].equals(past["received"])


@each_engine
def test_to_lose_what_the_queue_would_have_dropped_changes_nothing(engine: str) -> None:
    past = simulate(scene(tcp_flow(), tcp_flow()), engine)
    same = simulate(scene(tcp_flow(lost_packets=dropped_numbers(past, 1)), tcp_flow()), engine)
    xr.testing.assert_identical(past.drop_attrs(), same.drop_attrs())


@each_engine
def test_a_tenth_of_ten_thousand_packets_is_lost_at_random(engine: str) -> None:
    """Three standard deviations of a binomial distribution are 90 packets; the seed is given, so this is no gamble."""
    flow = udp_flow(packet_bytes=100, rate_mbps=0.8, start_s=0, stop_s=9.9995, loss_probability=0.1)
    dataset = simulate(scene(flow, end_s=11), engine)
    assert dataset["sent"].item() == 10_000
    assert abs(dataset["dropped"].item() - 1000) < 90


# What is refused


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"lost_packets": [0]}, "lost_packets.0: 0 is not allowed; must be greater than or equal to 1"),
        ({"lost_packets": []}, r"lost_packets: \(\) is not allowed; must have at least 1"),
        ({"lost_packets": [3, 3]}, "lost_packets: 3 is not allowed after 3; must increase"),
        ({"lost_packets": [1.5]}, "lost_packets.0: 1.5 is not allowed; must be a whole number"),
        ({"lost_packets": 3}, "lost_packets: 3 is not allowed; must be a list"),
        ({"lost_packets": list(range(1, 1002))}, r"lost_packets: .* is not allowed; must have at most 1000"),
        ({"spared_packets": [4, 2]}, "spared_packets: 2 is not allowed after 4; must increase"),
        ({"lost_packets": [1, 7], "spared_packets": [7]}, "spared_packets: 7 is not allowed; must not be one of lost"),
        ({"loss_probability": 1.01}, "loss_probability: 1.01 is not allowed; must be less than or equal to 1"),
        ({"loss_probability": -0.1}, "loss_probability: -0.1 is not allowed; must be greater than or equal to 0"),
    ],
)
def test_a_list_that_makes_no_sense(given: dict[str, object], problem: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^flows\.0\.{problem}"):
        scene(tcp_flow(**given))


@pytest.mark.parametrize(
    "queue", [{"queue": "sfq"}, {"queue": "codel"}, {"buffer_bytes": 20_000, "buffer_packets": None}]
)
def test_a_packet_is_spared_only_from_a_queue_that_refuses_by_counting(queue: dict[str, object]) -> None:
    with pytest.raises(ScenarioError, match=r"^flows\.1\.spared_packets: not possible with this queue; must be left"):
        scene(tcp_flow(), tcp_flow(spared_packets=[3]), bottleneck=bottleneck(**queue))
    assert scene(tcp_flow(lost_packets=[3], loss_probability=0.1), bottleneck=bottleneck(**queue)).flows
