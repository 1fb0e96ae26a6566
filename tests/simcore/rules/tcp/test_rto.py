"""The retransmission timeout: estimator, bounds, back-off, and Karn's rule."""

import pytest

from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import TcpState
from simcore.scenario.profiles import NS_2_27, NS_2_35, RFC, Profile
from tests.simcore.script import Script, sender, under_way


def measure(tcp: TcpState, *ticks: int) -> None:
    """Round trips of so many and a half ticks, each timed from the start of a tick."""
    for count in ticks:
        tcp.timed_at_s = 0.0
        rto.round_trip_ended(tcp, now=(count + 0.5) * tcp.tick_s)


# Before a sample


@pytest.mark.parametrize(("profile", "seconds"), [(NS_2_27, 6.0), (NS_2_35, 3.0), (RFC, 1.0)])  # RFC 6298, (2.1)
def test_before_any_sample_the_timeout_is_the_profiles(profile: Profile, seconds: float) -> None:
    assert rto.timeout_s(sender(profile)) == seconds


# The estimator


def test_the_first_sample_is_the_estimate_and_half_of_it_the_deviation() -> None:
    tcp = sender(min_rto_s=0.0)
    measure(tcp, 25)
    assert (tcp.srtt, tcp.rttvar) == (8 * 25, 2 * 25)  # in eighths of a tick and in quarters: 25 and 12.5 ticks
    assert rto.timeout_s(tcp) == 75 * 0.01  # 25 + 4 * 12.5 ticks


def test_later_samples_move_the_estimate_by_an_eighth_and_the_deviation_by_a_quarter_in_whole_numbers() -> None:
    tcp = sender(min_rto_s=0.0)
    measure(tcp, 25)
    worked_by_hand = [
        # sample, srtt, rttvar, timeout in ticks: ((rttvar << 3) + srtt) >> 3
        (25, 200, 38, 63),  # error 0: the deviation alone shrinks, 50 - 12
        (29, 204, 33, 58),  # error 4; 38 + 4 - 9
        (10, 189, 40, 63),  # error -15; 33 + 15 - 8; 509 >> 3
        (1, 167, 52, 72),  # error 1 - (189 >> 3) = -22; 40 + 22 - 10; 583 >> 3
    ]
    for sample, srtt, rttvar, timeout in worked_by_hand:
        measure(tcp, sample)
        assert (tcp.srtt, tcp.rttvar, rto.timeout_s(tcp)) == (srtt, rttvar, timeout * 0.01)


def test_a_round_trip_is_at_least_one_tick() -> None:
    tcp = sender(min_rto_s=0.0)
    measure(tcp, 0)
    assert (tcp.srtt, tcp.rttvar) == (8, 2)
    assert rto.timeout_s(tcp) == 3 * 0.01


def test_a_steady_round_trip_of_one_tick_leaves_a_deviation_above_zero() -> None:
    tcp = sender(min_rto_s=0.0)
    measure(tcp, *[1] * 100)
    assert tcp.srtt == 8
    assert tcp.rttvar > 0


@pytest.mark.parametrize(
    ("timed_at_s", "boot_s", "ticks"),
    [
        (0.0, 0.0, 1),  # from the start of a tick: 1.5 ticks are 1
        (0.75 / 16, 0.0, 2),  # from three quarters of a tick: 2.25 - one tick more has begun
        (0.0, 0.5 / 16, 2),  # the clock itself began half a tick before: exactly 2
        (0.0, 0.25 / 16, 1),  # a quarter of a tick before: 1.75
    ],
)
def test_what_is_measured_are_ticks_of_the_senders_clock(timed_at_s: float, boot_s: float, ticks: int) -> None:
    tcp = sender(tick_s=1 / 16, boot_s=boot_s, timed_at_s=timed_at_s)  # a tick that binary numbers hold exactly
    rto.round_trip_ended(tcp, now=timed_at_s + 1.5 / 16)
    assert tcp.srtt == 8 * ticks


# RFC 6298, section 2, worked in its real numbers

TICK_S = RFC.tick_s  # the RFC's G


def test_the_samples_of_a_path_of_about_600_ms() -> None:
    """(2.2): SRTT = R, RTTVAR = R/2. (2.3): RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R'| first, then SRTT = 7/8 SRTT + 1/8 R'.
    RTO = SRTT + max(G, 4 RTTVAR).
    """
    tcp = sender(RFC)
    worked_by_hand = [
        # sample, SRTT, RTTVAR, RTO, in seconds
        (0.6, 0.6, 0.3, 1.8),
        (0.4, 0.575, 0.275, 1.675),
        (0.9, 0.615625, 0.2875, 1.765625),
        (0.6, 0.613671875, 0.21953125, 1.491796875),
    ]
    for sample_s, srtt_s, rttvar_s, rto_s in worked_by_hand:
        measure(tcp, round(sample_s / TICK_S))
        # ns-2 shifts whole numbers: less than a tick is lost of each part, and four times that of the deviation.
        assert tcp.srtt / 8 * TICK_S == pytest.approx(srtt_s, abs=TICK_S)
        assert tcp.rttvar / 4 * TICK_S == pytest.approx(rttvar_s, abs=TICK_S)
        assert rto.timeout_s(tcp) == pytest.approx(rto_s, abs=5 * TICK_S)


@pytest.mark.parametrize(("sample_s", "rto_s"), [(0.1, 1.0), (0.333, 1.0), (0.334, 1.002), (0.5, 1.5)])
def test_after_the_first_sample_a_timeout_below_a_second_is_rounded_up_to_one(sample_s: float, rto_s: float) -> None:
    """(2.2) gives R + 4 R/2, three times the sample; (2.4) the floor."""
    tcp = sender(RFC)
    measure(tcp, round(sample_s / TICK_S))
    assert rto.timeout_s(tcp) == pytest.approx(rto_s)


def test_a_timeout_doubles_and_a_bound_of_60_s_is_allowed() -> None:
    """(5.5): RTO = 2 RTO; (2.5): a maximum of at least 60 seconds."""
    tcp = sender(RFC)
    measure(tcp, round(0.6 / TICK_S))
    doubled = []
    for _ in range(6):
        rto.back_off(tcp)
        doubled.append(rto.timeout_s(tcp))
    assert doubled == pytest.approx([3.6, 7.2, 14.4, 28.8, 57.6, 60.0])


# Bounds


@pytest.mark.parametrize(("estimate_s", "timeout_s"), [(0.99, 1.0), (1.0, 1.0), (1.01, 1.01)])
def test_the_least_timeout(estimate_s: float, timeout_s: float) -> None:
    assert rto.timeout_s(sender(min_rto_s=1.0, rto_s=estimate_s)) == timeout_s


def test_the_least_timeout_is_backed_off_too() -> None:
    assert rto.timeout_s(sender(min_rto_s=1.0, rto_s=0.3, backoff=4)) == 4.0


@pytest.mark.parametrize(("backoff", "timeout_s"), [(1, 25.0), (2, 50.0), (4, 60.0)])
def test_the_greatest_timeout_bounds_what_was_backed_off(backoff: int, timeout_s: float) -> None:
    assert rto.timeout_s(sender(max_rto_s=60.0, rto_s=25.0, backoff=backoff)) == timeout_s


@pytest.mark.parametrize(("estimate_s", "timeout_s"), [(0.01, 0.02), (0.02, 0.02), (0.03, 0.03)])
def test_never_less_than_two_ticks(estimate_s: float, timeout_s: float) -> None:
    assert rto.timeout_s(sender(min_rto_s=0.0, rto_s=estimate_s)) == timeout_s


def test_two_ticks_even_where_the_greatest_timeout_is_less() -> None:
    assert rto.timeout_s(sender(min_rto_s=0.0, max_rto_s=0.015, rto_s=0.3)) == 0.02


# Back-off


def test_the_timeout_doubles_until_the_greatest_is_reached_but_at_least_to_64_times() -> None:
    near = sender(NS_2_35, rto_s=10.0)
    far = sender(NS_2_35, rto_s=0.5)
    for tcp, backoffs in (near, [2, 4, 8, 16, 32, 64, 64, 64]), (far, [2, 4, 8, 16, 32, 64, 128, 128]):
        reached = []
        for _ in backoffs:
            rto.back_off(tcp)
            reached.append(tcp.backoff)
        assert reached == backoffs


def test_after_four_doublings_the_estimate_is_given_up_but_not_the_deviation() -> None:
    tcp = sender()
    measure(tcp, 25)
    for _ in range(3):
        rto.back_off(tcp)
    assert (tcp.backoff, tcp.srtt, tcp.rttvar) == (8, 200, 50)
    rto.back_off(tcp)
    assert (tcp.backoff, tcp.srtt, tcp.rttvar) == (16, 0, 50 + 25)
    measure(tcp, 30)  # as if it were the first
    assert (tcp.backoff, tcp.srtt, tcp.rttvar) == (1, 240, 60)


# Karn's rule, in the course of a transfer


def test_the_ack_of_the_timed_segment_is_a_sample_and_ends_the_back_off() -> None:
    script = Script(under_way(acked=10, sent=13, data_end=14, timing=True, timed_seq=12, backoff=4))
    script.now = 0.255
    script.gets(11)  # one before: no sample
    assert (script.tcp.srtt, script.tcp.backoff, script.tcp.timing) == (0, 4, True)
    assert script.timer_s == 4 * 6.0
    script.gets(12)
    assert (script.tcp.srtt, script.tcp.backoff, script.tcp.timing) == (200, 1, False)
    assert script.timer_s == 1.0  # the timer is started after the update


def test_an_ack_beyond_the_timed_segment_is_a_sample_too() -> None:
    script = Script(under_way(acked=10, sent=13, timing=True, timed_seq=12))
    script.now = 0.255
    script.gets(13)
    assert script.tcp.srtt == 200


def test_a_segment_repeated_by_fast_retransmit_gives_no_sample() -> None:
    script = Script(under_way(acked=10, sent=20, timing=True, timed_seq=11, backoff=2))
    script.now = 0.255
    for _ in range(3):
        script.gets(10)
    assert not script.tcp.timing
    script.gets(11)
    assert (script.tcp.srtt, script.tcp.backoff) == (0, 2)


def test_segments_repeated_after_a_timeout_give_no_sample_and_leave_the_back_off_until_a_new_one_is_timed() -> None:
    script = Script(under_way(acked=10, sent=12, timing=True, timed_seq=11))
    assert script.hears_nothing() == [11]
    script.now = 0.255
    assert script.gets(11) == [12, 13]  # 13 is new, and timed
    assert (script.tcp.srtt, script.tcp.backoff, script.tcp.timed_seq) == (0, 2, 13)
    script.now = 0.51
    script.gets(12)
    assert (script.tcp.srtt, script.tcp.backoff) == (0, 2)
    script.gets(13)
    assert (script.tcp.srtt > 0, script.tcp.backoff) == (True, 1)
