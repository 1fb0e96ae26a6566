"""Builds chapters from their notebooks, side by side, and only those whose inputs changed."""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, Literal

from workbook.build.fingerprint import inputs, is_current
from workbook.build.make import PARAMETERS, make
from workbook.build.notebook import NotebookError, check_parameters
from workbook.build.parent import die_with_parent
from workbook.chapters.chapter import Chapter, ChapterError
from workbook.paths import Places
from workbook.sweep.workers import end_with_parent

FORKS: Final = sys.platform == "linux"  # elsewhere the system's own libraries don't survive a fork
SECONDS_TO_END = 5.0  # for a process to end its kernel when everything is interrupted


@dataclass(frozen=True)
class Event:
    """What happened to a chapter; `text` says it to a person."""

    chapter: str
    kind: Literal["unchanged", "started", "cell", "done", "failed"]
    text: str


@dataclass
class Job:
    """A chapter being made in a process of its own."""

    chapter: Chapter
    process: BaseProcess
    ended: bool = False  # with an event of its own, done or failed


def load_chapters(names: Sequence[str], places: Places) -> list[Chapter]:
    """The named chapters, or all of them, each with a notebook that takes exactly our parameters.

    Raises ChapterError or NotebookError, one line each.
    """
    known = sorted(path.stem for path in places.params.glob("*.yaml"))
    for name in names:
        if name not in known:
            raise ChapterError(f"CHAPTER: {name!r} is not known; allowed: {', '.join(known)}")
    chapters = [Chapter.load(places.params / f"{name}.yaml") for name in dict.fromkeys(names or known)]
    for chapter in chapters:
        check_parameters(places.root / chapter.notebook, PARAMETERS)
    return chapters


def build(chapters: Sequence[Chapter], places: Places, *, force: bool = False) -> Iterator[Event]:
    """Make the chapters, as many at once as there are cores, and tell what happens while it does.

    A chapter is left alone if nothing it depends on changed since it was made, unless `force`. For one that
    fails there is one event `failed`, its old figures stay, and the others are finished.
    """
    waiting: deque[Chapter] = deque()
    for chapter in chapters:
        if not force and is_current(chapter, places, inputs(chapter, places)):
            yield Event(chapter.chapter, "unchanged", "unchanged")
        else:
            waiting.append(chapter)
    yield from _make_all(waiting, places)


def _make_all(waiting: deque[Chapter], places: Places) -> Iterator[Event]:
    running: dict[Connection, Job] = {}
    if waiting and FORKS:
        _start_server()
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                connection, job = _start(waiting.popleft(), places)
                running[connection] = job
                yield Event(job.chapter.chapter, "started", job.chapter.notebook)
            ready = wait(list(running))
            for connection in [one for one in running if one in ready]:
                yield from _heard(connection, running)
    finally:  # after a Ctrl-C, which the terminal sends to all of them, each ends its kernel
        for job in running.values():
            job.process.join(SECONDS_TO_END)
            job.process.terminate()


def _start_server() -> None:
    """Start the server that chapters are forked from. Ctrl-C is blocked in it, and in chapters until they answer."""
    get_context("forkserver").set_forkserver_preload(["workbook.build.prepared"])
    resource_tracker.ensure_running()  # which the server needs, and whose start would let a Ctrl-C through
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _start(chapter: Chapter, places: Places) -> tuple[Connection, Job]:
    # A process of its own per chapter: a kernel that dies can take nothing with it.
    context = get_context("forkserver") if FORKS else get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(chapter, places, theirs))
    process.start()
    theirs.close()  # so that the end of the process is the end of the pipe
    return ours, Job(chapter, process)


def _work(chapter: Chapter, places: Places, connection: Connection) -> None:
    """What runs in the process: make the chapter and send an Event for each step."""

    def tell(kind: Literal["cell", "done", "failed"], text: str) -> None:
        connection.send(Event(chapter.chapter, kind, text))

    from workbook.build.kernel import WaitingKernel  # slow to import, and only needed here

    if FORKS:
        die_with_parent()
    waiting = WaitingKernel(connection) if FORKS else None  # before there is a second thread
    end_with_parent()  # and our kernel with us: else both would go on and write
    try:
        if FORKS:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # see `_start_server`
        tell("done", make(chapter, places, lambda number, count: tell("cell", f"cell {number} of {count}"), waiting))
    except NotebookError as error:
        tell("failed", str(error))
    except KeyboardInterrupt:
        return  # the build says it for all
    except OSError as error:
        tell("failed", f"{chapter.notebook}: its results cannot be written: {error}")
    finally:
        if waiting:
            waiting.dismiss()


def _heard(connection: Connection, running: dict[Connection, Job]) -> Iterator[Event]:
    """The next event from one process, or what its silent end means."""
    job = running[connection]
    try:
        event: Event = connection.recv()
    except EOFError:
        del running[connection]
        job.process.join()
        if not job.ended:
            reason = f"its process ended with status {job.process.exitcode}"
            yield Event(job.chapter.chapter, "failed", f"{job.chapter.notebook}: {reason}")
    else:
        job.ended = event.kind in ("done", "failed")
        yield event
