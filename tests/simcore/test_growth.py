"""How windows grow and are cut: HighSpeed TCP by the RFC's table, CUBIC by its closed form."""

import pytest

from simcore.profiles import NS_2_27, NS_2_35, RFC, Profile
from simcore.rules import cubic_window, growth, highspeed
from simcore.rules.tcp import TcpState
from simcore.scenario import TcpFlow
from simcore.setup import tcp_state
from tests.simcore.scenes import tcp_flow


def sender(kind: str, cwnd: float, ssthresh: float = 2.0) -> TcpState:
    flow = tcp_flow(variant="sack", growth=kind, window_packets=100_000, start_s=0.0, stop_s=1.0)
    state = tcp_state(TcpFlow.model_validate(flow), NS_2_35, boot_s=0.0)
    state.cwnd, state.ssthresh = cwnd, ssthresh
    return state


# RFC 3649, appendix B: where the increase of a round trip passes whole packets, with the decrease b(w).
@pytest.mark.parametrize(
    ("cwnd", "packets", "part"),
    [(118, 2, 0.44), (221, 3, 0.41), (347, 4, 0.38), (495, 5, 0.37), (663, 6, 0.35), (851, 7, 0.34), (1058, 8, 0.33)],
)
def test_highspeed_follows_the_table_of_rfc_3649(cwnd: int, packets: int, part: float) -> None:
    """The table rounds the loss rate at 38 packets to 1e-3, ns-2 takes 1.5 / 38^2: 4 % at the beginning."""
    assert highspeed.increase(cwnd) == pytest.approx(packets, rel=0.06)
    assert highspeed.decrease(cwnd) == pytest.approx(part, abs=0.006)


@pytest.mark.parametrize(("cwnd", "gained"), [(38.0, 1 / 38), (20.0, 1 / 20)])
def test_highspeed_is_standard_up_to_its_low_window(cwnd: float, gained: float) -> None:
    state = sender("highspeed", cwnd)
    growth.open_window(state, now=0.0)
    assert state.cwnd == cwnd + gained


def test_highspeed_gains_more_right_above_its_low_window() -> None:
    state = sender("highspeed", 38.01)
    growth.open_window(state, now=0.0)
    assert state.cwnd > 38.01 + 1 / 38.01


def test_the_first_loss_halves_even_a_large_window_and_the_second_takes_less() -> None:
    state = sender("highspeed", 1000.0)
    growth.cut(state)
    assert (state.cwnd, state.ssthresh) == (500.0, 500.0)
    growth.cut(state)
    assert state.cwnd == 500.0 - highspeed.decrease(500.0) * 500.0


def test_in_slow_start_a_loss_halves() -> None:
    state = sender("highspeed", 1000.0, ssthresh=2000.0)
    state.was_cut = True
    growth.cut(state)
    assert state.cwnd == 500.0


def test_cubic_leaves_seven_tenths_and_comes_back_to_its_plateau_when_the_formula_says() -> None:
    """RFC 9438, section 4.2: K = cbrt(W_max (1 - beta) / C) after a loss at W_max."""
    state = sender("cubic", 100.0)
    growth.cut(state)
    assert state.cwnd == 70.0
    cubic_window.begin_epoch(state, now=5.0)
    assert state.plateau_s == pytest.approx(((100 - 70) / 0.4) ** (1 / 3))
    assert cubic_window.window_after(state, 0.0) == pytest.approx(70.0)
    assert cubic_window.window_after(state, state.plateau_s) == 100.0
    assert cubic_window.window_after(state, 2 * state.plateau_s) == pytest.approx(130.0)


def test_a_second_loss_below_the_plateau_makes_room_for_others() -> None:
    """Section 4.7, fast convergence: the plateau is (1 + beta) / 2 of the window, not the window."""
    state = sender("cubic", 100.0)
    growth.cut(state)
    growth.cut(state)
    assert state.plateau == 70.0 * (1 + 0.7) / 2


def test_ack_by_ack_cwnd_follows_the_cubic() -> None:
    """A round trip of 100 ms, from 700 packets back to the plateau of 1000 and beyond: the curve within 1 %.

    Between the curve now and a round trip later, because each ACK goes a part of the way to the latter.
    """
    state = sender("cubic", 1000.0)
    state.srtt = 8 * 10  # ticks of 10 ms
    growth.cut(state)
    now = 0.0
    while now < 2 * (300 / 0.4) ** (1 / 3):
        growth.open_window(state, now)
        since_plateau = now - state.plateau_s
        assert 0.99 * (0.4 * since_plateau**3 + 1000) <= state.cwnd <= 1.01 * (0.4 * (since_plateau + 0.1) ** 3 + 1000)
        now += 0.1 / state.cwnd
    assert state.cwnd > 1290


def test_cubic_is_never_slower_than_the_reno_it_must_be_friendly_to() -> None:
    """Section 4.3: on a short path with a small window the estimate of Reno's window leads."""
    state = sender("cubic", 10.0)
    growth.cut(state)
    before = state.cwnd
    for ack in range(70):
        growth.open_window(state, now=0.001 * ack)
    gained = state.cwnd - before
    assert gained >= 0.99 * cubic_window.FRIENDLY * 70 / state.cwnd


def test_the_rfc_profile_cuts_what_is_outstanding() -> None:
    """RFC 5681, equation (4): max(FlightSize / 2, 2)."""
    state = tcp_state(TcpFlow.model_validate(tcp_flow(start_s=0.1, stop_s=1.0)), RFC, boot_s=0.0)
    state.cwnd, state.highest_sent, state.highest_ack = 20.0, 29, 19
    growth.cut(state)
    assert (state.cwnd, state.ssthresh) == (5.0, 5.0)


@pytest.mark.parametrize(("profile", "left"), [(NS_2_27, 0.0), (NS_2_35, 0.5), (RFC, 1.0)])
def test_a_window_of_one_is_cut_to_less_only_by_ns_2(profile: Profile, left: float) -> None:
    """RFC 3168, section 6.1.2; ns-2 itself: golden/senders/ecn-8-small-windows."""
    state = tcp_state(TcpFlow.model_validate(tcp_flow(start_s=0.1, stop_s=1.0)), profile, boot_s=0.0)
    state.cwnd, state.highest_sent, state.highest_ack = 1.0, 10, 9
    growth.cut(state)
    assert (state.cwnd, state.ssthresh) == (left, 2.0)
