"""The largest of the last samples."""

import random
from types import SimpleNamespace

from simcore.rules import windowed_maximum


def kept(samples: list[float], window: int) -> list[float]:
    """The largest after each sample, of which one comes in each round."""
    fields = ("first_rate", "first_round", "second_rate", "second_round", "third_rate", "third_round")
    state = SimpleNamespace(**dict.fromkeys(fields, 0))
    found = []
    for now, sample in enumerate(samples):
        windowed_maximum.take_in(state, now, window, sample)
        found.append(state.first_rate)
    return found


def test_the_largest_of_ten_rounds_is_kept_and_then_forgotten() -> None:
    found = kept([5.0, 9.0, 7.0, 6.0, *[4.0] * 20], window=10)
    assert found[:3] == [5.0, 9.0, 9.0]
    assert found[11] == 9.0
    assert found[12] < 9.0
    assert found[-1] == 4.0


def test_it_is_never_more_than_what_came_in_the_window_and_never_less_than_the_last() -> None:
    draw = random.Random(1)
    samples = [draw.random() for _ in range(500)]
    for now, found in enumerate(kept(samples, window=10)):
        assert samples[now] <= found <= max(samples[max(0, now - 11) : now + 1])
