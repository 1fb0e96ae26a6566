"""What every TCP variant shares: what may be sent, how the source starts and stops, when the timer is started."""

import pytest

from simcore.rules.recovery import recovery
from simcore.rules.tcp import sender as tcp
from tests.simcore.script import Script, sender, under_way

# The window


@pytest.mark.parametrize(
    ("cwnd", "inflation", "usable"),
    [
        (1.0, 0, 1),
        (5.99, 0, 5),  # whole packets
        (5.99, 3, 8),
        (19.5, 0, 19),
        (20.0, 0, 20),
        (20.5, 0, 20),  # never more than is advertised
        (18.0, 5, 20),
    ],
)
def test_what_is_used_of_the_window(cwnd: float, inflation: int, usable: int) -> None:
    assert tcp.usable_window(sender(cwnd=cwnd, inflation=inflation)) == usable


@pytest.mark.parametrize(("cwnd", "named"), [(4.0, []), (4.99, []), (5.0, [15]), (7.0, [15, 16, 17])])
def test_segments_are_named_one_after_the_other_up_to_the_end_of_the_window(cwnd: float, named: list[int]) -> None:
    state = under_way(acked=10, sent=14, cwnd=cwnd)
    assert [recovery.next_segment(state) for _ in named] == named
    assert recovery.next_segment(state) == tcp.NO_SEGMENT
    assert state.next_seq == 15 + len(named)


@pytest.mark.parametrize(("data_end", "named"), [(15, tcp.NO_SEGMENT), (16, 15)])
def test_no_segment_is_named_that_the_application_does_not_offer(data_end: int, named: int) -> None:
    assert recovery.next_segment(under_way(acked=10, sent=14, cwnd=9.0, data_end=data_end)) == named


# The source


def test_nothing_is_offered_before_the_source_starts() -> None:
    assert recovery.next_segment(sender()) == tcp.NO_SEGMENT


def test_a_source_that_stops_offers_nothing_new() -> None:
    script = Script(under_way(acked=10, sent=14))
    assert script.stops() == []
    assert script.gets(11) == []
    assert script.gets(11) == []  # nor by limited transmit
    assert script.gets(14) == []


def test_after_the_stop_what_was_sent_is_still_repeated_but_for_the_last_segment() -> None:
    script = Script(under_way(acked=10, sent=14))
    script.stops()
    assert script.hears_nothing() == [11]
    assert script.gets(11) == [12, 13]
    assert script.gets(12) == []  # 14 is not repeated by the sending loop
    assert script.gets(13) == []
    assert script.hears_nothing() == []  # nor by a timeout


def test_after_the_stop_a_fast_retransmit_repeats_the_last_segment_too() -> None:
    script = Script(under_way(acked=13, sent=14, duplicate_acks=2))
    script.stops()
    assert script.gets(13) == [14]


def test_after_the_stop_a_fast_retransmit_may_even_send_a_segment_that_never_was_sent() -> None:
    """ns-2 does not ask the application. Here the SYN was repeated needlessly, and the source stopped meanwhile."""
    script = Script(sender())
    script.starts()
    for _ in range(3):
        script.hears_nothing()
    script.stops()
    assert [script.gets(0) for _ in range(4)] == [[], [], [], [1]]


def test_a_source_that_never_sent_anything_stops_with_nothing() -> None:
    script = Script(sender())
    assert script.stops() == []
    assert script.tcp.data_end == 0


# A segment was sent


def test_the_first_segment_out_starts_the_timer() -> None:
    state = under_way(acked=10, sent=10, timer_pending=True)
    assert recovery.segment_sent(state, 11, now=1.0)  # nothing was outstanding: the timer starts anew
    assert not recovery.segment_sent(state, 12, now=1.0)  # 11 is outstanding, and its timer runs


def test_a_timer_counts_as_running_from_its_start_until_it_rings() -> None:
    script = Script(sender())
    script.starts()
    assert script.tcp.timer_pending
    recovery.timer_expired(script.tcp, script.now)  # which asks for a new start
    assert not script.tcp.timer_pending


def test_a_segment_sent_while_no_timer_runs_starts_it() -> None:
    assert recovery.segment_sent(under_way(acked=10, sent=12, timer_pending=False), 13, now=1.0)


def test_a_repeated_segment_leaves_a_running_timer_alone() -> None:
    assert not recovery.segment_sent(under_way(acked=10, sent=12), 11, now=1.0)


def test_a_new_segment_is_timed_unless_another_one_is() -> None:
    state = under_way(acked=10, sent=12)
    recovery.segment_sent(state, 13, now=1.0)
    recovery.segment_sent(state, 14, now=2.0)
    assert (state.timing, state.timed_seq, state.timed_at_s) == (True, 13, 1.0)
    assert state.highest_sent == 14


def test_a_repeated_segment_is_not_timed() -> None:
    state = under_way(acked=10, sent=12)
    recovery.segment_sent(state, 12, now=1.0)
    assert (state.timing, state.highest_sent) == (False, 12)
