"""Drop-tail, on both sides of the limit: by itself, and in a run."""

import numpy as np
import pytest

from simcore import simulate
from simcore.rules.queues import droptail
from tests.simcore.scenes import bottleneck, scene, udp_flow


@pytest.mark.parametrize(
    ("limit", "waiting", "refused"),
    [(1, 0, True), (2, 0, False), (2, 1, True), (20, 18, False), (20, 19, True), (20, 20, True)],
)
def test_a_limit_counts_the_packet_in_transmission_whether_there_is_one_or_not(
    limit: int, waiting: int, refused: bool
) -> None:
    assert droptail.refuses(waiting, limit) is refused


@pytest.mark.parametrize("limit", [2, 3, 20])
def test_a_full_queue_holds_one_packet_less_than_the_limit_while_another_is_being_sent(limit: int) -> None:
    """A packet comes every 2 ms and takes 4 ms to send."""
    overload = scene(udp_flow(rate_mbps=4, start_s=0), bottleneck=bottleneck(buffer_packets=limit), end_s=1)
    dataset = simulate(overload)
    assert int(dataset["change_queue_packets"].max()) == limit - 1
    first_drop = int(np.argmax(dataset["packet_dropped"].values))
    gone = int((dataset["packet_dequeued_s"] <= dataset["packet_enqueued_s"][first_drop]).sum())
    assert first_drop - gone == limit - 1  # so many were waiting when it came


def test_a_limit_of_one_lets_nothing_through() -> None:
    dataset = simulate(scene(udp_flow(), bottleneck=bottleneck(buffer_packets=1), end_s=1))
    assert int(dataset["sent"].sum()) == int(dataset["dropped"].sum()) > 0
    assert dataset.sizes["change"] == 0
