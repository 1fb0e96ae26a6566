"""TCP Vegas, step by step: it measures queues by the time they cost, and keeps between one and three packets there."""

import pytest

from simcore.rules.causes import CAUSES
from simcore.rules.congestion import vegas
from simcore.rules.tcp.sender import DUPLICATE_ACKS, TIMEOUT
from simcore.scenario.profiles import NS_2_35
from tests.simcore.script import Script, sender, under_way

BASE_S = 0.1


def connection(acked: int, sent: int, **fields: object) -> Script:
    """A sender whose segments left all at 10 s and whose clock shows the same; the fine-grained timeout is 0.2 s."""
    known = {"is_new": False, "base_rtt_s": BASE_S, "fine_timeout_s": 0.2, "recover": -1, "tagged_seq": sent + 1}
    script = Script(under_way(acked, sent, NS_2_35, "vegas", **known | fields))
    for seq in range(acked + 1, sent + 1):
        script.recovery.sent_s[seq % 20] = 10.0
        script.recovery.transmissions[seq % 20] = 1
    script.now = 10.0
    return script


def cause(script: Script) -> str:
    return CAUSES[script.tcp.cause]


# Start


def test_the_window_opens_with_the_ack_after_that_of_the_first_segment() -> None:
    script = Script(sender(NS_2_35, "vegas"))
    assert script.starts() == [0]
    script.now = 0.1
    assert script.gets(0) == [1]
    script.now = 0.2
    assert script.gets(1) == [2, 3, 4]  # two, and one for this ACK
    assert script.tcp.cwnd == 3.0


def test_the_first_round_trip_is_the_first_estimate() -> None:
    script = Script(sender(NS_2_35, "vegas"))
    script.now = 5.0
    script.starts()
    script.now = 5.25
    script.gets(0)
    assert (script.control.base_rtt_s, script.recovery.smoothed_rtt, script.recovery.deviation) == (0.25, 2.0, 0.25)
    assert script.recovery.fine_timeout_s == (2.0 / 4 + 0.25) / 2


def test_the_clock_begins_anew_with_a_repeated_first_segment_and_the_initial_window_stays() -> None:
    script = Script(sender(NS_2_35, "vegas"))
    script.starts()
    script.now = 3.0
    assert script.hears_nothing() == [0, 1]  # a timeout leaves a window of two
    script.now = 3.25
    script.gets(0)
    assert script.control.base_rtt_s == 0.25
    assert script.tcp.initial_window == 2.0


# Once a round trip


@pytest.mark.parametrize(
    ("queued", "cwnd", "increment"), [(0, 10.0, 0.1), (1, 10.0, 0.0), (3, 10.0, 0.0), (4, 9.0, 0.0)]
)
def test_between_one_and_three_packets_in_queues_are_right(queued: int, cwnd: float, increment: float) -> None:
    script = connection(10, 20, ssthresh=10.0)
    vegas.judge(script.tcp, script.control, queued)
    assert (script.tcp.cwnd, script.control.increment) == (cwnd, increment)


@pytest.mark.parametrize(("cwnd", "left"), [(2.5, 2.0), (3.0, 2.0), (3.5, 2.5)])
def test_it_never_shrinks_below_two_packets_by_itself(cwnd: float, left: float) -> None:
    script = connection(10, 20, ssthresh=2.0, cwnd=cwnd)
    vegas.judge(script.tcp, script.control, queued=4)
    assert (script.tcp.cwnd, cause(script)) == (left, "queueing_delay")


@pytest.mark.parametrize(("queued", "cwnd", "ssthresh", "increment"), [(1, 8.0, 20.0, 1.0), (2, 7.0, 2.0, 0.0)])
def test_slow_start_ends_with_more_than_one_packet_in_queues(
    queued: int, cwnd: float, ssthresh: float, increment: float
) -> None:
    script = connection(10, 18, may_grow=False)
    vegas.judge(script.tcp, script.control, queued)
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.control.increment) == (cwnd, ssthresh, increment)


def test_slow_start_grows_every_other_round_trip_and_looks_at_queues_only_then() -> None:
    script = connection(10, 18)
    increments = []
    for _ in range(4):
        vegas.judge(script.tcp, script.control, queued=0)
        increments.append(script.control.increment)
    assert increments == [0.0, 1.0, 0.0, 1.0]
    vegas.judge(script.tcp, script.control, queued=9)
    assert (script.tcp.cwnd, script.tcp.ssthresh) == (8.0, 20.0)


@pytest.mark.parametrize(("rtt_s", "queued"), [(0.1, 0), (0.105, 0), (0.106, 1), (0.125, 2), (0.2, 5)])
def test_packets_in_queues_are_what_round_trips_take_too_long_for(
    rtt_s: float, queued: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten packets in 0.1 s are expected: at 0.125 s they would be 8 in that time, and 2 wait somewhere."""
    judged = []
    monkeypatch.setattr(vegas, "judge", lambda tcp, state, queued: judged.append(queued))
    script = connection(10, 19, tagged_seq=10, rtt_sum_s=3 * rtt_s, rtt_count=3)
    vegas.round_trip_ended(script.tcp, script.control, clock_s=10.0)
    assert judged == [queued]
    assert (script.control.tagged_seq, script.control.tagged_s, script.control.rtt_count) == (20, 10.0, 0)


def test_without_a_sample_the_time_since_the_tag_counts() -> None:
    script = connection(10, 20, tagged_seq=11, tagged_s=9.95)
    vegas.round_trip_ended(script.tcp, script.control, clock_s=10.0)
    assert script.control.base_rtt_s == pytest.approx(0.05)


@pytest.mark.parametrize(("sent", "base_s"), [(11, 0.3), (12, 0.1)])
def test_a_single_packet_has_no_queue_of_its_own_and_makes_a_new_base(sent: int, base_s: float) -> None:
    script = connection(10, sent, tagged_seq=11, tagged_s=9.7)
    vegas.round_trip_ended(script.tcp, script.control, clock_s=10.0)
    assert script.control.base_rtt_s == pytest.approx(base_s)


@pytest.mark.parametrize(("ack", "judged"), [(14, False), (15, True), (16, True)])
def test_a_round_trip_ends_with_the_ack_of_the_tagged_segment(ack: int, judged: bool) -> None:
    script = connection(10, 20, tagged_seq=15)
    script.gets(ack)
    assert (script.control.tagged_seq > 15) == judged


# Growth


def test_every_ack_adds_the_increment() -> None:
    script = connection(10, 20, ssthresh=2.0, increment=0.125)
    script.gets(11)
    assert (script.tcp.cwnd, cause(script)) == (10.125, "congestion_avoidance")
    script.gets(12)
    assert script.tcp.cwnd == 10.25


@pytest.mark.parametrize(("cwnd", "grows"), [(12.0, True), (12.5, False)])
def test_unless_too_little_of_the_window_is_in_use(cwnd: float, grows: bool) -> None:
    script = connection(10, 20, ssthresh=2.0, increment=0.125, cwnd=cwnd, data_end=21)
    script.gets(11)  # 12 to 20 are outstanding, and ns-2 counts one more: 2 packets or less may be unused
    assert (script.tcp.cwnd > cwnd) == grows


def test_slow_start_stops_growing_at_the_threshold_within_a_round_trip() -> None:
    script = connection(10, 20, ssthresh=11.0, increment=1.0)
    script.gets(11)
    script.gets(12)
    assert (script.tcp.cwnd, script.control.increment) == (11.0, 0.0)


# Samples


def test_a_sample_moves_the_estimates_and_the_fine_grained_timeout() -> None:
    script = connection(10, 20, smoothed_rtt=8 * 0.125, deviation=4 * 0.0625)
    script.now = 10.25
    script.gets(11)
    smoothed, deviation = 1.0 + 0.125, 0.25 + (0.125 - 0.0625)  # the error is 0.25 - 0.125
    assert (script.recovery.smoothed_rtt, script.recovery.deviation) == (smoothed, deviation)
    assert script.recovery.fine_timeout_s == (smoothed / 4 + deviation) / 2 * (1 + 1 / 16)
    assert (script.control.rtt_sum_s, script.control.rtt_count) == (0.25, 1)


def test_the_shortest_sample_is_the_base() -> None:
    script = connection(10, 20)
    script.now = 10.0625
    script.gets(11)
    assert script.control.base_rtt_s == 0.0625


@pytest.mark.parametrize("transmissions", [0, 2])
def test_a_segment_that_was_sent_again_gives_no_sample(transmissions: int) -> None:
    script = connection(10, 20)
    script.recovery.transmissions[11] = transmissions
    script.gets(11)
    assert script.control.rtt_count == 0


def test_the_first_segment_gives_none() -> None:
    script = Script(sender(NS_2_35, "vegas"))
    script.starts()
    script.now = 0.1
    script.gets(0)
    assert script.control.rtt_count == 0


def test_what_is_acknowledged_is_forgotten_but_not_where_the_ring_begins_anew() -> None:
    """ns-2's ring of 20: segments 18 to 21 lie at 18, 19, 0 and 1. Later segments there seem to be sent again."""
    script = connection(10, 25, data_end=26)
    script.gets(17)
    assert [script.recovery.transmissions[seq % 20] for seq in (17, 18)] == [0, 1]
    script.gets(21)
    assert [script.recovery.transmissions[seq % 20] for seq in (18, 19, 20, 21)] == [1, 1, 1, 1]


# Duplicates


@pytest.mark.parametrize(("waited_s", "repeated"), [(0.1875, []), (0.25, [11]), (0.3, [11])])
def test_the_first_duplicate_is_enough_for_a_segment_that_is_late(waited_s: float, repeated: list[int]) -> None:
    script = connection(10, 20, fine_timeout_s=0.25)
    script.now = 10.0 + waited_s
    assert script.gets(10) == repeated


def test_the_third_is_enough_for_any_and_no_segment_is_released_before() -> None:
    script = connection(10, 16)
    assert [script.gets(10) for _ in range(3)] == [[], [], [11, 17, 18]]
    assert (script.tcp.recover, script.tcp.last_action, cause(script)) == (16, DUPLICATE_ACKS, "fast_retransmit")


@pytest.mark.parametrize(
    ("window", "transmissions", "left"),
    [(2, 1, 2), (3, 2, 2), (4, 1, 3), (4, 2, 2), (8, 1, 6), (8, 2, 4), (11, 1, 9), (11, 2, 5)],
)
def test_a_loss_leaves_three_quarters_of_the_window_and_a_second_one_a_half(
    window: int, transmissions: int, left: int
) -> None:
    script = connection(10, 10 + window)
    told = vegas.loss_repeated if transmissions > 1 else vegas.loss_detected
    told(script.tcp, script.control, 10.0)
    assert script.tcp.cwnd == left


def test_the_window_is_inflated_by_duplicates_until_the_next_new_ack() -> None:
    script = connection(10, 18, duplicate_acks=2)
    script.gets(10)
    assert (script.tcp.cwnd, script.recovery.deflated_cwnd) == (6.0 + 3, 6.0)
    script.gets(10)
    assert (script.tcp.cwnd, cause(script)) == (10.0, "inflation")
    script.gets(11)
    assert (script.tcp.cwnd, script.tcp.ssthresh) == (6.0, 2.0)


@pytest.mark.parametrize(("cut_s", "cwnd"), [(9.9, 9.0), (10.0, 8.0)])
def test_the_window_is_not_cut_again_for_a_segment_sent_before_the_last_cut(cut_s: float, cwnd: float) -> None:
    script = connection(10, 18, duplicate_acks=2, cut_s=cut_s)
    assert script.gets(10)[0] == 11
    assert script.tcp.cwnd == cwnd


@pytest.mark.parametrize(("recover", "last_action", "repeats"), [(9, 2, True), (10, 2, False), (10, 1, True)])
def test_duplicates_of_what_a_timeout_sent_again_repeat_nothing(recover: int, last_action: int, repeats: bool) -> None:
    assert TIMEOUT == 2
    script = connection(10, 20, duplicate_acks=2, recover=recover, last_action=last_action)
    assert (script.gets(10)[:1] == [11]) == repeats


@pytest.mark.parametrize(("transmissions", "timeout_s"), [(1, 0.28125), (2, 0.5)])
def test_a_retransmission_lengthens_both_timeouts(transmissions: int, timeout_s: float) -> None:
    script = connection(10, 20, duplicate_acks=2, fine_timeout_s=0.25, rto_s=1.5)
    script.recovery.transmissions[11] = transmissions
    script.gets(10)
    assert script.recovery.fine_timeout_s == timeout_s
    assert script.timer_s == 3.0


def test_the_two_acks_after_a_retransmission_may_show_more_segments_to_be_late() -> None:
    script = connection(10, 20, duplicate_acks=2)
    script.gets(10)
    assert script.recovery.acks_to_check == 2
    script.now = 10.5
    assert script.gets(11)[0] == 12
    assert script.gets(13)[0] == 14
    assert 16 not in script.gets(15)


def test_the_first_that_shows_none_ends_the_check() -> None:
    script = connection(10, 20, duplicate_acks=2)
    script.gets(10)
    script.gets(11)
    assert script.recovery.acks_to_check == 0


# Silence


def test_a_timeout_leaves_a_window_of_two() -> None:
    script = connection(10, 20, rto_s=1.5)
    script.now = 12.5
    assert script.hears_nothing() == [11, 12]
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.timer_s) == (2.0, 5.0, 3.0)
    assert (script.recovery.cut_s, script.tcp.last_action, cause(script)) == (12.5, TIMEOUT, "timeout")


def test_a_timeout_is_no_other_when_nothing_is_outstanding() -> None:
    """ns-2: so a window that a loss right after a timeout left at nothing opens again."""
    script = connection(10, 10, cwnd=0.0, ssthresh=4.0, rto_s=1.5)
    assert script.hears_nothing() == [11, 12]
    assert (script.tcp.ssthresh, script.timer_s, cause(script)) == (2.0, 3.0, "idle_timeout")


def test_a_second_loss_right_after_a_timeout_leaves_no_window_at_all() -> None:
    """ns-2 takes the window back to what it was before duplicates inflated it, which the timeout made nothing."""
    script = connection(10, 20)
    script.hears_nothing()
    script.tcp.duplicate_acks = 4
    assert script.gets(20) == []
    assert script.tcp.cwnd == 0.0
