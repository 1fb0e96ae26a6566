"""Who simulates: processes of this machine, or the workers of a dask cluster. Both are executors."""

import multiprocessing
import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

import click

from workbook.sweep.parameters import SweepError

SECONDS_TO_ANSWER: Final = 10  # for a scheduler


class WorkersLostError(RuntimeError):
    """Nobody is left to simulate; the message is one line for a person. What was finished is in the store."""


@contextmanager
def processes(most: int) -> Iterator[Executor]:
    """One process a core, but at most so many. Raises WorkersLostError if one ends before its time."""
    context = multiprocessing.get_context("spawn")  # forking would copy other threads' locks, held or not
    pool = ProcessPoolExecutor(min(cores(), most), context, initializer=end_with_parent)
    try:
        yield pool
    except BrokenProcessPool:
        raise WorkersLostError("a process ended before its time, perhaps for lack of memory") from None
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()  # else it would simulate its batch to the end
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def check_address(address: str) -> None:
    """Raise SweepError unless it can be a scheduler's; dask would take half a minute to say so."""
    if not re.fullmatch(r"(tcp|tls)://.+:\d+", address):
        raise SweepError(f"--scheduler: {address!r} is not allowed; must be as tcp://host:8786")


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a dask scheduler, of which one or the other may end at any time.

    Raises WorkersLostError if no scheduler answers, if it ends, or if every worker that tries a batch does.
    """
    import distributed

    new_client: Any = distributed.Client  # untyped
    try:
        client = new_client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except OSError as error:
        raise WorkersLostError(f"no scheduler answers at {address}: {error}") from None
    if not client.nthreads():
        click.echo(f"No worker is there yet; to start one: dask worker {address} --nthreads 1", err=True)
    try:
        yield client.get_executor(pure=False)
    except CancelledError:
        raise WorkersLostError(f"the scheduler {address} ended") from None
    except distributed.KilledWorker as error:
        raise WorkersLostError(
            f"a batch ended {error.allowed_failures + 1} workers, perhaps for lack of memory"
        ) from None
    finally:
        client.close()


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Start processes that ignore a Ctrl-C, as this one does meanwhile: the parent answers it for all."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with_parent() -> None:
    """In a process of ours: end when the parent is killed, for which an executor would wait (python/cpython#111873)."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()
