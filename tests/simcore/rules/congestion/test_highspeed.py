"""HighSpeed TCP by the table of its RFC."""

import pytest

from simcore.rules.congestion import control, highspeed
from simcore.scenario.profiles import NS_2_27
from tests.simcore.rules.congestion.sender import lose, sender

STATE = highspeed.initial_state(highspeed.Settings(), window=1)


# RFC 3649, appendix B: where the increase of a round trip passes whole packets, with the decrease b(w).
@pytest.mark.parametrize(
    ("cwnd", "packets", "part"),
    [(118, 2, 0.44), (221, 3, 0.41), (347, 4, 0.38), (495, 5, 0.37), (663, 6, 0.35), (851, 7, 0.34), (1058, 8, 0.33)],
)
def test_highspeed_follows_the_table_of_rfc_3649(cwnd: int, packets: int, part: float) -> None:
    """The table rounds the loss rate at 38 packets to 1e-3, ns-2 takes 1.5 / 38^2: 4 % at the beginning."""
    assert highspeed.increase(STATE, cwnd) == pytest.approx(packets, rel=0.06)
    assert highspeed.decrease(STATE, cwnd) == pytest.approx(part, abs=0.006)


@pytest.mark.parametrize(("cwnd", "gained"), [(38.0, 1 / 38), (20.0, 1 / 20)])
def test_highspeed_is_standard_up_to_its_low_window(cwnd: float, gained: float) -> None:
    state = sender("highspeed", cwnd)
    control.data_acknowledged(state, now=0.0)
    assert state.cwnd == cwnd + gained


def test_highspeed_gains_more_right_above_its_low_window() -> None:
    state = sender("highspeed", 38.01)
    control.data_acknowledged(state, now=0.0)
    assert state.cwnd > 38.01 + 1 / 38.01


def test_the_first_loss_halves_even_a_large_window_and_the_second_takes_less() -> None:
    state = sender("highspeed", 1000.0)
    lose(state)
    assert (state.cwnd, state.ssthresh) == (500.0, 500.0)
    lose(state)
    assert state.cwnd == 500.0 - highspeed.decrease(STATE, 500.0) * 500.0


def test_with_whole_packets_the_rest_of_the_untruncated_window_is_truncated() -> None:
    """ns-2: int((1 - b(w)) w). Of the 501 whole packets, 317 would be left."""
    state = sender("highspeed", 501.9, profile=NS_2_27)
    state.control_state.was_cut = True
    lose(state)
    assert (state.cwnd, state.ssthresh) == (318.0, 318.0)


def test_in_slow_start_a_loss_halves() -> None:
    state = sender("highspeed", 1000.0, ssthresh=2000.0)
    state.control_state.was_cut = True
    lose(state)
    assert state.cwnd == 500.0
