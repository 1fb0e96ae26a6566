"""TCP with SACK, step by step: duplicate ACKs count by what they tell, and holes are repaired first."""

from typing import Any

import pytest

from simcore.rules.causes import CAUSES
from simcore.scenario.profiles import NS_2_27, NS_2_35, Profile
from tests.simcore.script import Script, sender, under_way


def sack(acked: int, sent: int, profile: Profile = NS_2_35, **fields: Any) -> Script:
    return Script(under_way(acked, sent, profile, "sack", **fields))


def in_recovery(**fields: Any) -> Script:
    """Segments 11 to 22 are outstanding, 13 to 15 are known to have arrived, and 11 has just been repeated."""
    script = sack(10, 20, **fields)
    assert script.gets(10, (13, 14)) == [21]
    assert script.gets(10, (13, 15)) == [22]
    assert script.gets(10, (13, 16)) == [11]
    script.timer_s = None
    return script


# Before recovery


def test_it_opens_like_reno() -> None:
    script = Script(sender(NS_2_35, "sack"))
    assert script.starts() == [0]
    assert script.gets(0) == [1, 2]
    assert script.gets(1) == [3, 4]


def test_duplicates_that_tell_nothing_new_do_not_count() -> None:
    script = sack(10, 20)
    assert [script.gets(10) for _ in range(4)] == [[]] * 4
    script.gets(10, (12, 13))
    assert script.gets(10, (12, 13)) == []
    assert script.tcp.duplicate_acks == 1


def test_any_block_of_an_ack_may_be_the_news() -> None:
    script = sack(10, 20)
    script.gets(10, (12, 13))
    script.gets(10, (12, 13), (16, 17))
    assert script.tcp.duplicate_acks == 2
    script.gets(10, (12, 13), (16, 17), (14, 15))
    assert script.recovery.recovering


def test_until_one_counts_the_window_may_send() -> None:
    assert sack(10, 14, cwnd=8.0).gets(10) == [15, 16, 17, 18]
    assert sack(10, 14, cwnd=8.0, duplicate_acks=3).gets(10) == []


def test_a_new_ack_forgets_what_blocks_told() -> None:
    script = sack(10, 20)
    script.gets(10, (13, 14))
    script.gets(11)
    script.gets(11, (13, 14))
    assert script.tcp.duplicate_acks == 1


# Entering recovery


def test_the_third_duplicate_repeats_the_missing_segment_and_halves_the_window() -> None:
    script = sack(10, 20, duplicate_acks=2, rto_s=1.5)
    assert script.gets(10, (12, 13)) == [11]
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.tcp.inflation) == (5.0, 5.0, 0)
    assert (script.tcp.recover, script.recovery.pipe, script.timer_s) == (20, 7, 1.5)
    assert CAUSES[script.tcp.cause] == "fast_retransmit"


@pytest.mark.parametrize(("profile", "left"), [(NS_2_27, 5.0), (NS_2_35, 5.5)])
def test_the_cut_in_whole_packets_and_in_real_ones(profile: Profile, left: float) -> None:
    script = sack(10, 21, profile, duplicate_acks=2)
    script.gets(10, (12, 13))
    assert script.tcp.cwnd == left


def test_it_sends_nothing_else_then() -> None:
    assert sack(10, 14, cwnd=12.0, duplicate_acks=2).gets(10, (12, 13)) == [11]


@pytest.mark.parametrize(
    ("ack", "recover", "cuts"), [(10, 9, True), (10, 10, False), (10, 11, False), (0, 5, True), (1, 5, False)]
)
def test_a_loss_of_a_window_already_cut_does_not_cut_it_again(ack: int, recover: int, cuts: bool) -> None:
    script = sack(ack, ack + 10, duplicate_acks=2, recover=recover)
    assert script.gets(ack, (ack + 2, ack + 3)) == ([ack + 1] if cuts else [])
    assert script.recovery.recovering == cuts


def test_the_fourth_duplicate_does_not_make_up_for_it() -> None:
    script = sack(10, 20, duplicate_acks=3, recover=10)
    assert script.gets(10, (12, 13)) == []
    assert not script.recovery.recovering


# In recovery


def test_every_ack_is_a_packet_less_in_the_network_and_below_cwnd_one_is_sent() -> None:
    script = in_recovery()
    assert (script.recovery.pipe, script.tcp.cwnd) == (12 - 3, 5.0)
    sent = [script.gets(10, (13, 17 + i)) for i in range(6)]
    assert sent == [[], [], [], [], [12], [23]]  # pipe 8, 7, 6, 5; from 4 on one comes in for each


def test_holes_come_first_in_order_and_only_below_what_has_arrived() -> None:
    script = in_recovery()
    script.recovery.pipe = 0
    assert script.gets(10, (20, 21), (17, 18), (13, 16)) == [12, 16, 18, 19, 23, 24]


def test_holes_alone_are_repaired_when_the_application_has_no_more() -> None:
    script = in_recovery()
    script.tcp.data_end = 22
    script.recovery.pipe = 0
    assert script.gets(10, (17, 18), (13, 16)) == [12, 16]


def test_a_repair_that_was_lost_again_is_left_to_the_timer() -> None:
    script = in_recovery()
    script.recovery.pipe = 1
    assert script.gets(10, (20, 21), (13, 16)) == [12, 16, 17, 18, 19]
    assert script.gets(10, (13, 23)) == [23]  # 11 and 12 are still missing


@pytest.mark.parametrize(("window", "sent"), [(12, []), (13, [23]), (14, [23, 24])])
def test_new_segments_stay_within_the_advertised_window(window: int, sent: list[int]) -> None:
    script = in_recovery()
    script.recovery.next_repair = 17
    script.recovery.pipe = -10
    script.tcp.window = window
    assert script.gets(10, (13, 17)) == sent


def test_a_partial_ack_counts_twice_and_starts_the_timer_anew() -> None:
    script = in_recovery(rto_s=1.5)
    assert script.gets(11, (13, 16)) == []
    assert (script.recovery.pipe, script.tcp.highest_ack, script.timer_s) == (9 - 2, 11, 1.5)
    assert script.recovery.recovering


def test_a_partial_ack_saves_repairing_what_it_acknowledges() -> None:
    script = in_recovery()
    script.recovery.pipe = 5
    assert script.gets(15, (18, 19)) == [16, 17]


@pytest.mark.parametrize(("ack", "is_over"), [(21, False), (22, True)])
def test_recovery_ends_with_the_ack_of_all_that_was_outstanding_and_leaves_the_window_as_it_is(
    ack: int, is_over: bool
) -> None:
    script = in_recovery()
    script.gets(ack)
    assert script.recovery.recovering != is_over
    assert script.tcp.cwnd == 5.0


def test_then_the_window_sends_and_opens_with_the_next_ack() -> None:
    script = in_recovery()
    assert script.gets(22) == [23, 24, 25, 26, 27]
    assert CAUSES[script.tcp.cause] == "recovery_end"
    assert script.gets(23) == [28]
    assert script.tcp.cwnd == 5.2


def test_after_a_recovery_the_next_loss_may_be_any() -> None:
    script = in_recovery()
    script.gets(22)
    assert script.tcp.recover == 0
    sent = [script.gets(22, (24, 25 + i)) for i in range(3)]
    assert sent[2] == [23]


# Silence


def test_a_timeout_forgets_the_blocks_and_goes_back() -> None:
    script = in_recovery()
    assert script.hears_nothing() == [11]
    assert (script.recovery.recovering, script.tcp.cwnd, script.tcp.duplicate_acks) == (False, 1.0, 0)
    assert script.gets(11) == [12, 13]  # 13 to 15 had arrived


def test_until_the_next_new_ack_duplicates_say_nothing() -> None:
    script = sack(0, 10)
    script.hears_nothing()
    for last in range(3, 7):
        script.gets(0, (2, last))
    assert (script.tcp.duplicate_acks, script.recovery.recovering) == (0, False)
    script.gets(1)
    script.gets(1, (3, 4))
    assert script.tcp.duplicate_acks == 1


def test_a_window_below_one_packet_opens_when_the_timer_rings_for_nothing() -> None:
    """A recovery that begins with a window below two ends with less than one: everything acknowledged, nothing sent."""
    script = sack(10, 10, cwnd=0.75, ssthresh=2.0, rto_s=1.5)
    assert script.hears_nothing() == [11]
    assert (script.tcp.cwnd, script.tcp.ssthresh, CAUSES[script.tcp.cause]) == (1.0, 2.0, "idle_timeout")
    assert (script.timer_s, script.tcp.backoff) == (1.5, 1)


def test_when_the_application_has_no_more_the_timer_rings_once() -> None:
    script = sack(10, 10, data_end=11)
    assert script.hears_nothing() == []
    assert script.timer_s is None
