"""TCP Reno, step by step: what a sender does about ACKs, duplicate ACKs and silence."""

from collections.abc import Mapping
from typing import Any

import pytest

from simcore.rules.causes import CAUSES
from simcore.rules.tcp.sender import DUPLICATE_ACKS, EXITED, TIMEOUT
from simcore.scenario.profiles import NS_2_27, NS_2_35, Profile
from tests.simcore.script import Script, sender, under_way


def cause(script: Script) -> str:
    return CAUSES[script.tcp.cause]


# Start


def test_a_connection_opens_with_a_syn_and_goes_on_with_two_segments() -> None:
    script = Script(sender())
    assert script.starts() == [0]
    assert (script.timer_s, cause(script)) == (6.0, "start")
    assert script.gets(0) == [1, 2]
    assert (script.tcp.cwnd, cause(script)) == (2.0, "initial_window")


def test_after_a_lost_syn_the_initial_window_is_one_segment() -> None:
    script = Script(sender())
    script.starts()
    assert script.hears_nothing() == [0]
    assert script.gets(0) == [1]
    assert script.tcp.cwnd == 1.0


def test_a_profile_may_allow_two_segments_after_a_lost_syn_but_one_after_the_second() -> None:
    """ns-2 with windowInitOption_ 2: the first loss makes it 1, and windowInit_ 2 holds; the second makes that 1."""
    profile = NS_2_35.model_copy(update={"initial_window_packets": 4, "lost_syn_window_packets": 2})
    script = Script(sender(profile))
    script.starts()
    windows = []
    for _ in range(3):
        windows.append(script.tcp.initial_window)
        script.hears_nothing()
    assert windows == [4.0, 2.0, 1.0]


def test_a_lost_syn_never_enlarges_the_initial_window() -> None:
    profile = NS_2_35.model_copy(update={"initial_window_packets": 2, "lost_syn_window_packets": 3})
    script = Script(sender(profile))
    script.starts()
    script.hears_nothing()
    assert script.tcp.initial_window == 2.0


def test_a_lost_first_segment_is_no_lost_syn() -> None:
    script = Script(sender())
    script.starts()
    script.gets(0)
    script.hears_nothing()
    assert script.tcp.initial_window == 2.0


# New ACKs


@pytest.mark.parametrize(
    ("cwnd", "grown", "rule"),
    [
        (7.0, 8.0, "slow_start"),
        (7.5, 8.5, "slow_start"),  # below the threshold, whatever comes of it
        (8.0, 8.125, "congestion_avoidance"),  # at it
        (10.0, 10.1, "congestion_avoidance"),
    ],
)
def test_the_window_grows_by_one_below_the_threshold_and_by_a_fraction_from_it_on(
    cwnd: float, grown: float, rule: str
) -> None:
    script = Script(under_way(acked=10, sent=15, cwnd=cwnd, ssthresh=8.0))
    script.gets(11)
    assert (script.tcp.cwnd, cause(script)) == (grown, rule)


def test_slow_start_answers_each_ack_with_two_segments() -> None:
    script = Script(under_way(acked=10, sent=14))
    assert script.gets(11) == [15, 16]
    assert script.gets(12) == [17, 18]


def test_an_ack_of_several_segments_opens_the_window_once() -> None:
    script = Script(under_way(acked=10, sent=14))
    assert script.gets(14) == [15, 16, 17, 18, 19]
    assert script.tcp.cwnd == 5.0


def test_the_congestion_window_grows_beyond_the_advertised_one_but_only_that_is_used() -> None:
    script = Script(under_way(acked=10, sent=30, cwnd=20.0, ssthresh=64.0))
    assert script.gets(11) == [31]
    assert script.tcp.cwnd == 21.0


def test_every_new_ack_starts_the_timer_anew() -> None:
    script = Script(under_way(acked=10, sent=14, rto_s=1.5, data_end=15))
    assert script.gets(11) == []
    assert script.timer_s == 1.5


def test_old_acks_and_duplicates_other_than_the_third_leave_the_timer_alone() -> None:
    for duplicates, ack in (0, 9), (0, 10), (1, 10), (3, 10), (4, 10):
        script = Script(under_way(acked=10, sent=30, duplicate_acks=duplicates, last_action=DUPLICATE_ACKS))
        script.gets(ack)
        assert script.timer_s is None


def test_even_the_ack_of_everything_starts_the_timer() -> None:
    script = Script(under_way(acked=10, sent=11, rto_s=1.5, data_end=12))
    assert script.gets(11) == []
    assert script.timer_s == 1.5


def test_an_ack_beyond_what_is_to_be_repeated_saves_repeating_it() -> None:
    script = Script(under_way(acked=10, sent=20))
    assert script.hears_nothing() == [11]
    assert script.gets(17) == [18, 19]  # the sink had kept 12 to 17


# The first two duplicates (limited transmit)


def test_the_first_and_the_second_duplicate_release_one_segment_each_and_leave_the_window_alone() -> None:
    script = Script(under_way(acked=10, sent=16))
    assert script.gets(10) == [17]
    assert script.gets(10) == [18]
    assert (script.tcp.cwnd, script.tcp.inflation, cause(script)) == (6.0, 0, "none")
    assert script.timer_s is None


def test_without_limited_transmit_they_release_none() -> None:
    script = Script(under_way(acked=10, sent=16, limited_transmit=False))
    assert script.gets(10) + script.gets(10) == []


@pytest.mark.parametrize(("window", "released"), [(6, []), (7, [17])])
def test_they_release_none_beyond_the_advertised_window(window: int, released: list[int]) -> None:
    script = Script(under_way(acked=10, sent=16, window=window))
    assert script.gets(10) == released


@pytest.mark.parametrize(("data_end", "released"), [(17, []), (18, [17])])
def test_they_release_none_that_the_application_does_not_offer(data_end: int, released: list[int]) -> None:
    script = Script(under_way(acked=10, sent=16, data_end=data_end))
    assert script.gets(10) == released


@pytest.mark.parametrize(
    ("cwnd", "first", "second"), [(4.9, [], []), (5.0, [], [17]), (5.9, [], [17]), (6.0, [17], [18])]
)
def test_they_release_none_beyond_the_congestion_window_and_one_for_each_duplicate(
    cwnd: float, first: list[int], second: list[int]
) -> None:
    script = Script(under_way(acked=10, sent=16, cwnd=cwnd))
    assert script.gets(10) == first  # up to 10 + cwnd + 1
    assert script.gets(10) == second  # up to 10 + cwnd + 2


def test_a_new_ack_begins_the_count_of_duplicates_anew() -> None:
    script = Script(under_way(acked=10, sent=16))
    script.gets(10)
    script.gets(10)
    assert script.gets(11) == []  # 18 is as far as a window of 7 reaches
    assert script.gets(11) == [19]  # the first duplicate again, not the third


# The third duplicate: fast retransmit


def third_duplicate(state_fields: Mapping[str, Any], profile: Profile = NS_2_27) -> Script:
    """A sender with the third duplicate of ACK 10 behind it."""
    script = Script(under_way(10, 30, profile, **{"duplicate_acks": 2, **state_fields}))
    script.gets(10)
    return script


def test_the_third_duplicate_repeats_the_missing_segment_and_halves_the_window() -> None:
    script = Script(under_way(acked=10, sent=20, duplicate_acks=2, rto_s=1.5, backoff=2))
    assert script.gets(10) == [11]
    assert (script.tcp.ssthresh, script.tcp.cwnd, script.tcp.inflation) == (5.0, 5.0, 3)
    assert (script.tcp.recover, script.tcp.last_action, cause(script)) == (20, DUPLICATE_ACKS, "fast_retransmit")
    assert (script.timer_s, script.tcp.backoff) == (3.0, 2)  # started anew, with the back-off as it is


def test_two_duplicates_cut_nothing() -> None:
    script = Script(under_way(acked=10, sent=20, duplicate_acks=1))
    assert script.gets(10) == [21]
    assert script.tcp.cwnd == 10.0


def test_the_inflated_window_may_release_new_segments_at_once() -> None:
    script = Script(under_way(acked=10, sent=14, cwnd=10.0, duplicate_acks=2))
    assert script.gets(10) == [11, 15, 16, 17, 18]  # 10 + 5 + 3


def test_from_the_fourth_on_each_duplicate_inflates_the_window_by_one() -> None:
    script = Script(under_way(acked=10, sent=20, duplicate_acks=2))
    script.gets(10)
    assert script.gets(10) == []  # 5 + 4: up to 19
    assert (script.tcp.inflation, cause(script)) == (4, "inflation")
    assert script.gets(10) == []  # up to 20
    assert script.gets(10) == [21]
    assert script.gets(10) == [22]


def test_the_inflated_window_is_bounded_by_the_advertised_one() -> None:
    script = Script(under_way(acked=10, sent=30, duplicate_acks=2))
    for _ in range(15):
        assert script.gets(10) in ([11], [])  # 10 + 20 is the end


def test_the_next_new_ack_ends_the_inflation() -> None:
    script = third_duplicate({})
    assert script.tcp.cwnd == 10.0
    assert script.gets(11) == []  # 20 are outstanding
    assert (script.tcp.inflation, script.tcp.cwnd, cause(script)) == (0, 10.1, "recovery_end")


# A further third duplicate: a new loss, or the old one?


@pytest.mark.parametrize(
    ("ack", "recover", "cuts"),
    [
        (10, 9, True),  # what was sent when the last loss was noticed is all acknowledged, and one more
        (10, 10, False),  # just all
        (10, 11, False),
        (0, 5, True),  # ns-2: the SYN's ACK always counts
        (1, 5, False),
    ],
)
def test_a_loss_of_a_window_already_cut_does_not_cut_it_again(ack: int, recover: int, cuts: bool) -> None:
    script = Script(under_way(ack, ack + 10, duplicate_acks=2, recover=recover, last_action=TIMEOUT))
    assert script.gets(ack) == ([ack + 1] if cuts else [])
    assert (script.tcp.cwnd, script.tcp.inflation) == ((5.0, 3) if cuts else (10.0, 0))


def test_a_third_duplicate_that_cuts_nothing_still_lets_the_window_send() -> None:
    script = Script(under_way(10, 20, cwnd=12.0, duplicate_acks=2, recover=10, last_action=TIMEOUT))
    assert script.gets(10) == [21, 22]


def test_duplicates_beyond_the_third_do_not_inflate_a_window_that_was_not_cut() -> None:
    script = Script(under_way(10, 20, duplicate_acks=2, recover=10, last_action=TIMEOUT))
    script.gets(10)
    assert script.gets(10) == []
    assert script.tcp.inflation == 0


def after_a_recovery(*, recovery_exit_marked: bool) -> Script:
    """Segment 11 was lost and repaired; the ACK of all that was outstanding ended the recovery."""
    script = Script(under_way(acked=10, sent=20, recovery_exit_marked=recovery_exit_marked))
    for _ in range(3):
        script.gets(10)
    script.gets(script.tcp.recover)
    return script


def test_2004s_one_character_bug_three_duplicates_cut_the_window_again_without_a_new_loss() -> None:
    script = after_a_recovery(recovery_exit_marked=False)
    assert script.tcp.last_action == DUPLICATE_ACKS
    acked = script.tcp.highest_ack
    assert acked == script.tcp.recover  # nothing sent since is missing
    steps = [script.gets(acked) for _ in range(3)]
    assert steps[2] == [acked + 1]
    assert script.tcp.cwnd < script.tcp.ssthresh + 1
    assert script.tcp.inflation == 3


def test_since_its_repair_they_do_not() -> None:
    script = after_a_recovery(recovery_exit_marked=True)
    assert script.tcp.last_action == EXITED
    acked, cwnd = script.tcp.highest_ack, script.tcp.cwnd
    steps = [script.gets(acked) for _ in range(5)]
    assert [acked + 1] not in steps
    assert (script.tcp.cwnd, script.tcp.inflation) == (cwnd, 0)


def test_only_the_end_of_a_fast_recovery_is_marked() -> None:
    script = Script(under_way(10, 20, recovery_exit_marked=True, last_action=TIMEOUT))
    script.gets(11)
    assert script.tcp.last_action == TIMEOUT


# How deep the cut is


@pytest.mark.parametrize(
    ("cwnd", "whole", "real"),
    [
        (3.0, (2.0, 1.0), (2.0, 1.5)),  # ssthresh is at least 2, cwnd may end below
        (4.0, (2.0, 2.0), (2.0, 2.0)),
        (5.0, (2.0, 2.0), (2.0, 2.5)),
        (6.0, (3.0, 3.0), (3.0, 3.0)),
        (11.75, (5.0, 5.0), (5.0, 5.875)),
    ],
)
def test_the_cut_as_a_whole_number_of_packets_and_as_a_real_one(
    cwnd: float, whole: tuple[float, float], real: tuple[float, float]
) -> None:
    for profile, expected in (NS_2_27, whole), (NS_2_35, real):
        script = third_duplicate({"cwnd": cwnd}, profile)
        assert (script.tcp.ssthresh, script.tcp.cwnd) == expected


@pytest.mark.parametrize(("window", "half"), [(20, 7.5), (15, 7.5), (12, 6.0)])
def test_inflation_counts_as_window_in_use_up_to_the_advertised_window(window: int, half: float) -> None:
    changes = {"cwnd": 6.0, "inflation": 9, "window": window, "last_action": DUPLICATE_ACKS}
    assert third_duplicate(changes, NS_2_35).tcp.cwnd == half
    assert third_duplicate(changes, NS_2_27).tcp.cwnd == int(half)


def test_a_congestion_window_beyond_the_advertised_one_is_cut_to_half_of_that() -> None:
    assert third_duplicate({"cwnd": 57.3}, NS_2_27).tcp.cwnd == 10.0
    assert third_duplicate({"cwnd": 57.3}, NS_2_35).tcp.cwnd == 10.0


@pytest.mark.parametrize(("profile", "left"), [(NS_2_27, 0.0), (NS_2_35, 0.5)])
def test_a_window_of_one_that_is_cut_lives_on_duplicates_until_the_next_new_ack(profile: Profile, left: float) -> None:
    """ns-2 has no lower bound. It takes three needless repetitions of a SYN, on a path slower than the timeout."""
    script = third_duplicate({"cwnd": 1.0}, profile)
    assert (script.tcp.cwnd, script.tcp.inflation, script.tcp.ssthresh) == (left, 3, 2.0)
    script.gets(11)
    assert (script.tcp.cwnd, script.tcp.inflation) == (1.0 + left, 0)


def test_three_needless_repetitions_of_the_syn_cut_the_window() -> None:
    script = Script(sender())
    script.starts()
    for _ in range(3):
        assert script.hears_nothing() == [0]
    assert script.gets(0) == [1]
    assert [script.gets(0) for _ in range(3)] == [[2], [3], [1]]
    assert (script.tcp.cwnd, cause(script)) == (0.0, "fast_retransmit")


# ACKs from the past


@pytest.mark.parametrize(("duplicates", "sends"), [(0, True), (1, False), (2, False), (3, True), (4, True)])
def test_an_ack_below_the_highest_lets_the_window_send_except_within_limited_transmit(
    duplicates: int, sends: bool
) -> None:
    script = Script(under_way(acked=10, sent=12, cwnd=3.0, duplicate_acks=duplicates))
    assert script.gets(9) == ([13] if sends else [])
    assert (script.tcp.cwnd, script.tcp.duplicate_acks, script.tcp.highest_ack) == (3.0, duplicates, 10)


# Silence


def test_a_timeout_goes_back_to_the_first_unacknowledged_segment_with_a_window_of_one() -> None:
    script = Script(under_way(acked=10, sent=20, rto_s=1.5, timing=True, duplicate_acks=5, inflation=4))
    assert script.hears_nothing() == [11]
    assert (script.tcp.ssthresh, script.tcp.cwnd, script.tcp.inflation) == (5.0, 1.0, 0)
    assert (script.tcp.duplicate_acks, script.tcp.timing, script.tcp.recover) == (0, False, 20)
    assert (script.tcp.last_action, cause(script)) == (TIMEOUT, "timeout")
    assert script.timer_s == 3.0  # backed off


def test_after_a_timeout_everything_is_sent_again_go_back_n() -> None:
    script = Script(under_way(acked=10, sent=20))
    script.hears_nothing()
    assert script.gets(11) == [12, 13]
    assert script.gets(12) == [14, 15]


def test_inflation_does_not_count_in_the_cut_of_a_timeout() -> None:
    script = Script(under_way(acked=10, sent=20, cwnd=8.0, inflation=9))
    script.hears_nothing()
    assert script.tcp.ssthresh == 4.0


def test_a_second_timeout_halves_the_window_of_one() -> None:
    script = Script(under_way(acked=10, sent=20))
    script.hears_nothing()
    assert script.hears_nothing() == [11]
    assert (script.tcp.ssthresh, script.tcp.cwnd, script.tcp.backoff) == (2.0, 1.0, 4)


def test_a_timeout_with_nothing_outstanding_only_closes_the_window() -> None:
    script = Script(under_way(acked=20, sent=20, cwnd=7.0, ssthresh=5.0, data_end=20))
    assert script.hears_nothing() == []
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.tcp.backoff) == (1.0, 5.0, 1)
    assert (cause(script), script.timer_s, script.tcp.timer_pending) == ("idle_timeout", None, False)


def test_a_timeout_with_one_segment_outstanding_is_a_loss() -> None:
    script = Script(under_way(acked=19, sent=20, cwnd=7.0))
    script.hears_nothing()
    assert (cause(script), script.tcp.ssthresh, script.tcp.backoff) == ("timeout", 3.0, 2)
