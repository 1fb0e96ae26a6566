"""The router of the round model, slot by slot: which segments pass, in all three readings."""

from collections.abc import Sequence

import pytest

from simcore.rounds.rules import router
from simcore.rounds.rules.router import READINGS, outdrawn
from simcore.rounds.rules.sender import Burst

FIRST, SECOND = 0.0, 0.5  # draws that put sender 1 first, or sender 2


def relay(reading: str, lengths: Sequence[int], buffer: int, mismatch: int, draws: Sequence[float] = ()) -> list[str]:
    """Each sender's burst as text: + passes, - is dropped."""
    chances = [*draws, *[FIRST] * (max(lengths) - len(draws))]
    bursts = [Burst(count=length) for length in lengths]
    assert router.relay(READINGS[reading].rule, bursts, chances, 0, buffer, mismatch) == max(lengths)
    return ["".join("+" if passes else "-" for passes in burst.passed[: burst.count]) for burst in bursts]


@pytest.mark.parametrize(
    ("buffer", "mismatch", "burst"),
    [
        (3, 5, "+++---+----+"),  # later, slots 6 and 11: one behind each multiple of the mismatch
        (4, 5, "++++--+----+"),
        (5, 5, "++++--+----+"),  # capped below the mismatch
        (2, 12, "++----------"),
    ],
)
def test_the_original_fills_its_buffer_and_then_lets_a_stray_segment_pass(
    buffer: int, mismatch: int, burst: str
) -> None:
    assert relay("original", [12], buffer, mismatch) == [burst]


def test_two_senders_fill_the_buffer_together() -> None:
    assert relay("literal", [4, 4], 6, 10) == ["+++-", "+++-"]


@pytest.mark.parametrize(("draw", "bursts"), [(0.0, ["+", "-"]), (0.499, ["+", "-"]), (0.5, ["-", "+"])])
def test_chance_decides_who_gets_the_last_place(draw: float, bursts: list[str]) -> None:
    assert relay("literal", [1, 1], 1, 10, [draw]) == bursts


def test_each_slot_has_a_chance_of_its_own() -> None:
    assert relay("literal", [3, 3], 3, 10, [FIRST, SECOND, FIRST]) == ["+--", "++-"]


def test_a_sender_with_a_shorter_burst_leaves_its_slots_to_the_other() -> None:
    assert relay("literal", [1, 5], 4, 10) == ["+", "+++--"]


def test_literally_one_place_becomes_free_every_mismatch_slots() -> None:
    assert relay("literal", [8], 2, 3) == ["++-+--+-"]
    assert relay("literal", [7, 7], 2, 3) == ["+--+--+", "+------"]


def test_literally_no_place_is_gained_while_the_buffer_is_empty() -> None:
    """Sender 1 alone in a slot leaves the buffer empty at slot 2, and no emptier."""
    assert relay("literal", [6], 1, 2) == ["+-+-+-"]


def test_as_fitted_two_places_become_free_after_slot_0_and_every_mismatch_slots() -> None:
    assert relay("fitted", [5, 5], 2, 3) == ["++--+", "++--+"]


def test_as_fitted_places_are_gained_even_if_nothing_is_there_to_leave() -> None:
    """One sender: slot 0 takes one place and gives two back."""
    assert relay("fitted", [5], 2, 10) == ["++++-"]


@pytest.mark.parametrize(
    ("reading", "buffer", "mismatch", "segments"),
    [
        ("original", 7, 10, 8),
        ("original", 9, 10, 10),
        ("original", 10, 10, 10),
        ("literal", 7, 10, 7),
        ("fitted", 7, 10, 8),
    ],
)
def test_what_each_reading_calls_its_capacity(reading: str, buffer: int, mismatch: int, segments: int) -> None:
    assert READINGS[reading].capacity_segments(buffer, mismatch) == segments


def test_who_is_outdrawn_lost_a_place_to_the_other() -> None:
    """Slots of two senders: both pass, 1 loses to 2, both are dropped, 2 has nothing to send."""
    bursts = [Burst(count=4, passed=[True, False, False, False]), Burst(count=3, passed=[True, True, False])]
    assert [outdrawn(bursts, sender) for sender in (0, 1)] == [1, 0]
    assert [router.dropped(burst) for burst in bursts] == [3, 1]


def test_a_round_goes_on_where_the_draws_of_the_one_before_end() -> None:
    bursts = [Burst(count=1), Burst(count=1)]
    router.relay(READINGS["literal"].rule, bursts, [FIRST, FIRST, SECOND], 2, 1, 10)
    assert [burst.passed[0] for burst in bursts] == [False, True]
