"""What a student's sheet answers: plain data, and functions that stay where they are and are called from here."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from simcore.rules.causes import CAUSES
from simcore.rules.tcp.sender import TcpState
from workbook.teaching.check import NotRight
from workbook.teaching.sandbox.channel import Channel, StoppedError
from workbook.teaching.sandbox.plain import NotPlainError, Other, decoded, encoded, numbers_of
from workbook.teaching.sheet import Asked

SETS: Final = {"cwnd", "ssthresh", "cause"}  # what a congestion control may change in a sender
LARGEST_WINDOW: Final = 1e9  # packets


class Answers:
    """The answers of one sheet that was played; its functions can be called as long as the channel is open."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.asked: dict[str, dict[str, Any]] = {}  # by graded cell, the names that it asks for
        self.errors: dict[str, str] = {}  # by cell
        self.stopped = ""  # why it did not come to its end

    @classmethod
    def of(cls, channel: Channel, cells: Sequence[Asked]) -> Self:
        """Have the cells played, and take the answers. Whatever goes wrong is in `errors` and `stopped`."""
        answers = cls(channel)
        try:
            channel.tell({"cells": [cell._asdict() for cell in cells]})
            for cell in cells:
                answers._take(channel.hear(), cell)
            channel.hear()  # that it is done
        except StoppedError as error:
            answers.stopped = str(error)
        return answers

    def _take(self, reply: Mapping[str, Any], cell: Asked) -> None:
        answers, error = reply.get("answers"), reply.get("error")
        if error is not None:
            self.errors.setdefault(cell.name, str(error))
        if not cell.asks or cell.name in self.asked or not isinstance(answers, dict):
            return  # a copy of a graded cell: the first one counts
        self.asked[cell.name] = {name: self._answer(answers[name]) for name in cell.asks if name in answers}

    def _answer(self, data: object) -> object:
        try:
            return decoded(data, lambda number: Remote(number, self.channel))
        except (NotPlainError, RecursionError) as error:
            return Other(str(error))


class Remote:
    """A student's function, where it is: called with plain data or a sender's state, in the student's own process."""

    def __init__(self, number: int, channel: Channel) -> None:
        self.number = number
        self.channel = channel

    def __call__(self, *given: object) -> Any:
        """Call it. Raises NotRight for what goes wrong in it, and for what a congestion control must not do."""
        try:
            self.channel.tell({"call": self.number, "args": [_argument(each) for each in given]})
            reply = self.channel.hear()
            if error := reply.get("error"):
                raise NotRight(f"your function failed: {error}")
            for sender, changes in zip(
                (each for each in given if isinstance(each, TcpState)), reply["tcp"], strict=True
            ):
                _change(sender, changes)
            return decoded(reply["value"], lambda number: Remote(number, self.channel))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise NotRight("your function returned something that is no answer") from None
        except StoppedError as error:
            raise NotRight(f"your function was called: {error}") from None


def _argument(given: object) -> object:
    return {"tcp": numbers_of(given)} if isinstance(given, TcpState) else encoded(given, _no_function)


def _no_function(function: object) -> int:
    """A controller's own state is its own: nothing of it leaves or enters the student's process."""
    return -1


def _change(tcp: TcpState, changes: Mapping[str, Any]) -> None:
    if others := sorted(changes.keys() - SETS):
        raise NotRight(f"a congestion control sets cwnd, ssthresh and cause; yours set {others[0][:40]}")
    for name in ("cwnd", "ssthresh"):
        size = float(changes.get(name, 1))
        if not math.isfinite(size) or not 0 <= size <= LARGEST_WINDOW:
            raise NotRight(f"{name} became {size:g}; must be a number of packets from 0 on")
    if changes.get("cause", 0) not in range(len(CAUSES)):
        raise NotRight("cause must be one of the causes, as CONGESTION_AVOIDANCE is")
    for name, value in changes.items():
        setattr(tcp, name, int(value) if name == "cause" else float(value))
