"""Closed forms of the large-fat chapter, against ns-2, an independent program, and RFC 3649's own table."""

from typing import Any

import pytest

from tests.workbook.chapters.large_fat.conftest import rows
from workbook.chapters.large_fat import forbidden, memory, recovery, wire

FAST_MBPS, PACKET_BYTES, MEMORY_BYTES = 1000.0, 1500, 500_000
# RFC 3649, appendix B: at these windows a(w) passes the next whole number; b(w) to two digits.
RFC_3649 = {118: (2, 0.44), 221: (3, 0.41), 347: (4, 0.38), 495: (5, 0.37), 663: (6, 0.35), 851: (7, 0.34),
            1058: (8, 0.33), 1284: (9, 0.32), 5036: (20, 0.25), 16137: (37, 0.19), 83000: (71, 0.10)}  # fmt: skip


@pytest.mark.parametrize("row", rows("burst_memory"), ids=lambda row: f"{row['oc']}-{row['rtt_ms']}")
def test_the_memory_of_a_burst_and_of_a_slow_start_is_that_of_ns2_to_the_packet(row: dict[str, Any]) -> None:
    slow, rtt_s = float(row["s_mbps"]), float(row["rtt_ms"]) / 1e3
    window = memory.window_packets(slow, rtt_s, PACKET_BYTES)
    assert window == int(row["W_pkts"])
    assert memory.burst_peak(window, FAST_MBPS, slow) == int(row["burst_ns2"])
    assert round(memory.slow_start_peak(window, FAST_MBPS, slow)) == int(row["tcp_ns2_ack1"])
    assert int(row["tcp_ns2_delack"]) <= memory.delayed_ack_bound(window, FAST_MBPS, slow)


@pytest.mark.parametrize("row", rows("burst_memory"), ids=lambda row: f"{row['oc']}-{row['rtt_ms']}")
def test_the_slides_formula_is_the_burst_within_a_packet(row: dict[str, Any]) -> None:
    needed = memory.needed_bytes(FAST_MBPS, float(row["s_mbps"]), float(row["rtt_ms"]) / 1e3) / PACKET_BYTES
    assert abs(needed - int(row["burst_ns2"])) < 1.5, "a packet, and the window's fraction that is cut off"


@pytest.mark.parametrize("row", rows("udp45000"), ids=lambda row: f"{row['rate_mbps']}-{row['memory_bytes']}")
def test_the_udp_probe_counts_the_memory_within_a_packet(row: dict[str, Any]) -> None:
    held, slow, size = float(row["memory_bytes"]), float(row["rate_mbps"]), 1066
    assert abs(memory.first_lost(held, size, FAST_MBPS, slow) - int(row["first_lost"])) <= 1
    assert abs(memory.received(45_000, held, size, FAST_MBPS, slow) - int(row["received"])) <= 1
    inferred = memory.memory_by_count(45_000, int(row["received"]), size, FAST_MBPS, slow)
    assert abs(inferred - held) <= 1.5 * size, "only whole packets are held, and arrive"


def test_what_the_probe_infers_is_what_it_was_computed_from() -> None:
    lost = memory.first_lost(MEMORY_BYTES, 1066, FAST_MBPS, 599.04)
    assert memory.memory_by_first_lost(round(lost), 1066, FAST_MBPS, 599.04) == pytest.approx(MEMORY_BYTES, abs=1066)


@pytest.mark.parametrize("row", rows("forbidden_area"), ids=lambda row: row["quantity"])
def test_the_forbidden_area_has_the_edges_of_the_independent_program(row: dict[str, Any]) -> None:
    kind, _, which = row["quantity"].partition(" ")
    if kind == "rtt_crit_ms":
        slow = wire.line_mbps(int(which.removeprefix("OC")))
        ours_ms = 1e3 * forbidden.entry_rtt_s(FAST_MBPS, slow, MEMORY_BYTES)
        assert ours_ms == pytest.approx(float(row["closed_form"]), abs=0.01)
        assert ours_ms == pytest.approx(float(row["engine_burst"]), rel=0.005), "whole packets instead of bytes"
    else:
        edges = forbidden.edges_mbps(FAST_MBPS, MEMORY_BYTES, float(which.split()[1]) / 1e3)
        assert edges == pytest.approx([float(edge) for edge in row["closed_form"].split("..")], abs=0.01)


def test_the_area_begins_where_half_the_rate_needs_all_memory() -> None:
    rtt_s = forbidden.lowest_rtt_s(FAST_MBPS, MEMORY_BYTES)
    assert rtt_s == pytest.approx(0.016)
    assert forbidden.entry_rtt_s(FAST_MBPS, FAST_MBPS / 2, MEMORY_BYTES) == pytest.approx(rtt_s)
    assert forbidden.edges_mbps(FAST_MBPS, MEMORY_BYTES, 0.999 * rtt_s) is None
    low, high = forbidden.edges_mbps(FAST_MBPS, MEMORY_BYTES, 0.158) or (0, 0)
    for edge in (low, high):
        assert memory.needed_bytes(FAST_MBPS, edge, 0.158) == pytest.approx(MEMORY_BYTES)


@pytest.mark.parametrize(("window", "row"), RFC_3649.items())
def test_highspeed_tcp_has_the_table_of_its_rfc(window: int, row: tuple[int, float]) -> None:
    gain, part = row
    assert recovery.increase(window) == pytest.approx(gain, abs=0.3 if window == 83000 else 0.012)
    assert round(recovery.decrease(window), 2) == part
    assert (recovery.increase(38), recovery.decrease(38)) == (1, 0.5)


@pytest.mark.parametrize("row", rows("recovery"), ids=lambda row: "-".join(list(row.values())[:4]))
def test_recovery_takes_as_long_as_in_the_independent_program(row: dict[str, Any]) -> None:
    window, rtt_s, packets = float(row["W"]), float(row["rtt_ms"]) / 1e3, {"per": 1, "del": 2}[row["ack"]]
    if row["stack"] == "Reno":
        ours = recovery.reno_s(window, rtt_s, packets)
        assert ours == pytest.approx(float(row["closed_form_s"]), abs=0.06)
        assert ours == pytest.approx(float(row["engine_s"]), rel=0.005), "the first round trip, and rounded windows"
    else:
        ours = recovery.highspeed_s(window, rtt_s, packets)
        assert ours == pytest.approx(float(row["closed_form_s"]), rel=0.025), "it takes the exact line, not w^1.2"
        assert ours == pytest.approx(float(row["engine_s"]), rel=0.035)


def test_a_sawtooth_without_buffer_has_three_quarters_of_the_path() -> None:
    path = recovery.Path(pipe=1000, buffer=0, rtt_s=0.1)
    assert recovery.reno_packets_a_s(path, 500, 1e6) == pytest.approx(0.75 * 1000 / 0.1, rel=1e-3)
    full = recovery.Path(pipe=1000, buffer=1000, rtt_s=0.1)
    assert recovery.reno_packets_a_s(full, 1000, 1e6) == pytest.approx(1000 / 0.1), "the buffer bridges every cut"


def test_payload_rates_follow_from_framing() -> None:
    assert wire.tcp_mbps(1000) == pytest.approx(949.3, abs=0.05)
    assert wire.tcp_mbps(1000, options_bytes=wire.TIMESTAMPS_BYTES) == pytest.approx(941.5, abs=0.05)
    assert wire.tcp_mbps(1000, mtu=9000) == pytest.approx(991.4, abs=0.05)
    assert wire.udp_mbps(wire.PAYLOAD_MBPS["OC-12c"], 1000) == pytest.approx(561.9, abs=0.06)
    assert wire.udp_mbps(1000, 1472) == pytest.approx(957.1, abs=0.05)
    assert wire.frame_us(1500, 1000) == pytest.approx(12.304)
