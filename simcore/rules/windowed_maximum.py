"""The largest of the last samples by three candidates, after K. Nichols (Linux: minmax_running_max()).

Time goes in whole numbers, as of round trips. The window is of so many.
"""

from typing import Protocol


class Candidates(Protocol):
    """The largest sample of the window, the largest since, and the largest since that; each with its time."""

    first_rate: float
    first_round: int
    second_rate: float
    second_round: int
    third_rate: float
    third_round: int


def take_in(state: Candidates, now: int, window: int, sample: float) -> None:
    """A sample came. The largest is `first_rate` then."""
    if sample >= state.first_rate or now - state.third_round > window:
        state.first_rate, state.second_rate, state.third_rate = sample, sample, sample
        state.first_round, state.second_round, state.third_round = now, now, now
        return
    if sample >= state.second_rate:
        state.second_rate, state.third_rate = sample, sample
        state.second_round, state.third_round = now, now
    elif sample >= state.third_rate:
        state.third_rate = sample
        state.third_round = now
    forget_oldest(state, now, window, sample)


def forget_oldest(state: Candidates, now: int, window: int, sample: float) -> None:
    """A candidate that is too old leaves, and the next ones move up (Linux: minmax_subwin_update())."""
    age = now - state.first_round
    if age > window:
        move_up(state, now, sample)
        if now - state.first_round > window:
            move_up(state, now, sample)
    elif state.second_round == state.first_round and age > window // 4:
        state.second_rate, state.third_rate = sample, sample
        state.second_round, state.third_round = now, now
    elif state.third_round == state.second_round and age > window // 2:
        state.third_rate = sample
        state.third_round = now


def move_up(state: Candidates, now: int, sample: float) -> None:
    """The second is the first from now on."""
    state.first_rate, state.second_rate, state.third_rate = state.second_rate, state.third_rate, sample
    state.first_round, state.second_round, state.third_round = state.second_round, state.third_round, now
