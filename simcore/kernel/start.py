"""The process of a run begins: it enters namespaces of its own, and goes on as `simcore.kernel.child`.

Run as a file, so that nothing is imported before: a process with threads, which numpy's libraries start, can't enter a
user namespace (unshare(2)).
"""

import ctypes
from typing import Final

CLONE_NEWUSER: Final = 0x10000000  # Linux, include/uapi/linux/sched.h
CLONE_NEWNET: Final = 0x40000000
BEGINS: Final = "begins"  # what the process says when its time begins to run


def errno_of_unshare(flags: int) -> int:
    """Enter new namespaces of these kinds; return 0, or the error's number."""
    libc = ctypes.CDLL(None, use_errno=True)
    return ctypes.get_errno() if libc.unshare(flags) else 0


def errno_of_first_namespaces() -> int:
    """Enter a network namespace, in a user namespace, which needs no root; or as root where these are forbidden."""
    return errno_of_unshare(CLONE_NEWUSER | CLONE_NEWNET) and errno_of_unshare(CLONE_NEWNET)


if __name__ == "__main__":
    errno = errno_of_first_namespaces()
    from simcore.kernel.child import main

    main(errno)
