"""Closed forms by worked numbers: the tables of the RFCs, sums by hand, and what each law must tend to."""

from math import inf, isclose, sqrt

import pytest

from simcore.metrics import theory


def test_mathis_by_hand() -> None:
    """One loss in 600 packets: a saw tooth from 20 to 40 packets holds 20 + ... + 39 = 590, 30 a round trip."""
    assert theory.mathis_packets_a_s(1 / 600, 0.1) == pytest.approx(300)
    assert theory.mathis_packets_a_s(1 / 600, 0.1, packets_per_ack=2) == pytest.approx(300 / sqrt(2))


def test_pftk_by_hand() -> None:
    """p = 1 %, 100 ms, a timeout of 400 ms: 8.165 ms for recovery and 0.737 ms for timeouts, a packet."""
    assert theory.pftk_packets_a_s(0.01, 0.1, 0.4) == pytest.approx(1 / (8.16497e-3 + 7.37195e-4), rel=1e-5)
    assert theory.pftk_packets_a_s(0.01, 0.1, 0.4, window_packets=5) == 50


def test_pftk_is_below_mathis_and_tends_to_it_when_losses_are_rare() -> None:
    for loss, least in ((1e-1, 0.2), (1e-3, 0.98), (1e-7, 0.9999)):
        part = theory.pftk_packets_a_s(loss, 0.1, 0.4) / theory.mathis_packets_a_s(loss, 0.1)
        assert least < part < 1


@pytest.mark.parametrize(
    ("loss", "reno", "highspeed", "cubic"),
    [
        (1e-2, 12, 12, 12), (1e-3, 38, 38, 38), (1e-4, 120, 263, 187), (1e-5, 379, 1795, 1054),
        (1e-6, 1200, 12280, 5926), (1e-7, 3795, 83981, 33325), (1e-8, 12000, 574356, 187400),
    ],
)  # fmt: skip
def test_windows_are_those_of_the_rfcs_tables(loss: float, reno: int, highspeed: int, cubic: int) -> None:
    """As RFC 3649 and RFC 9438, section 5.1, print them, in whole packets: round trips of 0.1 s, C = 0.4."""
    assert theory.reno_window(loss) == pytest.approx(reno, rel=1e-3, abs=0.5)
    assert theory.highspeed_window(loss) == pytest.approx(highspeed, rel=1e-3, abs=0.5)
    assert theory.cubic_window(loss, 0.1) == pytest.approx(cubic, rel=1e-3, abs=0.5)


def test_cubic_is_as_reno_in_short_networks() -> None:
    assert theory.cubic_window(1e-4, 0.01) == theory.reno_window(1e-4)
    assert theory.cubic_window(1e-4, 1.0) == pytest.approx(1.0538 * 1e3, rel=1e-3)


def test_mean_of_md1_by_hand() -> None:
    """At half load: 0.5 being sent, 0.25 waiting. Half as many wait as with exponential sizes: 0.5."""
    assert theory.md1_packets(0.5) == 0.75
    assert theory.md1_packets(0) == 0
    assert theory.md1_packets(1) == inf


def test_mm1k_by_hand() -> None:
    """Two places at load 1: nought, one or two packets, a third of the time each. At half load 4 : 2 : 1."""
    assert (theory.mm1k_packets(1, 2), theory.mm1k_loss(1, 2)) == pytest.approx((1, 1 / 3))
    assert (theory.mm1k_packets(0.5, 2), theory.mm1k_loss(0.5, 2)) == pytest.approx((4 / 7, 1 / 7))
    assert isclose(theory.mm1k_packets(0.5, 60), 1), "an endless buffer: load / (1 - load)"
    assert theory.mm1k_loss(100, 5) == pytest.approx(0.99, rel=1e-3), "what is too much is lost"


def test_a_hundred_flows_need_a_tenth_of_the_pipe() -> None:
    assert (theory.buffer_packets(250, 1), theory.buffer_packets(250, 100)) == (250, 25)
