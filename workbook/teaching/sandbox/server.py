"""A warm process: it has imported all that sheets import, and forks a player for each sheet, in a second of nothing.

python -m workbook.teaching.sandbox.server FD
"""

import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import matplotlib.pyplot as plt  # noqa: F401 - what sheets import
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import xarray as xr
from scipy import stats  # noqa: F401

import workbook.teaching
from simcore import simulate  # noqa: F401
from workbook.teaching import internet
from workbook.teaching.sandbox import isolation
from workbook.teaching.sandbox.player import play

POLL_MS: Final = 100


def serve(orders: socket.socket) -> None:
    """Fork a supervisor for each connection that comes, until the grader hangs up."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors leave nothing to wait for
    unseen = (workbook.teaching, "show"), (workbook.teaching, "curves"), (internet, "live")
    for module, function in unseen:  # nobody looks, drawing takes half of the time, and in a sandbox no kernel runs
        setattr(module, function, lambda *_, **__: None)
    xr.DataArray([1.0]).median()  # imports dask, which wants to see /proc
    orders.send(b".")
    while True:
        message, handles, _, _ = socket.recv_fds(orders, 64, 1)
        if not handles:
            return
        wire = socket.socket(fileno=handles[0])
        sheet_s, cell_cpu_s, is_isolated = map(float, message.decode().split())
        if os.fork() == 0:
            orders.close()
            _leave(lambda: supervise(wire, sheet_s, cell_cpu_s, bool(is_isolated)))  # noqa: B023 - called at once
        wire.close()


def supervise(wire: socket.socket, sheet_s: float, cell_cpu_s: float, is_isolated: bool) -> None:
    """Start the player, and end it and all that it started: when it ends, when the grader hangs up, when time is up."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    isolation.adopt_orphans()
    spare_uid = isolation.FIRST_SPARE_UID + os.getpid()
    with _refusing(wire), tempfile.TemporaryDirectory(prefix="sheet-") as folder:
        if is_isolated:
            isolation.enter_namespaces()
        player = os.fork()
        if player == 0:
            _leave(lambda: _play(wire, cell_cpu_s, folder, spare_uid, is_isolated))
        _watch(player, wire, time.monotonic() + sheet_s)
        if not is_isolated:  # in namespaces the kernel has done it
            isolation.end_children()


def _watch(player: int, wire: socket.socket, ends_at: float) -> None:
    hung_up = select.poll()
    hung_up.register(wire, 0)  # a closed connection is reported, whatever is asked for
    while os.waitpid(player, os.WNOHANG)[0] == 0:
        if hung_up.poll(POLL_MS) or time.monotonic() > ends_at:
            os.kill(player, signal.SIGKILL)


def _play(wire: socket.socket, cell_cpu_s: float, folder: str, spare_uid: int, is_isolated: bool) -> None:
    """Play the sheet closed off from the machine, or else in a folder of its own."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    isolation.limit()
    os.chdir(folder)
    if is_isolated:
        with _refusing(wire):
            isolation.close_off(spare_uid)
    os.environ["HOME"] = str(Path.cwd())
    play(wire, cell_cpu_s)


@contextmanager
def _refusing(wire: socket.socket) -> Iterator[None]:
    """Tell the grader what the system does not allow."""
    try:
        yield
    except isolation.IsolationError as error:
        wire.sendall(json.dumps({"refused": str(error)}).encode() + b"\n")
        raise


def _leave(do: Callable[[], None]) -> None:
    """Do the last thing of a forked process; it never comes back into what it was forked from."""
    try:
        do()
        os._exit(0)
    finally:
        os._exit(1)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
