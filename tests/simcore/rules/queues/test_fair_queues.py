"""SFQ and DRR, beside the golden traces, and drop-tail in bytes: who is served, and who is refused."""

import numpy as np
import pytest

from simcore import ScenarioError, metrics, simulate
from simcore.rules.queues import drr, sfq
from simcore.rules.queues.waiting import FIRST_LINE
from tests.simcore.queue_script import QueueScript
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow

LINK = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 100}


def test_drop_tail_in_bytes_holds_less_than_its_limit() -> None:
    queue = QueueScript("droptail", buffer_bytes=3000)
    for name, size in (("a", 1000), ("b", 1000), ("c", 1000), ("d", 999)):
        queue.comes(name, size=size)
    assert queue.dropped == ["c"]
    assert queue.sends_all() == "a b d"


def test_sfq_takes_thirteen_packets_of_a_single_flow() -> None:
    """ns-2: with 13 of 40 in the bucket, half of what is left is 13."""
    queue = QueueScript("sfq")
    for i in range(14):
        queue.comes(str(i))
    assert queue.dropped == ["13"]


def test_drr_drops_the_first_packet_of_the_longest_line() -> None:
    queue = QueueScript("drr", buffer_bytes=3000)
    for name in "abcd":
        queue.comes(name)
    assert queue.dropped == ["a"]
    assert queue.sends_all() == "b c d"


def test_a_packet_that_waited_before_its_drop_leaves_the_queue_then_and_is_told_of_then() -> None:
    """A packet comes every 2 ms and takes 4 ms; from the fifth on that waits, the first of them is dropped."""
    link = {"rate_mbps": 2, "delay_ms": 10, "queue": "drr", "buffer_bytes": 4000}
    dataset = simulate(scene(udp_flow(rate_mbps=4), bottleneck=link, end_s=0.2))
    waiting, steps = dataset["change_queue_packets"].values, dataset["change_step"].values
    assert waiting.max() == 5
    assert (waiting[1:][waiting[:-1] == 5] == 4).all()
    dropped = dataset["packet_dropped"].values
    assert (steps == -1).sum() == dropped.sum() + np.isfinite(dataset["packet_dequeued_s"].values).sum()
    assert (metrics.drop_times_s(dataset, 1) > dataset["packet_enqueued_s"].values[dropped] + 0.005).all()


def test_buckets_follow_from_addresses_alone() -> None:
    """ns-2: flows from one node to the same other node are one to SFQ, flows from one node are one to DRR."""
    assert [sfq.line_of(0, n, 16) - FIRST_LINE for n in (1, 2, 15, 16, 17)] == [0, 1, 14, 14, 15]
    assert [drr.line_of(n, 10) - FIRST_LINE for n in (0, 1, 2, 9, 10)] == [0, 1, 2, 9, 0]


@pytest.mark.parametrize("queue", ["sfq", "drr", "fq_codel"])
def test_a_tcp_flow_gets_its_share_beside_an_unresponsive_one(queue: str) -> None:
    """Under drop-tail the UDP flow, at nine tenths of the link, would leave almost nothing."""
    flows = [udp_flow(rate_mbps=1.8, access=LINK, exit=LINK), tcp_flow(access=LINK, exit=LINK)]
    received = simulate(scene(*flows, bottleneck={"rate_mbps": 2, "delay_ms": 10, "queue": queue}))["received"].values
    assert received[1] > 0.35 * received.sum()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"queue": "sfq", "quantum_bytes": 100}, r"bottleneck\.quantum_bytes: unknown key, given 100; allowed here: "
         "rate_mbps, delay_ms, back, queue, buffer_packets, buckets"),
        ({"queue": "drr", "buffer_packets": 100}, r"bottleneck\.buffer_packets: unknown key"),
        ({"queue": "drr", "buckets": 0}, r"bottleneck\.buckets: 0 is not allowed; must be greater than or equal to 1"),
        ({"queue": "droptail"}, r"bottleneck\.buffer_packets: missing; must be given"),
        ({"queue": "droptail", "buffer_packets": 2, "buffer_bytes": 100},
         r"bottleneck\.buffer_bytes: 100 is not allowed beside buffer_packets; must be one of them"),
        ({"queue": "red", "in_bytes": True, "buffer_packets": 90_000},
         r"bottleneck\.buffer_packets: 90000 is not allowed; times mean_packet_bytes it must be at most 10000000"),
        ({}, "bottleneck.queue: missing; allowed: droptail, sfq, drr, red, codel, fq_codel"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_bottleneck_is_said(given: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{message}"):
        scene(bottleneck={"rate_mbps": 2, "delay_ms": 10} | given)


def test_a_scenarios_file_has_what_was_given() -> None:
    given = scene(bottleneck=bottleneck(queue="red", buffer_packets=30))
    assert scene(bottleneck=given.to_mapping()["bottleneck"]) == given.model_copy(update={"name": "scenario"})
