"""Runs a scenario on the kernel, in a process of its own."""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, Final

import cloudpickle

from simcore.kernel import start
from simcore.kernel.refusals import check
from simcore.kernel.settings import Settings
from simcore.results.log import EngineUnavailableError, Outcome, Recording
from simcore.rules.congestion.registry import registered_since
from simcore.scenario.loading import ScenarioError
from simcore.scenario.scenario import Scenario

LONGEST_WAIT_S: Final = 0.1  # for a message of the run's process; then it looks for a Ctrl-C


def run(
    scenario: Scenario, recording: Recording, progress: Callable[[float], None] | None, settings: Settings
) -> Outcome:
    """Run in real time until `end_s`, or until Ctrl-C.

    Raises ScenarioError for what the kernel can't do, and EngineUnavailableError where the system forbids namespaces.
    """
    check(scenario)
    request = {
        "scenario": scenario.to_mapping(),
        "recording": list(recording),
        "settings": settings.name,
        "parent": os.getpid(),
        "controls": _controls().hex(),
    }
    with _ctrl_c() as stop, _child(request) as child:
        told: SimpleQueue[Any] = SimpleQueue()
        listener = threading.Thread(target=_listen, args=(child, told))
        listener.start()
        try:
            return _outcome(child, told, progress, stop)
        finally:
            child.kill()
            listener.join()


def _controls() -> bytes:
    """The controls that somebody has registered in this process, as a notebook does: no module has them to import."""
    try:
        return bytes(cloudpickle.dumps(registered_since()))
    except Exception as error:  # whatever a function of theirs refers to
        names = ", ".join(registered_since())
        raise ScenarioError(f"{names}: no control for the kernel's own process; {error}") from None


@contextlib.contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, instead of raising KeyboardInterrupt anywhere. Only the main thread is told of it."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _child(asked: dict[str, Any]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", start.__file__]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # in the child until its run can answer a Ctrl-C
    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    assert child.stdin
    child.stdin.write(json.dumps(asked).encode())
    child.stdin.close()
    return child


def _outcome(
    child: subprocess.Popen[bytes],
    told: "SimpleQueue[Any]",
    progress: Callable[[float], None] | None,
    stop: threading.Event,
) -> Outcome:
    """Pass on how far it is, until it has the outcome. Ctrl-C is passed on as well: it then has a part of it."""
    while True:
        if stop.is_set():
            stop.clear()
            child.send_signal(signal.SIGINT)
        try:
            message = told.get(timeout=LONGEST_WAIT_S)
        except Empty:
            continue
        if message == start.BEGINS:
            _make_urgent(child)
            continue
        if isinstance(message, Outcome):
            return message
        if isinstance(message, EngineUnavailableError):
            raise message
        if message is None:
            raise RuntimeError(f"the process of the kernel's run ended with status {child.wait()}")
        if progress:
            progress(message)


def _make_urgent(child: subprocess.Popen[bytes]) -> None:
    """Have a run scheduled before ordinary processes: only root may, and in its own user namespace nobody is root."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(child.pid, os.SCHED_FIFO, os.sched_param(1))


def _listen(child: subprocess.Popen[bytes], told: "SimpleQueue[Any]") -> None:
    """Pass on its messages, and None at their end: in a thread, as reading can't wait for a Ctrl-C as well."""
    assert child.stdout
    try:
        while True:
            told.put(pickle.load(child.stdout))
    except EOFError:
        told.put(None)
