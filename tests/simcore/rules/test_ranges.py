"""Sets of sequence numbers as ranges, against Python's own sets."""

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.rules import ranges


class Ranges:
    """A set of ranges, written as the pairs that it holds."""

    def __init__(self, *pairs: tuple[int, int], room: int = 20) -> None:
        self.starts, self.ends = array("q", [0] * room), array("q", [0] * room)
        self.count = 0
        for start, end in pairs:
            self.add(start, end)

    def add(self, start: int, end: int) -> None:
        self.count = ranges.add(self.starts, self.ends, self.count, start, end)

    def forget_below(self, seq: int) -> None:
        self.count = ranges.forget_below(self.starts, self.ends, self.count, seq)

    def pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.starts[: self.count], self.ends[: self.count], strict=True))


@pytest.mark.parametrize(
    ("added", "becomes"),
    [
        ((1, 2), [(1, 2), (5, 8), (10, 12)]),
        ((3, 4), [(3, 4), (5, 8), (10, 12)]),  # one number is missing in between
        ((3, 5), [(3, 8), (10, 12)]),  # touches
        ((4, 6), [(4, 8), (10, 12)]),  # overlaps
        ((6, 7), [(5, 8), (10, 12)]),  # is known
        ((8, 9), [(5, 9), (10, 12)]),
        ((8, 10), [(5, 12)]),  # closes the hole
        ((9, 10), [(5, 8), (9, 12)]),
        ((4, 13), [(4, 13)]),
        ((12, 13), [(5, 8), (10, 13)]),
        ((13, 14), [(5, 8), (10, 12), (13, 14)]),
    ],
)
def test_what_a_range_overlaps_or_touches_becomes_one_with_it(
    added: tuple[int, int], becomes: list[tuple[int, int]]
) -> None:
    known = Ranges((5, 8), (10, 12))
    known.add(*added)
    assert known.pairs() == becomes


@pytest.mark.parametrize(
    ("first", "hole"), [(0, 0), (4, 4), (5, 8), (7, 8), (8, 8), (9, 9), (10, -1), (11, -1), (12, -1), (13, -1)]
)
def test_a_hole_is_below_a_range(first: int, hole: int) -> None:
    known = Ranges((5, 8), (10, 12))
    assert ranges.first_hole(known.starts, known.ends, known.count, first) == hole


@pytest.mark.parametrize(
    ("start", "end", "held"), [(4, 6, False), (5, 6, True), (5, 8, True), (7, 9, False), (5, 11, False), (0, 1, False)]
)
def test_one_range_alone_holds_another(start: int, end: int, held: bool) -> None:
    known = Ranges((5, 8), (10, 12))
    assert ranges.hold(known.starts, known.ends, known.count, start, end) == held


@pytest.mark.parametrize(
    ("seq", "left"),
    [(7, [(5, 8), (10, 12)]), (8, [(10, 12)]), (11, [(10, 12)]), (12, []), (5, [(5, 8), (10, 12)])],
)
def test_a_range_is_forgotten_when_all_of_it_is_below(seq: int, left: list[tuple[int, int]]) -> None:
    known = Ranges((5, 8), (10, 12))
    known.forget_below(seq)
    assert known.pairs() == left


@given(
    added=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), max_size=30),
    first=st.integers(0, 40),
    below=st.integers(0, 40),
)
def test_ranges_are_a_set(added: list[tuple[int, int]], first: int, below: int) -> None:
    known, numbers = Ranges(), set[int]()
    for start, length in added:
        known.add(start, start + length)
        numbers |= set(range(start, start + length))
    starts, ends = known.starts, known.ends
    assert {seq for start, end in known.pairs() for seq in range(start, end)} == numbers
    assert known.pairs() == sorted(known.pairs())
    assert all(end < start for (_, end), (start, _) in zip(known.pairs(), known.pairs()[1:], strict=False))

    holes = [seq for seq in range(first, max(numbers, default=0)) if seq not in numbers]
    assert ranges.first_hole(starts, ends, known.count, first) == (holes[0] if holes else ranges.NO_HOLE)
    assert ranges.hold(starts, ends, known.count, first, first + 2) == ({first, first + 1} <= numbers)

    known.forget_below(below)
    assert known.pairs() == [pair for pair in Ranges(*((s, s + n) for s, n in added)).pairs() if pair[1] > below]


@given(window=st.integers(1, 12), order=st.randoms(use_true_random=False))
def test_there_is_room_for_a_window_in_whatever_order_it_arrives(window: int, order: Random) -> None:
    early = list(range(1, window + 1))
    order.shuffle(early)
    known = Ranges(room=ranges.room(window))
    for seq in early:
        known.add(seq, seq + 1)
    assert known.pairs() == [(1, window + 1)]
