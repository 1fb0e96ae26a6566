"""CUBIC by the closed form and the printed numbers of RFC 9438.

There is no golden trace of ns-2: its CUBIC is Linux's of 2006, before the RFC, with other constants. `cubic` is held to
the RFC, here. Linux's own of today is another control, held to the kernel ACK by ACK: see
tests/workbook/reading/test_lockstep.py, and `workbook check --against kernel`.
"""

import pytest

from simcore.rules.congestion import control, cubic
from tests.simcore.rules.congestion.sender import lose, sender


def test_cubic_leaves_seven_tenths_and_comes_back_to_its_plateau_when_the_formula_says() -> None:
    """RFC 9438, section 4.2: K = cbrt(W_max (1 - beta) / C) after a loss at W_max."""
    state = sender("cubic", 100.0)
    lose(state)
    assert state.cwnd == 70.0
    cubic.begin_epoch(state, state.control_state, now=5.0)
    assert state.control_state.plateau_s == pytest.approx(((100 - 70) / 0.4) ** (1 / 3))
    assert cubic.window_after(state.control_state, 0.0) == pytest.approx(70.0)
    assert cubic.window_after(state.control_state, state.control_state.plateau_s) == 100.0
    assert cubic.window_after(state.control_state, 2 * state.control_state.plateau_s) == pytest.approx(130.0)


def test_a_second_loss_below_the_plateau_makes_room_for_others() -> None:
    """Section 4.7, fast convergence: the plateau is (1 + beta) / 2 of the window, not the window."""
    state = sender("cubic", 100.0)
    lose(state)
    lose(state)
    assert state.control_state.plateau == 70.0 * (1 + 0.7) / 2


@pytest.mark.parametrize(("packets_a_loss", "mean"), [(1e4, 187.4), (1e5, 1054)])
def test_between_two_losses_are_as_many_packets_as_the_rfcs_table_says(packets_a_loss: float, mean: float) -> None:
    """Section 5.1, table 1, C = 0.4: with a loss in 1/p packets and round trips of 0.1 s the mean window is known.

    The window at a loss is 4 / (3 + beta) of it. So many ACKs later it is there again, and K seconds have passed.
    """
    largest = mean * 4 / (3 + 0.7)
    state = sender("cubic", largest)
    state.srtt = 8 * 10  # ticks of 10 ms
    lose(state)
    now = 0.0
    for _ in range(int(packets_a_loss)):
        control.data_acknowledged(state, now)
        now += 0.1 / state.cwnd
    assert state.cwnd == pytest.approx(largest, rel=1e-4)
    assert packets_a_loss * 0.1 / now == pytest.approx(mean, rel=1e-3)
    assert now == pytest.approx((largest * (1 - 0.7) / 0.4) ** (1 / 3), rel=1e-3)


def test_a_timeout_leaves_seven_tenths_for_slow_start_and_begins_another_curve() -> None:
    """Section 4.8: ssthresh is beta times the window; the plateau is where congestion avoidance begins again."""
    state = sender("cubic", 100.0)
    control.timer_expired(state, now=1.0)
    assert state.ssthresh == 70.0
    assert state.control_state.epoch_s < 0


def test_cwnd_grows_by_at_most_half_in_a_round_trip() -> None:
    """Section 4.2: long after the plateau the target is 1.5 cwnd, and an ACK goes 1/cwnd of the way to it."""
    state = sender("cubic", 100.0)
    lose(state)
    control.data_acknowledged(state, now=0.0)
    before = state.cwnd
    control.data_acknowledged(state, now=1000.0)
    assert state.cwnd == before + 0.5


def test_ack_by_ack_cwnd_follows_the_cubic() -> None:
    """A round trip of 100 ms, from 700 packets back to the plateau of 1000 and beyond: the curve within 1 %.

    Between the curve now and a round trip later, because each ACK goes a part of the way to the latter.
    """
    state = sender("cubic", 1000.0)
    state.srtt = 8 * 10  # ticks of 10 ms
    lose(state)
    now = 0.0
    while now < 2 * (300 / 0.4) ** (1 / 3):
        control.data_acknowledged(state, now)
        since_plateau = now - state.control_state.plateau_s
        assert 0.99 * (0.4 * since_plateau**3 + 1000) <= state.cwnd <= 1.01 * (0.4 * (since_plateau + 0.1) ** 3 + 1000)
        now += 0.1 / state.cwnd
    assert state.cwnd > 1290


def test_cubic_is_never_slower_than_the_reno_it_must_be_friendly_to() -> None:
    """Section 4.3: on a short path with a small window the estimate of Reno's window leads."""
    state = sender("cubic", 10.0)
    lose(state)
    before = state.cwnd
    for ack in range(70):
        control.data_acknowledged(state, now=0.001 * ack)
    gained = state.cwnd - before
    assert gained >= 0.99 * state.control_state.friendly * 70 / state.cwnd
