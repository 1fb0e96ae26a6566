"""FQ-CoDel, told by the sections of RFC 8290. A quantum is 1514 bytes, a packet 1000."""

import numpy as np

from simcore import simulate
from simcore.rules.headers.ecn_bits import CAPABLE
from tests.simcore.queue_script import QueueScript
from tests.simcore.scenes import scene, tcp_flow, udp_flow


def test_a_line_that_begins_to_send_comes_before_those_that_have_been_sending() -> None:
    """Section 4.2: new lines have a quantum each before any old one has its turn."""
    queue = QueueScript("fq_codel", flows=3)
    for i in range(6):
        queue.comes(f"a{i}", flow=0)
    assert [queue.sends(), queue.sends(), queue.sends()] == ["a0", "a1", "a2"]
    queue.comes("b0", flow=1)
    queue.comes("c0", flow=2)
    assert queue.sends_all() == "b0 c0 a3 a4 a5"


def test_lines_take_turns_of_a_quantum_of_bytes() -> None:
    """Section 4.2: credits go below zero by the rest of a packet, which the next turn pays for."""
    queue = QueueScript("fq_codel", flows=2, quantum_bytes=1500)
    for i in range(6):
        queue.comes(f"a{i}", flow=0, size=1000)
        queue.comes(f"b{i}", flow=1, size=500)
    assert queue.sends_all() == "a0 a1 b0 b1 b2 a2 b3 b4 b5 a3 a4 a5"


def test_a_line_whose_credit_is_used_up_exactly_has_had_its_turn() -> None:
    """Section 4.2: it has dequeued at least a quantum of bytes."""
    queue = QueueScript("fq_codel", flows=2, quantum_bytes=1000)
    for i in range(3):
        queue.comes(f"a{i}", flow=0)
        queue.comes(f"b{i}", flow=1)
    assert queue.sends_all() == "a0 b0 a1 b1 a2 b2"


def test_a_line_that_ran_empty_does_not_come_back_as_a_new_one_at_once() -> None:
    """Section 4.2: an empty new line goes to the end of the old ones, lest it starve them."""
    queue = QueueScript("fq_codel", flows=2)
    for i in range(4):
        queue.comes(f"a{i}", flow=0)
    assert [queue.sends(), queue.sends()] == ["a0", "a1"]
    queue.comes("b0", flow=1)
    assert [queue.sends(), queue.sends()] == ["b0", "a2"]  # then the line of b was empty, and became an old one
    queue.comes("b1", flow=1)
    queue.comes("b2", flow=1)
    assert queue.sends_all() == "a3 b1 b2"


def test_too_many_packets_cost_the_longest_line_the_first_half_of_it() -> None:
    """Section 4.1."""
    queue = QueueScript("fq_codel", flows=2, buffer_packets=9)
    for i in range(8):
        queue.comes(f"a{i}", flow=0)
    queue.comes("b0", flow=1)
    assert queue.dropped == []
    queue.comes("b1", flow=1)
    assert queue.dropped == ["a0", "a1", "a2", "a3"]
    assert queue.sends_all() == "a4 a5 b0 b1 a6 a7"


def test_no_more_than_64_packets_are_dropped_at_once() -> None:
    queue = QueueScript("fq_codel", buffer_packets=200)
    for i in range(201):
        queue.comes(str(i))
    assert len(queue.dropped) == 64


def test_every_line_is_under_controlled_delay_by_itself() -> None:
    """A flow that sends too much waits and loses packets; one that doesn't has neither."""
    greedy, modest = udp_flow(rate_mbps=3), udp_flow(rate_mbps=0.2, packet_bytes=500)
    bottleneck = {"rate_mbps": 2, "delay_ms": 10, "queue": "fq_codel"}
    dataset = simulate(scene(greedy, modest, bottleneck=bottleneck))
    assert dataset["dropped"].values.tolist()[1] == 0
    assert dataset["dropped"].values[0] > 100
    own = dataset["packet_flow"].values == 2
    waited_s = (dataset["packet_dequeued_s"] - dataset["packet_enqueued_s"]).values[own]
    assert waited_s.max() < 0.0081  # the packet being sent, and one more of 4 ms


def test_flows_share_a_line_when_there_are_more_of_them_than_lines() -> None:
    queue = QueueScript("fq_codel", flows=3, queues=2)
    for flow, name in enumerate("abc"):
        queue.comes(name, flow=flow, size=1514)
        queue.comes(name, flow=flow, size=1514)
    assert queue.sends_all() == "a b a b c c"


def test_tcp_flows_share_fairly_whatever_their_windows() -> None:
    flows = [tcp_flow(window_packets=window) for window in (20, 80)]
    bottleneck = {"rate_mbps": 2, "delay_ms": 10, "queue": "fq_codel"}
    received = simulate(scene(*flows, bottleneck=bottleneck))["received"].values
    assert abs(received[0] - received[1]) < 0.1 * received.sum()


def test_a_credit_of_exactly_nothing_is_used_up_and_one_of_a_byte_is_not() -> None:
    """Section 4.2 says "negative" and means what "has already dequeued at least a quantum of bytes"."""
    for quantum, order in ((1000, "a0 b0 a1 b1"), (1001, "a0 a1 b0 b1")):
        queue = QueueScript("fq_codel", flows=2, quantum_bytes=quantum)
        for i in range(2):
            queue.comes(f"a{i}", flow=0)
            queue.comes(f"b{i}", flow=1)
        assert queue.sends_all() == order


def test_half_of_an_odd_number_of_packets_is_rounded_down_and_at_least_one() -> None:
    """Section 4.1."""
    for buffer, dropped in ((1, 1), (2, 1), (8, 4), (127, 64), (128, 64)):
        queue = QueueScript("fq_codel", buffer_packets=buffer)
        for i in range(buffer + 1):
            queue.comes(str(i))
        assert len(queue.dropped) == dropped


def test_what_does_not_fit_is_dropped_even_if_it_may_be_marked() -> None:
    queue = QueueScript("fq_codel", flows=2, buffer_packets=3, marks=True)
    for name in "abcd":
        queue.comes(name, ecn=CAPABLE)
    assert queue.dropped == ["a", "b"]
    assert queue.sends_all() == "c d"
    assert queue.marked == []


def test_flows_with_ecn_lose_nothing_and_wait_as_little() -> None:
    """A flow that sends too much is told by marks; its neighbor without ECN by drops."""
    flows = [tcp_flow(variant="newreno", window_packets=80, ecn=True), tcp_flow(variant="newreno", window_packets=80)]
    bottleneck = {"rate_mbps": 2, "delay_ms": 10, "queue": "fq_codel", "marks": True}
    run = simulate(scene(*flows, bottleneck=bottleneck))
    assert run["dropped"].values.tolist()[0] == 0 < run["dropped"].values[1]
    assert run["marked"].values.tolist()[1] == 0 < run["marked"].values[0]
    assert abs(int(np.diff(run["received"].values)[0])) < 0.1 * int(run["received"].sum())
