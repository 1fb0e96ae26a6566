"""A kernel that is forked from a process in which everything is imported already, and waits until it is needed."""

import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from workbook.build.parent import die_with_parent

Order = tuple[list[str], dict[str, str], Path]  # command line, environment, working directory


class WaitingKernel:
    """A process that becomes a kernel when it is told to; for LocalProvisioner it is what a Popen is.

    Make it while this process has one thread: a fork copies other threads' locks, held or not.
    """

    stdin = stdout = stderr = None

    def __init__(self, inherited: Connection) -> None:
        """`inherited` is a connection of this process, of which the kernel must not hold a copy."""
        context = get_context("fork")
        theirs, self._ours = context.Pipe(duplex=False)
        self._process = context.Process(target=_wait, args=(theirs, [inherited, self._ours]))
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """Its process, and its group of processes."""
        assert self._process.pid is not None
        return self._process.pid

    def begin(self, order: Order) -> None:
        """Let it be a kernel."""
        self._ours.send(order)

    def poll(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._process.exitcode

    def wait(self) -> int | None:
        """The same, when it has ended."""
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal to it alone."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def dismiss(self) -> None:
        """End it, whether it was needed or not."""
        self._process.kill()
        self._process.join()


def _wait(orders: Connection, inherited: list[Connection]) -> None:
    """What runs in the process. Without the other ends of its pipes, it sees its parent's end."""
    die_with_parent()
    os.setsid()  # a Ctrl-C at the terminal is not for kernels
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # nor is one that was blocked until here
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for connection in inherited:
        connection.close()
    try:
        command, environment, directory = orders.recv()
    except EOFError:
        return
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    from ipykernel.kernelapp import IPKernelApp

    options = command[command.index("-f") :]
    IPKernelApp.launch_instance([*options, f"--IPKernelApp.parent_handle={os.getppid()}"])


class Forked(LocalProvisioner):
    """Provides a kernel by telling one that waits, instead of starting Python."""

    def __init__(self, waiting: WaitingKernel, **options: Any) -> None:
        super().__init__(**options)
        self._waiting = waiting

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Let the kernel begin."""
        self._waiting.begin((cmd, kwargs["env"], Path.cwd()))
        self.process, self.pid, self.pgid = self._waiting, self._waiting.pid, self._waiting.pid  # type: ignore[assignment]
        return self.connection_info
