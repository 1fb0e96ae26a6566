"""TCP Tahoe, step by step: every loss sends it back to slow start."""

import pytest

from simcore.rules.causes import CAUSES
from simcore.rules.tcp.sender import TIMEOUT
from simcore.scenario.profiles import NS_2_27, NS_2_35, Profile
from tests.simcore.script import Script, sender, under_way


def tahoe(acked: int, sent: int, profile: Profile = NS_2_35, **fields: object) -> Script:
    return Script(under_way(acked, sent, profile, "tahoe", **fields))


def test_it_opens_like_reno() -> None:
    script = Script(sender(NS_2_35, "tahoe"))
    assert script.starts() == [0]
    assert script.gets(0) == [1, 2]
    assert script.gets(1) == [3, 4]


def test_the_third_duplicate_begins_slow_start_at_the_missing_segment() -> None:
    script = tahoe(10, 20, duplicate_acks=2, rto_s=1.5, backoff=2)
    assert script.gets(10) == [11]
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.tcp.inflation) == (1.0, 5.0, 0)
    assert (script.tcp.recover, CAUSES[script.tcp.cause]) == (20, "fast_retransmit")
    assert (script.timer_s, script.tcp.backoff) == (3.0, 2)  # started anew, with the back-off as it is


def test_segments_behind_the_missing_one_are_sent_again_unless_an_ack_says_that_they_arrived() -> None:
    script = tahoe(10, 20, duplicate_acks=2)
    script.gets(10)
    assert script.gets(11) == [12, 13]
    assert script.gets(16) == [17, 18, 19]  # the sink had kept 14 to 16


def test_the_repeated_segments_give_no_round_trip_sample() -> None:
    script = tahoe(10, 20, duplicate_acks=2, timing=True, timed_seq=15)
    script.gets(10)
    assert not script.tcp.timing


def test_the_first_and_the_second_duplicate_release_one_segment_each() -> None:
    script = tahoe(10, 16)
    assert [script.gets(10), script.gets(10)] == [[17], [18]]
    assert script.tcp.cwnd == 6.0


def test_the_window_may_send_at_every_duplicate_even_at_the_first() -> None:
    assert tahoe(10, 14, cwnd=8.0).gets(10) == [15, 16, 17, 18]
    assert tahoe(10, 14, cwnd=8.0, duplicate_acks=4).gets(10) == [15, 16, 17, 18]
    assert tahoe(10, 14, cwnd=8.0, duplicate_acks=1).gets(9) == [15, 16, 17, 18]


def test_further_duplicates_change_nothing() -> None:
    script = tahoe(10, 20, duplicate_acks=2)
    script.gets(10)
    assert [script.gets(10) for _ in range(5)] == [[]] * 5
    assert (script.tcp.cwnd, script.tcp.inflation) == (1.0, 0)


@pytest.mark.parametrize(("cwnd", "whole", "real"), [(3.0, 2.0, 2.0), (5.0, 2.0, 2.0), (6.0, 3.0, 3.0)])
def test_the_threshold_is_half_the_window_in_whole_packets_and_at_least_two(
    cwnd: float, whole: float, real: float
) -> None:
    for profile, expected in (NS_2_27, whole), (NS_2_35, real):
        script = tahoe(10, 30, profile, cwnd=cwnd, duplicate_acks=2)
        script.gets(10)
        assert script.tcp.ssthresh == expected


@pytest.mark.parametrize(
    ("ack", "recover", "cuts"), [(10, 9, True), (10, 10, False), (10, 11, False), (0, 5, True), (1, 5, False)]
)
def test_a_loss_of_a_window_already_cut_does_not_cut_it_again(ack: int, recover: int, cuts: bool) -> None:
    script = tahoe(ack, ack + 10, duplicate_acks=2, recover=recover)
    assert script.gets(ack) == ([ack + 1] if cuts else [])
    assert script.tcp.cwnd == (1.0 if cuts else 10.0)


def test_it_never_had_renos_bug_of_2004() -> None:
    script = tahoe(10, 20, NS_2_27, duplicate_acks=2)
    script.gets(10)
    script.gets(20)
    cwnd = script.tcp.cwnd
    for _ in range(5):
        script.gets(20)
    assert script.tcp.cwnd == cwnd


def test_a_timeout_begins_slow_start_too_with_a_longer_timer() -> None:
    script = tahoe(10, 20, rto_s=1.5)
    assert script.hears_nothing() == [11]
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.tcp.last_action) == (1.0, 5.0, TIMEOUT)
    assert script.timer_s == 3.0


def test_a_timeout_does_not_begin_the_count_of_duplicates_anew() -> None:
    script = tahoe(0, 10, duplicate_acks=1)
    script.hears_nothing()
    assert script.tcp.duplicate_acks == 1
    script.gets(0)
    assert script.gets(0) == [1]  # the third one, although only two came since
