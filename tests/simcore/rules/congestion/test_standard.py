"""Standard congestion control: what a loss leaves of the window, by profile."""

import pytest

from simcore.scenario.profiles import NS_2_27, NS_2_35, RFC, Profile
from tests.simcore.rules.congestion.sender import lose, sender


def test_the_rfc_profile_cuts_what_is_outstanding() -> None:
    """RFC 5681, equation (4): max(FlightSize / 2, 2)."""
    state = sender("standard", 1.0, profile=RFC)
    state.cwnd, state.highest_sent, state.highest_ack = 20.0, 29, 19
    lose(state)
    assert (state.cwnd, state.ssthresh) == (5.0, 5.0)


@pytest.mark.parametrize(("profile", "left"), [(NS_2_27, 0.0), (NS_2_35, 0.5), (RFC, 1.0)])
def test_a_window_of_one_is_cut_to_less_only_by_ns_2(profile: Profile, left: float) -> None:
    """RFC 3168, section 6.1.2; ns-2 itself: golden/senders/ecn-8-small-windows."""
    state = sender("standard", 1.0, profile=profile)
    state.cwnd, state.highest_sent, state.highest_ack = 1.0, 10, 9
    lose(state)
    assert (state.cwnd, state.ssthresh) == (left, 2.0)
