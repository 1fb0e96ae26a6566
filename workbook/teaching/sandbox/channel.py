"""How the grader talks with a player: a JSON document a line, with bounds on its size and on the time for it."""

import json
import os
import socket
import subprocess
import sys
import time
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

LONGEST_LINE: Final = 1 << 20  # bytes
LONGEST_TALK: Final = 64 << 20  # bytes: a lab's controller is asked some ten thousand times
CHUNK: Final = 1 << 16


class Limits(NamedTuple):
    """How long students' code may take, in s."""

    cell_cpu_s: float = 20.0  # a cell is then interrupted; the sheets' own take a few seconds
    silent_s: float = 90.0  # without a word from the player, whatever its cell does: it is ended
    sheet_s: float = 300.0  # all of a sheet


LIMITS: Final = Limits()
KEPT: Final = ("PATH", "PYTHONPATH", "HOME", "TMPDIR", "LANG", "LC_ALL")  # an environment has tokens and passwords, too
# One thread, as the server forks; no window; nothing of the student's own settings.
CALM: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "TQDM_DISABLE": "1",
    "MATPLOTLIBRC": os.devnull,
    "IPYTHONDIR": "/tmp/ipython",
}


class StoppedError(Exception):
    """The player says no more: it was ended, or it never said what players say. The message is one line."""


class RefusedError(StoppedError):
    """This system does not allow what keeps a sheet apart."""


class Sandbox:
    """The warm process, and what its players are allowed. To be used as a context: it ends with it."""

    def __init__(self, *, isolated: bool, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.order = f"{limits.sheet_s} {limits.cell_cpu_s} {isolated:d}".encode()
        self.orders, theirs = socket.socketpair()
        with theirs:
            environment = {name: os.environ[name] for name in KEPT if name in os.environ} | CALM
            command = [sys.executable, "-P", "-m", "workbook.teaching.sandbox.server", str(theirs.fileno())]
            self.server = subprocess.Popen(
                command, cwd="/", env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )
        self.orders.recv(1)  # it has imported all that it needs, or could not

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.orders.close()
        self.server.wait()

    def player(self) -> "Channel":
        """A new player; it lives as long as the channel is open."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.orders, [self.order], [theirs.fileno()])
        return Channel(ours, self.limits)

    def check(self) -> None:
        """Play a sheet without cells. Raises RefusedError if this system does not allow it, else StoppedError."""
        with self.player() as channel:
            channel.tell({"cells": []})
            reply = channel.hear()
        if "refused" in reply:
            raise RefusedError(reply["refused"])
        if reply != {"done": True}:
            raise StoppedError("it does not play a sheet without cells")


class Channel:
    """The grader's end."""

    def __init__(self, connection: socket.socket, limits: Limits) -> None:
        self.connection = connection
        self.limits = limits
        self.ends_at = time.monotonic() + limits.sheet_s
        self.heard = 0
        self.rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connection.close()  # and the server ends the player

    def tell(self, message: object) -> None:
        """Send a line. Raises StoppedError."""
        try:
            self.connection.settimeout(self.limits.silent_s)
            self.connection.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise StoppedError(f"the sheet's process ended ({error.strerror or error})") from None

    def hear(self) -> dict[str, Any]:
        """The next line. Raises StoppedError."""
        silent_until = time.monotonic() + self.limits.silent_s
        while b"\n" not in self.rest:
            self.rest += self._chunk(min(silent_until, self.ends_at))
        line, _, self.rest = self.rest.partition(b"\n")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise StoppedError("the sheet wrote into the grader's pipe; nothing of it counts from there on")
        return reply

    def _chunk(self, until: float) -> bytes:
        if len(self.rest) > LONGEST_LINE or self.heard > LONGEST_TALK:
            raise StoppedError("an answer is too large")
        try:
            self.connection.settimeout(max(until - time.monotonic(), 0.001))
            chunk = self.connection.recv(CHUNK)
        except TimeoutError:
            raise StoppedError("it did not end in time, and was ended") from None
        except OSError as error:
            raise StoppedError(f"the sheet's process ended ({error.strerror or error})") from None
        if not chunk:
            raise StoppedError("the sheet's process ended before its last cell: it was ended, or ended itself")
        self.heard += len(chunk)
        return chunk
