"""Kinds of trials, and what they find."""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple


class Finding(NamedTuple):
    """A fault: what happened, and the files that show it, by name."""

    told: str
    files: Mapping[str, bytes]


class Round(NamedTuple):
    """What a kind did with one seed: the number of trials, and the faults among them."""

    trials: int
    findings: list[Finding]


class Kind(NamedTuple):
    """A kind of trials: its name, what it is for a person, and a round of it with a seed."""

    name: str
    about: str
    round: Callable[[int], Round]


class HangError(Exception):
    """A trial that did not end in its time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise HangError in what takes longer. Only in the main thread of a process, whose alarm it is."""

    def ring(_: int, __: FrameType | None) -> None:
        raise HangError(f"no end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
