"""A process that ends with the one that started it, however that ended."""

import ctypes
import signal
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # of <linux/prctl.h>


def die_with_parent() -> None:
    """Be killed at once when the process that started this one has ended: see prctl(2). On Linux alone.

    A fork server notices its parent's end only when it has imported everything, and a kernel when a second is over.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
