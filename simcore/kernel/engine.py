"""Runs a scenario on the kernel, in a process of its own."""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

import cloudpickle

from simcore.kernel import start
from simcore.kernel.refusals import check
from simcore.kernel.settings import Settings
from simcore.results.log import EngineUnavailableError, Outcome, Recording
from simcore.rules.congestion.registry import registered_since
from simcore.scenario.loading import ScenarioError
from simcore.scenario.scenario import Scenario


def run(
    scenario: Scenario, recording: Recording, progress: Callable[[float], None] | None, settings: Settings
) -> Outcome:
    """Run in real time until `end_s`, or until Ctrl-C.

    Raises ScenarioError for what the kernel can't do, and EngineUnavailableError where the system forbids namespaces.
    """
    check(scenario)
    asked = {
        "scenario": scenario.to_mapping(),
        "recording": list(recording),
        "settings": settings.name,
        "parent": os.getpid(),
        "controls": _controls().hex(),
    }
    with _child(asked) as child:
        told: SimpleQueue[Any] = SimpleQueue()
        listener = Thread(target=_listen, args=(child, told))
        listener.start()
        try:
            return _outcome(child, told, progress)
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


def _child(asked: dict[str, Any]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", start.__file__]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert child.stdin
    child.stdin.write(json.dumps(asked).encode())
    child.stdin.close()
    return child


def _outcome(
    child: subprocess.Popen[bytes], told: "SimpleQueue[Any]", progress: Callable[[float], None] | None
) -> Outcome:
    """Pass on how far it is, until it has the outcome. Ctrl-C is passed on as well: it then has a part of it."""
    while True:
        try:
            message = told.get()
        except KeyboardInterrupt:
            child.send_signal(signal.SIGINT)
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
    """Pass on its messages, and None at their end: in a thread, as Ctrl-C must not tear a message apart."""
    assert child.stdout
    try:
        while True:
            told.put(pickle.load(child.stdout))
    except EOFError:
        told.put(None)
