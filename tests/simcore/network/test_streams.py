"""Who draws which random numbers: all from one stream as in ns-2, or each component from its own."""

import numpy as np
import pytest

from simcore import MODELS, Scenario, ScenarioError, simulate
from simcore.network.streams import SHARED, RandomNumbers, named, random_numbers
from simcore.rules.mrg32k3a import seeded, uniform
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

each_engine = pytest.mark.parametrize("engine", MODELS)
ON_OFF = udp_flow(source="exponential", burst_s=0.05, idle_s=0.05, stop_s=5)

# One for all


@pytest.mark.parametrize("seed", [1, 5])
def test_of_n_tcp_senders_the_i_th_clock_has_the_draw_n_plus_i_and_udp_draws_nothing(seed: int) -> None:
    scenario = scene(udp_flow(), tcp_flow(), udp_flow(), tcp_flow(), tcp_flow(), seed=seed)
    draws = [uniform(expected) for expected in [seeded(seed)] for _ in range(7)]
    numbers = random_numbers(scenario)
    assert numbers.phases_s == [0.01 * draws[3], 0.01 * draws[4], 0.01 * draws[5]]
    assert uniform(numbers.streams[SHARED]) == draws[6]  # the sources go on from there


def test_vegas_draws_twice_when_it_is_created() -> None:
    scenario = scene(tcp_flow(variant="vegas"), tcp_flow())
    draws = [uniform(expected) for expected in [seeded(1)] for _ in range(5)]
    assert random_numbers(scenario).phases_s == [0.01 * draws[3], 0.01 * draws[4]]


def test_in_a_dumbbell_clocks_have_their_draws_in_the_order_of_the_nodes() -> None:
    """Tcl lists nodes 0 to 9 as 8 4 0 9 5 1 6 2 7 3, and the flows send from 2, 4, 6 and 8."""
    link = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 100}
    scenario = scene(*[tcp_flow(access=link, exit=link)] * 4)
    draws = [uniform(expected) for expected in [seeded(1)] for _ in range(8)]
    assert random_numbers(scenario).phases_s == [0.01 * draws[i] for i in (7, 5, 6, 4)]


# One each


def independent(*flows: dict[str, object], **changes: object) -> Scenario:
    return scene(*flows, random_streams="independent", **changes)


def drawn(numbers: RandomNumbers, flow: int) -> tuple[float, float]:
    """The first numbers of a flow's source and of its losses."""
    return tuple(uniform(numbers.streams[of[flow]]) for of in (numbers.sources, numbers.losses))  # type: ignore[return-value]


@pytest.mark.parametrize("added", [tcp_flow(), tcp_flow(variant="vegas"), ON_OFF, tcp_flow(loss_probability=0.1)])
def test_a_flow_that_is_added_changes_nobody_elses_numbers(added: dict[str, object]) -> None:
    before = random_numbers(independent(tcp_flow(), ON_OFF, tcp_flow(loss_probability=0.1)))
    after = random_numbers(independent(tcp_flow(), ON_OFF, tcp_flow(loss_probability=0.1), added))
    assert after.phases_s[:2] == before.phases_s
    for flow in range(3):
        assert drawn(after, flow) == drawn(before, flow)
    assert uniform(after.streams[after.queues[0]]) == uniform(before.streams[before.queues[0]])


def test_a_flow_of_another_kind_in_the_same_place_changes_nobody_elses_numbers() -> None:
    tcp, udp = (random_numbers(independent(first, ON_OFF, tcp_flow())) for first in (tcp_flow(), ON_OFF))
    assert tcp.phases_s[-1] == udp.phases_s[-1]
    assert drawn(tcp, 1) == drawn(udp, 1)


def test_a_link_that_is_added_changes_nobody_elses_numbers() -> None:
    one, two = (random_numbers(independent(ON_OFF, tcp_flow(), onward=row)) for row in ([], [bottleneck()]))
    assert drawn(one, 0) == drawn(two, 0)
    assert uniform(one.streams[one.queues[0]]) == uniform(two.streams[two.queues[0]])
    assert len(two.queues) == 2


def test_every_component_has_numbers_of_its_own() -> None:
    numbers = random_numbers(independent(*[ON_OFF | {"loss_probability": 0.1}, tcp_flow()] * 3))
    first = [uniform(stream) for stream in numbers.streams]
    assert len({*first, *(phase / 0.01 for phase in numbers.phases_s)}) == 1 + 3 * 6 + 3


def test_a_stream_depends_on_the_seed_and_on_the_name() -> None:
    assert named(1, "flow 1 source") == named(1, "flow 1 source")
    assert len({uniform(named(seed, name)) for seed in (1, 2) for name in ("flow 1 source", "flow 1 losses")}) == 4


@each_engine
def test_an_on_off_source_sends_at_the_same_times_whoever_else_is_there(engine: str) -> None:
    def sent(streams: str, *others: dict[str, object]) -> np.ndarray:
        red = bottleneck(queue="red", buffer_packets=20, queue_weight=0.01)
        dataset = simulate(scene(ON_OFF, *others, random_streams=streams, bottleneck=red, end_s=5), engine)
        times: np.ndarray = dataset["packet_sent_s"].values[dataset["packet_flow"].values == 1]
        return times

    crowd = ON_OFF, tcp_flow(), tcp_flow(loss_probability=0.05)
    assert np.array_equal(sent("independent"), sent("independent", *crowd))
    assert not np.array_equal(sent("shared"), sent("shared", *crowd))


@each_engine
def test_the_same_packets_of_a_cbr_source_are_lost_whoever_else_is_there(engine: str) -> None:
    def lost(*others: dict[str, object]) -> list[int]:
        unlucky, wide = udp_flow(loss_probability=0.1), bottleneck(rate_mbps=20, buffer_packets=100)
        dataset = simulate(scene(unlucky, *others, random_streams="independent", bottleneck=wide, end_s=5), engine)
        dropped = dataset["packet_dropped"] & (dataset["packet_flow"] == 1)
        numbers: list[int] = dataset["packet_seq"].values[dropped].tolist()
        return numbers

    assert len(lost()) > 20
    assert lost() == lost(ON_OFF, tcp_flow(loss_probability=0.1))


def test_there_is_nothing_else() -> None:
    with pytest.raises(ScenarioError, match=r"^random_streams: 'own' is not known; allowed: shared, independent$"):
        scene(random_streams="own")
