"""Senders, receivers and routers alone: one ACK, one timer, and what comes at one instant."""

from functools import partial

from tests.simcore.process.alone import Stage

# A sender. The SYN leaves at 1 s, and would be repeated 3 s later; the initial window is 2 packets.


def test_a_sender_sends_when_its_application_starts_and_then_waits() -> None:
    stage = Stage()
    stage.sender()
    assert stage.sent(until_s=3.9) == [(1.0, 0)]


def test_an_ack_releases_segments() -> None:
    stage = Stage()
    stage.puts(stage.sender().inbox, 0, at_s=1.5)
    assert stage.sent(until_s=2) == [(1.0, 0), (1.5, 1), (1.5, 2)]


def test_without_an_ack_the_timer_rings() -> None:
    stage = Stage()
    stage.sender()
    assert stage.sent(until_s=9.5) == [(1.0, 0), (4.0, 0)]  # and would ring again after 6 s


def test_an_ack_starts_the_timer_anew() -> None:
    """The first round trip took half a second, 51 ticks of the clock: three times that is the next timeout."""
    stage = Stage()
    stage.puts(stage.sender().inbox, 0, at_s=1.5)
    assert stage.sent(until_s=3.5) == [(1.0, 0), (1.5, 1), (1.5, 2), (3.03, 1)]


def test_two_acks_at_one_instant_are_both_taken_in() -> None:
    stage = Stage()
    inbox = stage.sender().inbox
    stage.puts(inbox, 0, at_s=1.5)
    stage.puts(inbox, 1, 2, at_s=1.6)
    assert stage.sent(until_s=1.9)[3:] == [(1.6, 3), (1.6, 4), (1.6, 5), (1.6, 6)]


def test_an_ack_at_the_instant_of_the_timer_comes_first_if_it_was_scheduled_first() -> None:
    """Then the timer, started anew, does not ring; otherwise the SYN is repeated, and its ACK is still taken in."""
    for scheduled_s, sent in ((0.5, [0, 1, 2]), (2.0, [0, 0, 1])):
        stage = Stage()
        inbox = stage.sender().inbox
        stage.at(scheduled_s, partial(stage.puts, inbox, 0, at_s=4.0))
        assert [seq for _, seq in stage.sent(until_s=4.5)] == sent


def test_a_sender_sends_nothing_new_after_its_application_stopped() -> None:
    stage = Stage(stop_s=1.4)
    stage.puts(stage.sender().inbox, 0, at_s=1.5)
    assert stage.sent(until_s=2) == [(1.0, 0)]


# A receiver


def test_two_segments_at_one_instant_are_both_acknowledged() -> None:
    stage = Stage()
    stage.puts(stage.receiver().inbox, 0, 1, at_s=1.0)
    assert stage.sent(until_s=2) == [(1.0, 0), (1.0, 1)]


def test_a_delayed_ack_is_sent_by_the_second_segment_or_by_the_timer() -> None:
    for seqs, acks in (((1, 2), [(1.0, 0), (1.5, 2)]), ((1,), [(1.0, 0), (1.6, 1)])):
        stage = Stage(sink="delayed")
        inbox = stage.receiver().inbox
        stage.puts(inbox, 0, at_s=1.0)
        stage.puts(inbox, *seqs, at_s=1.5)
        assert stage.sent(until_s=3) == acks


# A router


def test_two_packets_at_one_instant_are_both_forwarded() -> None:
    stage = Stage()
    stage.puts(stage.router().inbox, 7, 8, at_s=1.0)
    assert stage.sent(until_s=2) == [(1.0, 7), (1.0, 8)]
    assert [packet.seq for packet in stage.arrived] == [7, 8]


def test_of_packets_at_one_instant_the_first_is_in_transmission_when_the_second_comes() -> None:
    """As in ns-2, where the second call is made when the first has returned: a queue of one place drops nobody."""
    stage = Stage(buffer_packets=2)
    stage.puts(stage.router().inbox, 7, 8, 9, at_s=1.0)
    stage.sent(until_s=2)
    assert [packet.seq for packet in stage.arrived] == [7, 8]
