"""Transfers of so many bytes: what is sent, and when it is done."""

import numpy as np
import pytest

from simcore import simulate
from simcore.metrics import completion_s
from tests.simcore.scenes import bottleneck, scene, tcp_flow

WIDE = bottleneck(buffer_packets=100)


@pytest.mark.parametrize(("size", "segments"), [(1, 1), (1000, 1), (1001, 2), (20_000, 20)])
def test_a_transfer_sends_a_syn_and_as_many_segments_as_its_bytes_need(size: int, segments: int) -> None:
    dataset = simulate(scene(tcp_flow(transfer_bytes=size), bottleneck=WIDE))
    assert int(dataset["sent"][0]) == 1 + segments
    assert dataset["packet_seq"].values.max() == segments


def test_one_segment_is_done_after_two_round_trips() -> None:
    """SYN 0.16 ms, 1040 bytes 4.16 ms, two ACKs of 0.16 ms, and 10 ms of delay each way, twice."""
    dataset = simulate(scene(tcp_flow(transfer_bytes=1000), bottleneck=WIDE))
    assert float(completion_s(dataset)[0]) == pytest.approx(0.04 + 3 * 0.00016 + 0.00416, abs=1e-12)


def test_a_transfer_that_is_stopped_or_endless_is_never_done() -> None:
    flows = tcp_flow(transfer_bytes=10**9, stop_s=1), tcp_flow()
    assert np.isnan(completion_s(simulate(scene(*flows)))).all()


def test_losses_are_repaired_before_a_transfer_is_done() -> None:
    flows = [tcp_flow(transfer_bytes=200_000) for _ in range(2)]
    dataset = simulate(scene(*flows, bottleneck=bottleneck(buffer_packets=5)))
    assert int(dataset["dropped"].sum()) > 0
    assert (completion_s(dataset) > 2 * 200_000 * 8 / 2e6 * 0.9).any()
    for flow in (1, 2):
        arrived = dataset["packet_seq"].values[
            (dataset["packet_flow"].values == flow) & ~np.isnan(dataset["packet_arrived_s"].values)
        ]
        assert set(arrived) == set(range(201))
