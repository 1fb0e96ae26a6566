"""TCP NewReno, step by step: it repairs one loss a round trip, and stays in recovery until all are repaired."""

import pytest

from simcore.rules.causes import CAUSES
from simcore.rules.tcp.sender import DUPLICATE_ACKS, EXITED, TIMEOUT
from simcore.scenario.profiles import NS_2_27, NS_2_35, Profile
from tests.simcore.script import Script, under_way


def newreno(acked: int, sent: int, profile: Profile = NS_2_35, **fields: object) -> Script:
    return Script(under_way(acked, sent, profile, "newreno", **fields))


def in_recovery(profile: Profile = NS_2_35, **fields: object) -> Script:
    """Segments 11 to 20 are outstanding; the third duplicate of ACK 10 has just had 11 repeated."""
    script = newreno(10, 20, profile, **{"duplicate_acks": 2} | fields)
    assert script.gets(10) == [11]
    script.timer_s = None
    return script


# Entering recovery


def test_the_third_duplicate_is_answered_as_in_reno() -> None:
    script = newreno(10, 20, duplicate_acks=2, rto_s=1.5)
    assert script.gets(10) == [11]
    assert (script.tcp.ssthresh, script.tcp.cwnd, script.tcp.inflation) == (5.0, 5.0, 3)
    assert (script.tcp.recover, script.tcp.last_action) == (20, DUPLICATE_ACKS)
    assert script.timer_s == 1.5


@pytest.mark.parametrize(
    ("ack", "recover", "cuts"), [(10, 9, True), (10, 10, False), (10, 11, False), (0, 5, True), (1, 5, False)]
)
@pytest.mark.parametrize("last_action", [TIMEOUT, DUPLICATE_ACKS])
def test_a_loss_of_a_window_already_cut_does_not_cut_it_again_whatever_was_done_last(
    ack: int, recover: int, cuts: bool, last_action: int
) -> None:
    script = newreno(ack, ack + 10, duplicate_acks=2, recover=recover, last_action=last_action)
    assert script.gets(ack) == ([ack + 1] if cuts else [])


@pytest.mark.parametrize(("profile", "inflates"), [(NS_2_27, True), (NS_2_35, False)])
def test_until_august_2004_duplicates_went_on_inflating_the_window_after_a_recovery(
    profile: Profile, inflates: bool
) -> None:
    script = in_recovery(profile)
    script.gets(20)
    assert script.tcp.last_action == (DUPLICATE_ACKS if inflates else EXITED)
    for _ in range(4):
        script.gets(20)
    assert script.tcp.inflation == (1 if inflates else 0)


# Partial ACKs


def test_a_partial_ack_has_the_next_missing_segment_repeated() -> None:
    script = in_recovery()
    assert script.gets(13) == [14]
    assert script.gets(17) == [18]
    assert script.tcp.last_action == DUPLICATE_ACKS


@pytest.mark.parametrize(("ack", "is_partial"), [(19, True), (20, False), (21, False)])
def test_recovery_ends_with_the_ack_of_all_that_was_outstanding(ack: int, is_partial: bool) -> None:
    script = in_recovery()
    script.tcp.highest_sent = 21
    script.gets(ack)
    assert script.tcp.last_action == (DUPLICATE_ACKS if is_partial else EXITED)
    assert (script.tcp.inflation > 0) == is_partial
    assert script.tcp.duplicate_acks == (3 if is_partial else 0)


def test_the_ack_that_ends_recovery_opens_the_halved_window() -> None:
    script = in_recovery()
    assert script.gets(20) == [21, 22, 23, 24, 25]
    assert (script.tcp.cwnd, CAUSES[script.tcp.cause]) == (5.2, "recovery_end")


@pytest.mark.parametrize(
    ("inflation", "ack", "left", "cwnd"),
    [
        (9, 13, 7, 5.0),  # 3 segments left, 1 comes in
        (4, 13, 2, 5.0),
        (3, 13, 1, 5.0),  # the whole inflation, but one packet for the repair
        (2, 13, 1, 4.0),  # ns-2: and what exceeds it comes off the window itself
        (3, 17, 1, 1.0),
        (3, 18, 1, 1.0),  # which keeps one packet
    ],
)
def test_a_partial_ack_deflates_the_window_by_what_left_the_network(
    inflation: int, ack: int, left: int, cwnd: float
) -> None:
    script = in_recovery()
    script.tcp.inflation = inflation
    script.gets(ack)
    assert (script.tcp.inflation, script.tcp.cwnd, CAUSES[script.tcp.cause]) == (left, cwnd, "deflation")


def test_only_the_first_partial_ack_of_a_recovery_starts_the_timer_anew() -> None:
    script = in_recovery(rto_s=1.5)
    script.gets(12)
    assert script.timer_s == 1.5
    script.timer_s = None
    script.gets(14)
    assert script.timer_s is None
    script.gets(20)
    assert script.timer_s == 1.5


def test_the_next_recovery_has_a_first_partial_ack_again() -> None:
    script = in_recovery()
    script.gets(12)
    script.gets(20)
    sent = script.tcp.highest_sent
    script.gets(21)
    for _ in range(3):
        script.gets(21)
    script.timer_s = None
    script.gets(22)
    assert script.tcp.highest_ack < sent
    assert script.timer_s is not None


def test_after_a_timeout_there_are_no_partial_acks() -> None:
    script = in_recovery()
    assert script.hears_nothing() == [11]
    assert (script.tcp.inflation, script.tcp.duplicate_acks) == (0, 0)
    assert script.gets(12) == [13, 14]  # slow start


# Bursts


def test_in_recovery_the_window_lets_out_two_segments_at_once_at_most() -> None:
    script = newreno(10, 14, cwnd=10.0, duplicate_acks=2)
    assert script.gets(10) == [11, 15, 16]  # Reno would send up to 18
    assert script.gets(10) == [17, 18]
    assert script.gets(10) == [19, 20]


def test_so_it_does_after_a_partial_ack() -> None:
    script = in_recovery()
    script.tcp.inflation = 12
    assert script.gets(11) == [12, 21, 22]  # of the window's 23


@pytest.mark.parametrize("duplicates", [0, 3])
def test_the_ack_that_ends_it_and_every_other_new_ack_send_what_the_window_allows(duplicates: int) -> None:
    script = newreno(10, 14, cwnd=8.0, duplicate_acks=duplicates)
    assert script.gets(14) == list(range(15, 15 + 9))


def test_what_was_left_of_a_burst_does_not_count_for_the_next_event() -> None:
    script = newreno(10, 14, cwnd=10.0, duplicate_acks=2)
    script.gets(10)
    assert script.hears_nothing() == [11]
    script.tcp.ssthresh = 64.0
    assert script.gets(16) == [17, 18]
    assert script.gets(18) == [19, 20, 21]
