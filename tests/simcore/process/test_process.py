"""Networks so small that every event is computed by hand, and the moments at which order decides.

At 2 Mb/s a SYN or an ACK of 40 bytes takes 0.16 ms to send, a UDP packet of 1000 bytes 4 ms, a TCP segment 4.16 ms;
the link adds 10 ms.
"""

from math import inf, nextafter

import numpy as np
import pytest

from simcore import simulate
from simcore.results.dataset import causes
from tests.simcore.scenes import bottleneck, scene, sent_at, tcp_flow, trace, udp_flow

# One flow


def test_one_udp_packet() -> None:
    dataset = simulate(scene(udp_flow(start_s=0.1, stop_s=0.101), end_s=1))
    assert trace(dataset) == ["+ 100.00 flow 1 data 0", "- 100.00 flow 1 data 0", "r 114.00 flow 1 data 0"]
    assert float(dataset["packet_received_s"][0]) == 0.1 + (8 * 1000 / 2e6 + 10 * 1e-3)  # to the last bit


def test_a_tcp_connections_first_round_trips() -> None:
    dataset = simulate(scene(tcp_flow(), end_s=0.148))
    assert trace(dataset) == [
        "+ 100.00 flow 1 data 0",  # the SYN
        "- 100.00 flow 1 data 0",
        "r 110.16 flow 1 data 0",
        "+ 110.16 flow 1 ack 0",
        "- 110.16 flow 1 ack 0",
        "r 120.32 flow 1 ack 0",
        "+ 120.32 flow 1 data 1",  # the initial window; the transmitter takes its first segment before the second comes
        "- 120.32 flow 1 data 1",
        "+ 120.32 flow 1 data 2",
        "- 124.48 flow 1 data 2",
        "r 134.48 flow 1 data 1",
        "+ 134.48 flow 1 ack 1",
        "- 134.48 flow 1 ack 1",
        "r 138.64 flow 1 data 2",
        "+ 138.64 flow 1 ack 2",
        "- 138.64 flow 1 ack 2",
        "r 144.64 flow 1 ack 1",
        "+ 144.64 flow 1 data 3",  # slow start: two segments for one ACK
        "- 144.64 flow 1 data 3",
        "+ 144.64 flow 1 data 4",
    ]
    assert dataset["update_cwnd"].values.tolist() == [1, 2, 3]


def test_a_delayed_ack_waits_a_tenth_of_a_second_for_a_second_segment() -> None:
    dataset = simulate(scene(tcp_flow(sink="delayed"), end_s=0.27))
    acks = zip(dataset["ack_number"].values.tolist(), np.round(1000 * dataset["ack_sent_s"].values, 2), strict=True)
    assert list(acks) == [
        (0, 210.16),  # the SYN arrived at 110.16
        (2, 238.64),  # 1 and 2 left at 220.32 and 224.48
        (4, 267.12),  # 3, 4 and 5 left at 248.80, 252.96 and 257.12
    ]


def test_a_packet_passes_the_access_link_the_bottleneck_and_the_exit_link() -> None:
    access = {"rate_mbps": 10, "delay_ms": 2, "buffer_packets": 20}
    exit_ = {"rate_mbps": 8, "delay_ms": 3, "buffer_packets": 20}
    dataset = simulate(scene(udp_flow(start_s=0.1, stop_s=0.101, access=access, exit=exit_), end_s=1))
    names = ("sent", "enqueued", "dequeued", "received", "arrived")
    times_ms = [round(1000 * float(dataset[f"packet_{name}_s"][0]), 3) for name in names]
    assert times_ms == [100, 102.8, 102.8, 116.8, 120.8]  # 0.8 + 2, 4 + 10, 1 + 3


def test_a_packet_dropped_by_its_access_link_was_never_offered_to_the_bottleneck() -> None:
    access = {"rate_mbps": 10, "delay_ms": 2, "buffer_packets": 1}
    dataset = simulate(scene(udp_flow(start_s=0.1, stop_s=0.101, access=access), end_s=1))
    assert dataset.sizes["packet"] == 1
    assert (int(dataset["sent"][0]), int(dataset["dropped"][0])) == (0, 0)
    assert float(dataset["packet_sent_s"][0]) == 0.1
    assert np.isnan(dataset["packet_enqueued_s"][0])


# Order at one instant


def test_flows_that_start_at_the_same_instant_send_in_the_order_of_the_scenario() -> None:
    dataset = simulate(scene(tcp_flow(), udp_flow(), tcp_flow(), end_s=0.105))
    assert trace(dataset) == [
        "+ 100.00 flow 1 data 0",
        "- 100.00 flow 1 data 0",
        "+ 100.00 flow 2 data 0",
        "+ 100.00 flow 3 data 0",
        "- 100.16 flow 2 data 0",
        "- 104.16 flow 3 data 0",
    ]


def test_a_transmitter_that_gets_free_as_packets_come_takes_its_next_one_first() -> None:
    """One place to wait in. Every 5 ms a transmission ends and two packets come; it was scheduled before they were."""
    full_rate = {"packet_bytes": 1250, "rate_mbps": 2, "start_s": 0}
    scenario = scene(udp_flow(**full_rate), udp_flow(**full_rate), bottleneck=bottleneck(buffer_packets=2), end_s=0.009)
    assert trace(simulate(scenario)) == [
        "+ 0.00 flow 1 data 0",
        "- 0.00 flow 1 data 0",
        "+ 0.00 flow 2 data 0",
        "- 5.00 flow 2 data 0",
        "+ 5.00 flow 1 data 1",
        "+ 5.00 flow 2 data 1",
        "d 5.00 flow 2 data 1",
    ]


def test_a_source_that_starts_as_a_transmitter_gets_free_finds_the_queue_still_full() -> None:
    """Its start was scheduled before the run, the end of the transmission in the course of it."""
    once = {"packet_bytes": 1250, "rate_mbps": 0.01}
    for start_s, letters in (0.005, "+-++d-"), (nextafter(0.005, inf), "+-+-+"):
        flows = [udp_flow(**once, start_s=0), udp_flow(**once, start_s=0), udp_flow(**once, start_s=start_s)]
        dataset = simulate(scene(*flows, bottleneck=bottleneck(buffer_packets=2), end_s=0.009))
        assert "".join(line[0] for line in trace(dataset)) == letters


def test_a_source_that_stops_at_the_instant_an_ack_arrives_stops_first() -> None:
    ack_arrives = float(simulate(scene(tcp_flow(), end_s=0.13))["ack_received_s"][0])
    for stop_s, sent in (ack_arrives, [0]), (nextafter(ack_arrives, inf), [0, 1, 2]):
        dataset = simulate(scene(tcp_flow(stop_s=stop_s), end_s=0.13))
        assert dataset["packet_seq"].values.tolist() == sent


def test_what_is_due_at_the_end_does_not_happen() -> None:
    arrival = 0.1 + (8 * 1000 / 2e6 + 10 * 1e-3)
    for end_s, received in (arrival, 0), (nextafter(arrival, inf), 1):
        dataset = simulate(scene(udp_flow(start_s=0.1, stop_s=0.101), end_s=end_s))
        assert (int(dataset["received"][0]), int(dataset["in_flight"][0])) == (received, 1 - received)


# Timers


@pytest.mark.parametrize(
    ("profile", "seconds"),
    [
        ("ns-2.27", [0.1, 6.1, 18.1, 42.1, 90.1, 186.1]),  # 6 s, doubled each time
        ("ns-2.35", [0.1, 3.1, 9.1, 21.1, 45.1, 93.1, 153.1]),  # 3 s, doubled up to 60 s
    ],
)
def test_a_syn_that_never_gets_through_is_repeated_when_the_timer_rings(profile: str, seconds: list[float]) -> None:
    nothing_passes = bottleneck(buffer_packets=1)
    dataset = simulate(scene(tcp_flow(stop_s=200), profile=profile, bottleneck=nothing_passes, end_s=200))
    assert sent_at(dataset) == [(s, 0) for s in seconds]


def test_a_timer_that_was_started_anew_does_not_ring_at_its_old_time() -> None:
    """The SYN's timer would ring at 6.1 s, those of all segments a second after they left."""
    dataset = simulate(scene(tcp_flow(), end_s=8))
    assert set(causes(dataset).values) == {"start", "initial_window", "slow_start", "congestion_avoidance"}
    assert int(dataset["retransmitted"][0]) == 0


def test_after_the_last_ack_the_timer_rings_once_more_for_nothing() -> None:
    dataset = simulate(scene(tcp_flow(stop_s=1), end_s=10))
    last_ack = float(dataset["ack_received_s"][-1])
    assert str(causes(dataset)[-1].values) == "idle_timeout"
    assert float(dataset["update_s"][-1]) == last_ack + 1.0  # the least RTO
    assert list(causes(dataset).values).count("idle_timeout") == 1
