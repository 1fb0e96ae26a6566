"""CUBIC by its closed form."""

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
    assert gained >= 0.99 * cubic.FRIENDLY * 70 / state.cwnd
