"""What a process that runs students' code may see and use.

Linux namespaces: users, mounts, processes, network. The file system is a small one in memory; of the machine it has
what Python and the workbook's packages need, to be read only. There is no /proc, no network, and no way to signal a
process outside. When the first process ends, the kernel ends all that it left behind (pid_namespaces(7)).
"""

import ctypes
import os
import resource
import signal
import struct
import sys
from pathlib import Path
from typing import Final

from workbook.paths import REPO

# Linux, include/uapi/linux/sched.h, mount.h, prctl.h, capability.h
NEWNS: Final = 0x00020000
NEWUTS: Final = 0x04000000
NEWIPC: Final = 0x08000000
NEWUSER: Final = 0x10000000
NEWPID: Final = 0x20000000
NEWNET: Final = 0x40000000
MS_BIND: Final = 0x1000
MS_REC: Final = 0x4000
MS_PRIVATE: Final = 0x40000
MNT_DETACH: Final = 2
MOUNT_SETATTR: Final = 442  # the system call's number, the same on all architectures
READ_ONLY: Final = 0x1 | 0x2 | 0x4  # MOUNT_ATTR_RDONLY, _NOSUID, _NODEV
AT_FDCWD: Final = -100
AT_RECURSIVE: Final = 0x8000
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
CAPABILITY_VERSION_3: Final = 0x20080522

NEW_ROOT: Final = Path("/sys")  # where the new file system is put together: every Linux has it, and no sheet needs it
HOME: Final = Path("/home/student")
DEVICES: Final = tuple(map(Path, ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")))
SYSTEM: Final = tuple(map(Path, ("/usr", "/lib", "/lib64", "/bin")))
FIRST_SPARE_UID: Final = 1_000_000  # of users that exist nowhere

PROCESSES: Final = 16
OPEN_FILES: Final = 128
FILE_BYTES: Final = 16 << 20
DISK: Final = "size=48m,nr_inodes=4096,mode=755"
MEMORY_BYTES: Final = 1536 << 20  # beside what the warm process has
CPU_S: Final = 600

libc: Final = ctypes.CDLL(None, use_errno=True)


class IsolationError(Exception):
    """The system has no namespaces for us; the message is one line for a person."""


def visible() -> list[Path]:
    """The folders of this machine that students' code may read: Python, the workbook's packages, the labs' numbers."""
    ours = [REPO.root / "simcore", REPO.root / "workbook", REPO.params / "labs", REPO.sweeps]
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    elsewhere = [path for path in [*python, *ours] if not path.is_relative_to("/usr")]
    return [path for path in dict.fromkeys(elsewhere) if path.is_dir()]


def enter_namespaces() -> None:
    """Put this process's future children into namespaces of their own. Raises IsolationError."""
    is_root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    kinds = NEWPID | NEWNET | NEWIPC | NEWUTS
    _call("namespaces", libc.unshare(kinds if is_root else kinds | NEWUSER))
    if not is_root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def close_off(spare_uid: int) -> None:
    """Leave this machine's file system, and all privileges. To be called by the first process of the namespaces."""
    _call("mounts", libc.unshare(NEWNS))
    _call("mounts", libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    _call("a file system in memory", libc.mount(b"tmpfs", bytes(NEW_ROOT), b"tmpfs", 0, DISK.encode()))
    for place in visible():
        _show(place)
    for place in SYSTEM:
        if place.is_symlink():
            (NEW_ROOT / place.relative_to("/")).symlink_to(place.readlink())
        elif place.is_dir():
            _show(place)
    for device in DEVICES:
        _show(device, read_only=False)
    home = NEW_ROOT / HOME.relative_to("/")
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o777)
    (NEW_ROOT / "tmp").mkdir(exist_ok=True)  # it is there if the workbook lies in it
    (NEW_ROOT / "tmp").chmod(0o1777)
    os.chdir(NEW_ROOT)
    _call("a root of its own", libc.pivot_root(b".", b"."))
    _call("a root of its own", libc.umount2(b".", MNT_DETACH))
    os.chdir(HOME)
    _drop_privileges(spare_uid)


def _show(place: Path, *, read_only: bool = True) -> None:
    target = NEW_ROOT / place.relative_to("/")
    if place.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    _call(str(place), libc.mount(bytes(place), bytes(target), None, MS_BIND | MS_REC, None))
    if read_only:
        attributes = struct.pack("4Q", READ_ONLY, 0, 0, 0)
        done = libc.syscall(MOUNT_SETATTR, AT_FDCWD, bytes(target), AT_RECURSIVE, attributes, len(attributes))
        _call(f"{place}, read only", done)


def _drop_privileges(spare_uid: int) -> None:
    """Root becomes a user who owns nothing; nobody keeps a capability, or gets one."""
    if os.geteuid() == 0:  # root, whom no limit on processes binds
        os.setgroups([])
        os.setresgid(spare_uid, spare_uid, spare_uid)
        os.setresuid(spare_uid, spare_uid, spare_uid)
    nothing = struct.pack("6I", 0, 0, 0, 0, 0, 0)
    _call("capabilities", libc.capset(struct.pack("Ii", CAPABILITY_VERSION_3, 0), nothing))
    _call("privileges", libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def adopt_orphans() -> None:
    """Make this process the parent of whatever its children leave behind."""
    _call("orphans", libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def end_children() -> None:
    """Kill all children, and those that they leave behind."""
    while children := [int(each.name) for each in Path("/proc").iterdir() if _is_child(each)]:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)


def _is_child(process: Path) -> bool:
    if not process.name.isdigit():
        return False
    try:
        about = (process / "stat").read_text("utf-8", errors="replace")
    except OSError:  # it has just ended
        return False
    return int(about.rpartition(")")[2].split()[1]) == os.getpid()


def limit() -> None:
    """Bound what this process and its children may use, for good."""
    in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, in_use + MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, PROCESSES),
    ):
        resource.setrlimit(kind, (most, most))


def _call(what: str, done: int) -> None:
    if done != 0:
        raise IsolationError(f"{what}: {os.strerror(ctypes.get_errno()).lower()}")
