"""Runs the cells of one sheet as Jupyter would, and tells what a grader asks for. It lives and ends in a sandbox.

It shares its process with the student's code, which may change anything here: what it says is believed no more than
what a student writes down.
"""

import json
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, Final, cast

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from simcore.rules.tcp.sender import TcpState
from workbook.teaching.sandbox.plain import LONGEST_TEXT, NotPlainError, decoded, encoded, numbers_of

AGAIN_S: Final = 0.001  # now and then it rings where nothing catches it


class CellTimeout(BaseException):  # nor is KeyboardInterrupt called an error
    """Raised in a cell that has run too long. Not an Exception, which students catch."""


class Player:
    """One sheet at work."""

    def __init__(self, wire: socket.socket, cell_cpu_s: float) -> None:
        self.lines = wire.makefile("rw", encoding="utf-8", newline="\n")
        self.shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        for tale in ("showtraceback", "showsyntaxerror"):  # long, and nobody reads it
            setattr(self.shell, tale, lambda *_, **__: None)
        self.cell_cpu_s = cell_cpu_s
        self.functions: list[Callable[..., object]] = []

    def play(self) -> None:
        """Run the cells that the grader sends, tell the answers, then call functions for it until it hangs up."""
        for cell in self.next_line()["cells"]:
            error = self.run(cell["source"])
            self.tell({"cell": cell["name"], "error": error, "answers": self.answers(cell["asks"])})
        self.tell({"done": True})
        while asked := self.next_line():
            self.tell(self.called(self.functions[asked["call"]], asked["args"]))

    def next_line(self) -> dict[str, Any]:
        """The grader's next line; empty when it has hung up."""
        return cast(dict[str, Any], json.loads(self.lines.readline() or "{}"))

    def tell(self, message: object) -> None:
        """Say a line."""
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def run(self, source: str) -> str | None:
        """Run a cell; what went wrong in it, in one line."""
        with_alarm(self.shell, self.cell_cpu_s)
        try:
            result = self.shell.run_cell(source, silent=True)
        except CellTimeout as late:  # it rang in IPython, not in the cell
            return f"CellTimeout: {late}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        error = result.error_before_exec or result.error_in_exec
        return None if error is None else in_a_line(error)

    def answers(self, names: Sequence[str]) -> dict[str, object]:
        """The names that a graded cell asks for, as plain data, as far as they are there."""
        there = {name: self.shell.user_ns[name] for name in names if name in self.shell.user_ns}
        return {name: self.plain(value) for name, value in there.items()}

    def plain(self, value: object) -> object:
        """A value as plain data; a function gets a number."""
        try:
            return encoded(value, self._kept)
        except NotPlainError as error:
            return {"other": str(error)}
        except Exception as error:  # whatever a student's own class does when it is asked for its repr
            return {"other": in_a_line(error)}

    def _kept(self, function: Callable[..., object]) -> int:
        self.functions.append(function)
        return len(self.functions) - 1

    def called(self, function: Callable[..., object], given: Sequence[Any]) -> dict[str, object]:
        """What a function returned, and what it changed in a sender's state that it was given."""
        arguments = [_argument(each) for each in given]
        senders = [each for each in arguments if isinstance(each, TcpState)]
        before = [numbers_of(sender) for sender in senders]
        with_alarm(self.shell, self.cell_cpu_s)
        try:
            value = function(*arguments)
        except (Exception, CellTimeout) as error:
            return {"error": in_a_line(error)}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        changes = [numbers_of(sender).items() - were.items() for sender, were in zip(senders, before, strict=True)]
        return {"value": self.plain(value), "tcp": [dict(each) for each in changes]}


NO_RULES: Final[dict[str, Any]] = {
    f"{kind}{part}": None for kind in ("recovery", "control", "slow_start") for part in ("", "_state")
}


def _argument(given: Any) -> object:
    if isinstance(given, dict) and "tcp" in given:
        return TcpState(**NO_RULES, **given["tcp"])
    return decoded(given, lambda number: None)


def in_a_line(error: BaseException) -> str:
    """An error's name and what it says, in one line of limited length."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # a student's own class
        text = ""
    return f"{type(error).__name__}: {text}"[:LONGEST_TEXT].removesuffix(": ")


def with_alarm(shell: InteractiveShell, cpu_s: float) -> None:
    """Raise CellTimeout in a student's code once it has used so much CPU time, and again until it has ended."""

    def ring(number: int, frame: FrameType | None) -> None:
        if any(each.f_globals is shell.user_ns for each in _calls(frame)):
            raise CellTimeout(f"this cell was stopped: it computed for more than {cpu_s:g} s")

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, cpu_s, AGAIN_S)


def _calls(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def play(wire: socket.socket, cell_cpu_s: float) -> None:
    """Play one sheet, without a word on standard output."""
    with open("/dev/null", "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a stream for sys, not a file to read
        sys.stdout = sys.stderr = nowhere
        Player(wire, cell_cpu_s).play()
