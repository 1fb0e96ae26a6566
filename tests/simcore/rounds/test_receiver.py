"""A receiver of the round model: what it acknowledges, and what it holds."""

from simcore.rounds.rules.receiver import BUFFER_BYTES, ReceiverState, places_needed, segment_arrived

PLACES, RING = 3, 10  # room for three segments, from the tenth number on


def receiver(*, old_bytes_ignored: bool = False) -> ReceiverState:
    return ReceiverState(old_bytes_ignored=old_bytes_ignored, places=PLACES, ring=RING)


def feed(state: ReceiverState, *segments: tuple[int, int]) -> list[int]:
    held = [0] * (RING + 2 * PLACES)
    acks = [segment_arrived(state, held, first, length) for first, length in segments]
    assert held[:RING] == [0] * RING, "this is another receiver's"
    return acks


def test_there_is_room_for_all_that_a_sender_can_send_ahead() -> None:
    """Whole segments until the window is closed, and a byte a round."""
    assert places_needed(rounds=300, mss=1024) == 364


def test_the_ring_is_used_again() -> None:
    ahead = [(first + 1024 * i, 1024) for first in (0, 3072, 6144) for i in (1, 2, 0)]
    assert feed(receiver(), *ahead) == [0, 0, 3072, 3072, 3072, 6144, 6144, 6144, 9216]


def test_segments_in_order_are_acknowledged_one_by_one() -> None:
    assert feed(receiver(), (0, 1024), (1024, 1), (1025, 1024)) == [1024, 1025, 2049]


def test_what_comes_early_is_held_and_takes_room() -> None:
    state = receiver()
    assert feed(state, (0, 1024), (2048, 1024), (3072, 1)) == [1024, 1024, 1024]
    assert state.window == BUFFER_BYTES - 1025


def test_a_repair_releases_what_was_held_behind_it() -> None:
    state = receiver()
    assert feed(state, (1024, 1024), (2048, 1), (0, 1024)) == [0, 0, 2049]
    assert state.window == BUFFER_BYTES


def test_only_up_to_the_next_gap() -> None:
    state = receiver()
    assert feed(state, (1024, 1024), (3072, 1024), (0, 1024)) == [0, 0, 2048]
    assert state.window == BUFFER_BYTES - 1024


def test_old_bytes_are_held_for_ever_and_block_what_comes_behind_them() -> None:
    state = receiver()
    assert feed(state, (0, 1024), (0, 1024), (2048, 1024), (1024, 1024)) == [1024, 1024, 1024, 2048]
    assert state.window == BUFFER_BYTES - 2048


def test_unless_they_are_ignored() -> None:
    state = receiver(old_bytes_ignored=True)
    assert feed(state, (0, 1024), (0, 1024), (2048, 1024), (1024, 1024)) == [1024, 1024, 1024, 3072]
    assert (state.window, state.old_bytes) == (BUFFER_BYTES, 1024)


def test_of_a_segment_that_is_partly_old_the_new_part_is_taken() -> None:
    state = receiver(old_bytes_ignored=True)
    assert feed(state, (0, 1), (0, 1024)) == [1, 1024]
    assert state.old_bytes == 1


def test_a_copy_of_what_is_held_is_ignored_when_its_turn_comes() -> None:
    state = receiver(old_bytes_ignored=True)
    assert feed(state, (1024, 1024), (1024, 1024), (0, 1024)) == [0, 0, 2048]
    assert (state.window, state.old_bytes) == (BUFFER_BYTES, 1024)
