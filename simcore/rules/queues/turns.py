"""Lines that take turns: lists of lines, each of which holds packets (`simcore.rules.queues.waiting`)."""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Any

from simcore.rules.queues import fifo, waiting
from simcore.rules.queues.fifo import NOBODY

Numbers = MutableSequence[int]


@dataclass(slots=True, kw_only=True)
class Turns(waiting.Waiting):
    """Packets in lines, and the lines in the order of their turns, in one list or in several."""

    line_behind: Numbers = field(default_factory=waiting.no_numbers)  # a line: the one that follows in its list
    first_line: Numbers = field(default_factory=waiting.no_numbers)  # a list of lines: its first line
    last_line: Numbers = field(default_factory=waiting.no_numbers)


def arrays(slots: int, lines: int, lists: int = 1) -> dict[str, Any]:
    """The arrays of a state."""
    return waiting.arrays(slots, lines) | {
        "line_behind": array("q", [NOBODY] * (waiting.FIRST_LINE + lines)),
        "first_line": array("q", [NOBODY] * lists),
        "last_line": array("q", [NOBODY] * lists),
    }


def put_last(queue: Turns, line: int, among: int = 0) -> None:
    """A line that is in no list has the last turn."""
    fifo.append(queue.line_behind, queue.first_line, queue.last_line, among, line)


def take_first(queue: Turns, among: int = 0) -> int:
    """Take the line whose turn it is out of its list; NOBODY if there is none."""
    return fifo.pop(queue.line_behind, queue.first_line, queue.last_line, among)
