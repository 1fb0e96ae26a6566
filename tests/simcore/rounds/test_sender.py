"""A sender of the round model, alone with us: we say which ACKs come, and look at what it does."""

from typing import Any

import pytest

from simcore.rounds.rules import sender
from simcore.rounds.rules.sender import (
    BURST,
    HOLE,
    KEEP_ALIVE,
    NO_LOSS,
    ONE_BYTE,
    RETRANSMISSION,
    THREE_DUPLICATES,
    TIMEOUT,
    Burst,
    SenderState,
)

MSS = 1024
WINDOW = 65536


def under_way(acked: int = 0, sent: int = 0, **fields: Any) -> SenderState:
    """A sender of which `acked` segments are acknowledged, of `sent` sent."""
    usual = {"mss": MSS, "eighth_added": True, "go_back_n": False, "holes_skipped": False, "cwnd": MSS}
    return SenderState(**usual | {"acked": acked * MSS - 1, "sent": sent * MSS - 1} | fields)


def acks(*segments: int) -> list[int]:
    """ACKs for everything before these segments; HOLE stays a hole."""
    return [segment if segment == HOLE else segment * MSS for segment in segments]


def sent(state: SenderState, kind: int, window: int) -> list[tuple[int, int]]:
    """First byte and length of each segment of a round."""
    burst = Burst()
    sender.send(state, burst, kind, window)
    return [(burst.first + i * burst.length, burst.length) for i in range(burst.count)]


# New ACKs


def test_slow_start_doubles_the_window_in_a_round() -> None:
    state = under_way(0, 4, cwnd=4 * MSS)
    assert sender.acks_arrived(state, acks(1, 2, 3, 4)) == NO_LOSS
    assert (state.cwnd, state.acked, state.slow_start) == (8 * MSS, 4 * MSS - 1, True)


@pytest.mark.parametrize(("ssthresh", "slow_start"), [(3 * MSS - 1, False), (3 * MSS, True)])
def test_slow_start_ends_above_the_threshold_not_at_it(ssthresh: int, slow_start: bool) -> None:
    state = under_way(0, 1, cwnd=2 * MSS, ssthresh=ssthresh)
    sender.acks_arrived(state, acks(1))
    assert (state.cwnd, state.slow_start) == (3 * MSS, slow_start)


def test_it_can_end_between_two_acks_of_a_round() -> None:
    """The windows of the golden runs after a recovery: 2048, 3541."""
    state = under_way(0, 2, cwnd=2048, ssthresh=2048)
    sender.acks_arrived(state, acks(1, 2))
    assert state.cwnd == 2048 + 1024 + (1024 * 1024 // 3072 + 128) == 3541


@pytest.mark.parametrize(("eighth_added", "growth"), [(True, 296 + 128 + 264 + 128), (False, 296 + 273)])
def test_congestion_avoidance_adds_whole_bytes_and_an_eighth_if_it_is_not_left_out(
    eighth_added: bool, growth: int
) -> None:
    state = under_way(0, 2, cwnd=3541, slow_start=False, eighth_added=eighth_added)
    sender.acks_arrived(state, acks(1, 2))
    assert state.cwnd == 3541 + growth


# Duplicates and holes


@pytest.mark.parametrize(("came", "loss"), [(acks(5, 5), NO_LOSS), (acks(5, 5, 5), THREE_DUPLICATES)])
def test_the_third_duplicate_tells_of_a_loss(came: list[int], loss: int) -> None:
    assert sender.acks_arrived(under_way(5, 9), came) == loss


def test_duplicates_add_up_over_rounds_until_something_new_is_acknowledged() -> None:
    state = under_way(5, 9)
    told = [sender.acks_arrived(state, acks(*segments)) for segments in ((5, 5), (6,), (6, 6), (6,))]
    assert told == [NO_LOSS, NO_LOSS, NO_LOSS, THREE_DUPLICATES]


def test_an_ack_from_before_is_a_duplicate_too() -> None:
    assert sender.acks_arrived(under_way(5, 9), acks(3, 4, 5)) == THREE_DUPLICATES


@pytest.mark.parametrize(("skipped", "acked"), [(False, 6), (True, 7)])
def test_reading_stops_at_a_hole_unless_holes_are_skipped(skipped: bool, acked: int) -> None:
    state = under_way(5, 9, holes_skipped=skipped)
    sender.acks_arrived(state, acks(6, HOLE, 7))
    assert state.acked == acked * MSS - 1


def test_reading_ends_with_the_third_duplicate() -> None:
    state = under_way(5, 9, cwnd=4 * MSS)
    sender.acks_arrived(state, acks(5, 5, 5, 6))
    assert state.acked == 5 * MSS - 1


# Losses


@pytest.mark.parametrize(("cwnd", "ssthresh"), [(15361, 7680), (4098, 2049), (4096, 2048), (1024, 2048)])
def test_a_loss_halves_the_threshold_but_not_below_two_segments(cwnd: int, ssthresh: int) -> None:
    state = under_way(5, 9, cwnd=cwnd, slow_start=False, duplicates=2)
    sender.acks_arrived(state, acks(5))
    assert (state.ssthresh, state.cwnd, state.slow_start, state.duplicates) == (ssthresh, MSS, True, 0)


def test_the_fourth_round_of_silence_is_a_timeout() -> None:
    state = under_way(5, 9)
    assert [sender.acks_arrived(state, []) for _ in range(5)] == [NO_LOSS] * 3 + [TIMEOUT, NO_LOSS]


def test_a_new_ack_starts_the_timer_again_and_so_does_having_nothing_outstanding() -> None:
    state = under_way(5, 7, timer=0)
    assert sender.acks_arrived(state, acks(6)) == NO_LOSS
    assert state.timer == 2
    sender.acks_arrived(state, acks(7))
    assert state.timer == 3


def test_the_round_of_three_duplicates_counts_for_the_timer_too() -> None:
    state = under_way(5, 9)
    sender.acks_arrived(state, acks(5, 5, 5))
    assert state.timer == 2


# Sending


@pytest.mark.parametrize(
    ("cwnd", "advertised", "window", "kind"),
    [
        (6 * MSS, WINDOW, 2 * MSS, BURST),
        (5 * MSS, WINDOW, MSS, BURST),
        (5 * MSS - 1, WINDOW, MSS - 1, ONE_BYTE),
        (4 * MSS, WINDOW, 1, ONE_BYTE),
        (MSS, WINDOW, 1, ONE_BYTE),
        (9 * MSS, 5 * MSS, MSS, BURST),  # the receiver has room for less
    ],
)
def test_whole_segments_or_one_byte(cwnd: int, advertised: int, window: int, kind: int) -> None:
    """Four segments are outstanding."""
    state = under_way(5, 9, cwnd=cwnd)
    assert sender.effective_window(state, advertised) == window
    assert sender.kind_to_send(state, advertised, NO_LOSS) == kind


@pytest.mark.parametrize("loss", [THREE_DUPLICATES, TIMEOUT])
def test_after_a_loss_the_missing_segment_comes_first(loss: int) -> None:
    assert sender.kind_to_send(under_way(9, 9, cwnd=4 * MSS), WINDOW, loss) == RETRANSMISSION


def test_a_burst_is_made_of_whole_segments() -> None:
    state = under_way(9, 9)
    assert sent(state, BURST, 3 * MSS - 1) == [(9 * MSS, MSS), (10 * MSS, MSS)]
    assert state.sent == 11 * MSS - 1


@pytest.mark.parametrize("kind", [ONE_BYTE, KEEP_ALIVE])
def test_a_single_byte_is_new_data(kind: int) -> None:
    state = under_way(5, 9)
    assert sent(state, kind, 1) == [(9 * MSS, 1)]
    assert state.sent == 9 * MSS


def test_a_repair_sends_one_segment_and_goes_on_where_it_was() -> None:
    state = under_way(5, 9)
    sender.acks_arrived(state, acks(5, 5, 5))
    assert sent(state, RETRANSMISSION, 1) == [(5 * MSS, MSS)]
    assert sender.flight_size(state) == 4 * MSS


def test_going_back_sends_everything_again_but_what_turns_out_to_have_arrived() -> None:
    state = under_way(5, 9, go_back_n=True)
    sender.acks_arrived(state, acks(5, 5, 5))
    assert sent(state, RETRANSMISSION, MSS) == [(5 * MSS, MSS)]
    assert sender.flight_size(state) == MSS
    sender.acks_arrived(state, acks(8))  # the receiver had held 6 and 7
    assert sent(state, BURST, 2 * MSS) == [(8 * MSS, MSS), (9 * MSS, MSS)]


# Pauses


def test_while_kept_alive_acks_move_what_is_acknowledged_and_nothing_else() -> None:
    state = under_way(5, 9, cwnd=4 * MSS, timer=1, duplicates=1)
    sender.keep_alive_acks_arrived(state, acks(6, 6, 6, 6, HOLE, 7))
    assert state == under_way(6, 9, cwnd=4 * MSS, timer=1, duplicates=1)
