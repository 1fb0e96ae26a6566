"""An extension of the kernel that grades: a cell that never ends is stopped, and the others keep their kernel.

nbgrader itself interrupts such a cell once and goes on. A cell that catches everything (`except: pass` in a loop)
survives that, and with it the kernel is lost for all cells behind. This alarm rings until the cell has ended.
"""

import signal
from types import FrameType
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

LIMIT_S: Final = 20.0  # the sheets' own cells take a few seconds at the most
AGAIN_S: Final = 0.001  # now and then it rings where nothing catches it


class CellTimeout(BaseException):
    """Raised in a cell that has run too long. Not an Exception, which students catch."""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What IPython calls to load it."""

    def ring(number: int, frame: FrameType | None) -> None:
        if _is_in_cell(frame, shell):
            raise CellTimeout(f"this cell was stopped: it ran for more than {LIMIT_S:g} s")

    signal.signal(signal.SIGALRM, ring)
    shell.events.register("pre_run_cell", lambda info: signal.setitimer(signal.ITIMER_REAL, LIMIT_S, AGAIN_S))
    shell.events.register("post_run_cell", lambda result: signal.setitimer(signal.ITIMER_REAL, 0))
    for name in ("exit", "quit"):  # they would end the kernel
        shell.user_ns.pop(name, None)


def _is_in_cell(frame: FrameType | None, shell: InteractiveShell) -> bool:
    """Is the code of a cell being run, and not IPython's own that tells of its error?"""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals is shell.user_ns:
            return True
        frame = frame.f_back
    return False
