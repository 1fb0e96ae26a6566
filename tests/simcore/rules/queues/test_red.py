"""RED, beside the golden traces: its average and its probabilities by hand, in packets of 1000 bytes."""

import math
from typing import Any

import pytest
import xarray as xr

from simcore import ScenarioError, simulate
from simcore.rules.headers.ecn_bits import CAPABLE
from simcore.rules.queues import red
from tests.simcore.queue_script import QueueScript
from tests.simcore.scenes import bottleneck, scene

THRESHOLDS: dict[str, Any] = {"min_threshold_packets": 5.0, "max_threshold_packets": 15.0, "mean_packet_bytes": 1000}


def state(average: float, **fields: Any) -> red.State:
    """RED's state at an average, with thresholds of 5 and 15 packets."""
    usual: dict[str, Any] = {"least": 5.0, "most": 15.0, "probability": 0.1, "gentle": True, "mean_packet_bytes": 1000}
    return red.State(average=average, **usual | fields)


@pytest.mark.parametrize(
    ("average", "gentle", "expected"),
    [(5, True, 0), (10, True, 0.05), (15, True, 0.1), (22.5, True, 0.55), (30, True, 1), (50, True, 1),
     (10, False, 0.05), (15, False, 1)],
)  # fmt: skip
def test_the_probability_grows_with_the_average_up_to_one(average: float, gentle: bool, expected: float) -> None:
    assert red.drop_probability(state(average, gentle=gentle)) == pytest.approx(expected)


def test_distances_between_drops_are_uniform() -> None:
    """Floyd and Jacobson, section 4: p / (1 - count p) is 0.1, 0.1/0.9, ..., and 1 after ten packets."""
    chances = [red.spaced(state(0, count=count), 0.1, 1000) for count in range(11)]
    assert chances[:3] == pytest.approx([0.1, 0.1 / 0.9, 0.1 / 0.8])
    assert chances[10] == 1.0


def test_with_waiting_a_mean_distance_passes_without_a_drop() -> None:
    chances = [red.spaced(state(0, count=count, waits=True), 0.125, 1000) for count in (7, 8, 12, 16)]
    assert chances == pytest.approx([0.0, 0.125, 0.25, 1.0])


def test_in_bytes_a_large_packet_is_dropped_rather_than_a_small_one() -> None:
    for size in (100, 1000):
        assert red.spaced(state(0, in_bytes=True), 0.1, size) == pytest.approx(0.1 * size / 1000)


def test_the_average_forgets_while_nothing_waits() -> None:
    """At 2 Mb/s a packet takes 4 ms: half a second counts as 125 samples of an empty queue."""
    queue = QueueScript("red", **THRESHOLDS, queue_weight=0.01)
    for i in range(200):
        queue.comes(str(i), at_s=0.001 * i)
    average = queue.state.average  # type: ignore[attr-defined]
    while queue.sends(1.0) is not None:
        pass
    queue.comes("late", at_s=1.5)
    assert queue.state.average == pytest.approx(average * 0.99 ** (125 + 1))  # type: ignore[attr-defined]


def test_a_full_buffer_refuses_whatever_the_average() -> None:
    queue = QueueScript("red", buffer_packets=3, **THRESHOLDS)
    for name in "abcde":
        queue.comes(name)
    assert queue.dropped == ["d", "e"]


def test_thresholds_must_be_in_order() -> None:
    with pytest.raises(
        ScenarioError, match=r"^bottleneck\.max_threshold_packets: 4\.0 is not allowed; must be at least min"
    ):
        scene(bottleneck=bottleneck(queue="red", **THRESHOLDS | {"max_threshold_packets": 4.0}))


@pytest.mark.parametrize(("rate_mbps", "most", "least"), [(2, 4.9, "5"), (100, 62.4, "62.5")])
def test_a_threshold_alone_must_not_be_below_the_default_of_the_other(
    rate_mbps: float, most: float, least: str
) -> None:
    """At 100 Mb/s 25000 packets of 500 bytes leave in a second, 62.5 in half of the target delay."""
    link = bottleneck(queue="red", rate_mbps=rate_mbps)
    scene(bottleneck=link | {"max_threshold_packets": float(least)})
    words = f"must be at least min_threshold_packets, here {least} unless it is given"
    with pytest.raises(ScenarioError, match=rf"^bottleneck\.max_threshold_packets: {most} is not allowed; {words}$"):
        scene(bottleneck=link | {"max_threshold_packets": most})


def test_thresholds_may_be_equal() -> None:
    """As in ns-2: from there on every packet but the first is dropped, or with `gentle` ever more of them."""
    given: dict[str, Any] = {
        "min_threshold_packets": 4.0,
        "max_threshold_packets": 4.0,
        "gentle": False,
        "queue_weight": 1.0,
    }
    queue = QueueScript("red", **given)
    for name in "abcdefg":
        queue.comes(name)
    assert queue.dropped == ["f", "g"]
    chances = [red.drop_probability(state(average, least=4.0, most=4.0)) for average in (4.0, 6.0, 8.0)]
    assert chances == pytest.approx([0.1, 0.55, 1.0])


def test_equal_thresholds_give_the_same_in_both_engines() -> None:
    link = bottleneck(queue="red", min_threshold_packets=6.0, max_threshold_packets=6.0, queue_weight=0.1)
    for gentle in (True, False):
        scenario = scene(bottleneck=link | {"gentle": gentle}, end_s=3)
        ours, theirs = (simulate(scenario, engine).drop_attrs() for engine in ("process", "compiled"))
        assert ours["dropped"].sum() > 0
        xr.testing.assert_identical(ours, theirs)


def test_a_long_silence_at_a_high_rate_takes_no_time_and_leaves_nothing_of_the_average() -> None:
    """At 1 Tb/s 1.25e11 packets of a byte leave in a second."""
    queue = QueueScript("red", rate_mbps=1e6, mean_packet_bytes=1, queue_weight=1e-9)
    queue.state.average = 10.0  # type: ignore[attr-defined]
    queue.comes("a", at_s=0.01)
    assert queue.state.average == pytest.approx(10.0 * math.exp(-1.25), rel=1e-6)  # type: ignore[attr-defined]
    assert queue.sends_all(0.02) == "a"
    queue.comes("b", at_s=100_000.0)
    assert queue.state.average == 0.0  # type: ignore[attr-defined]


def test_many_samples_at_once_are_what_they_are_one_by_one() -> None:
    for samples in (red.MOST_SAMPLES, red.MOST_SAMPLES + 1):
        one = state(10.0, packets_per_s=1.0, weight=1e-5)
        red.update_average(one, 0, samples + 0.5)
        assert one.average == pytest.approx(10.0 * math.exp((samples + 1) * math.log1p(-1e-5)), rel=1e-9)


@pytest.mark.parametrize(("average", "gentle", "may"), [(10, True, True), (14.9, True, True), (16, True, False),
                                                        (14.9, False, True), (16, False, False)])  # fmt: skip
def test_a_mark_is_no_longer_enough_above_the_higher_threshold(average: float, gentle: bool, may: bool) -> None:
    """RFC 3168, section 7."""
    assert red.may_mark(state(average, gentle=gentle)) is may


@pytest.mark.parametrize(("marks", "ecn", "fate"), [(True, CAPABLE, "marked"), (True, 0, "dropped"),
                                                    (False, CAPABLE, "dropped")])  # fmt: skip
def test_packets_that_may_be_marked_are_not_dropped_early(marks: bool, ecn: int, fate: str) -> None:
    """A packet comes for each that is sent, with an average between the thresholds."""
    queue = QueueScript("red", **THRESHOLDS, queue_weight=1.0, max_probability=0.1, buffer_packets=50, marks=marks)
    for i in range(10):
        queue.comes(f"a{i}", ecn=ecn)
    for i in range(300):
        queue.comes(f"b{i}", ecn=ecn)
        queue.sends()
    counts = {"marked": len(queue.marked), "dropped": len(queue.dropped)}
    assert counts.pop(fate) > 0
    assert list(counts.values()) == [0]


def test_a_full_buffer_drops_what_may_be_marked() -> None:
    queue = QueueScript("red", buffer_packets=3, **THRESHOLDS, marks=True)
    for name in "abcde":
        queue.comes(name, ecn=CAPABLE)
    assert queue.dropped == ["d", "e"]
