"""A host: a network namespace that holds a TUN device, an address, a route to its peer, and sockets.

It has no name and no file: it ends with the last descriptor in it, so with the process, however that ends. Nothing
leads out of it, and what is set in it is set in no other.
"""

import ctypes
import os
import socket
import struct
from collections.abc import Iterator, Mapping
from fcntl import ioctl
from pathlib import Path
from typing import Final, Literal

from pyroute2 import IPRoute

from simcore.results.log import EngineUnavailableError

CLONE_NEWUSER: Final = 0x10000000  # Linux, include/uapi/linux/sched.h
CLONE_NEWNET: Final = 0x40000000
TUNSETIFF: Final = 0x400454CA  # Linux, include/uapi/linux/if_tun.h
IFF_TUN: Final = 0x0001
IFF_NO_PI: Final = 0x1000
TUN: Final = Path("/dev/net/tun")
MOST_WAITING: Final = 100_000  # packets on a TUN device: more than any window
LARGEST_READ: Final = 65_536  # bytes

ADDRESSES: Final = {"sender": "10.0.0.1", "receiver": "10.0.0.2"}
PORT: Final = 50_000
Side = Literal["sender", "receiver"]
PEER: Final[dict[Side, Side]] = {"sender": "receiver", "receiver": "sender"}


def enter_new_namespace(*, first: bool) -> None:
    """Put this process into a network namespace of its own; the first also into a user namespace, which needs no root.

    Raises EngineUnavailableError.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET | (CLONE_NEWUSER if first else 0)) == 0:
        return
    if first and libc.unshare(CLONE_NEWNET) == 0:  # root, where user namespaces are forbidden
        return
    raise unavailable(
        "network namespaces",
        ctypes.get_errno(),
        "by sysctl user.max_user_namespaces above 0 (and kernel.unprivileged_userns_clone=1 or "
        "kernel.apparmor_restrict_unprivileged_userns=0 where they exist), or by running as root",
    )


def unavailable(what: str, errno: int | None, allowed: str) -> EngineUnavailableError:
    """What the system did not let us have, and what would allow it."""
    return EngineUnavailableError(f"engine: kernel: {what}: {os.strerror(errno or 0).lower()}; allowed {allowed}")


class Host:
    """The namespace that this process is in now, made into one end of a flow."""

    def __init__(self, side: Side, mtu: int, sysctls: Mapping[str, int | str], route: Mapping[str, int]) -> None:
        self.side = side
        self.tun = self._device()
        for name, value in sysctls.items():
            self._set(f"ipv4/{name}", value)
        self._set("ipv6/conf/all/disable_ipv6", 1)
        with IPRoute() as ip:
            link = ip.link_lookup(ifname="tun")[0]
            ip.link("set", index=link, mtu=mtu, gso_max_segs=1, txqlen=MOST_WAITING, state="up")
            ip.addr("add", index=link, address=ADDRESSES[side], prefixlen=32)
            ip.route("add", dst=f"{ADDRESSES[PEER[side]]}/32", oif=link, metrics=dict(route))

    def write(self, raw: bytes) -> None:
        """Let a packet arrive. The kernel's TCP has dealt with it when this returns."""
        os.write(self.tun, raw)

    def read(self) -> Iterator[bytes]:
        """The packets that the kernel has sent."""
        while True:
            try:
                yield os.read(self.tun, LARGEST_READ)
            except BlockingIOError:
                return

    def new_socket(self, congestion: str, port: int = PORT) -> socket.socket:
        """A TCP socket of this host, which never blocks. To be made while the process is in the namespace."""
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion.encode())
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind((ADDRESSES[self.side], port))
        return made

    def connect(self, connection: socket.socket) -> None:
        """Send a SYN to the other host."""
        connection.connect_ex((ADDRESSES[PEER[self.side]], PORT))

    @staticmethod
    def _device() -> int:
        try:
            device = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            raise unavailable(str(TUN), error.errno, f"by `modprobe tun` and `chmod 0666 {TUN}`") from None
        ioctl(device, TUNSETIFF, struct.pack("16sH14x", b"tun", IFF_TUN | IFF_NO_PI))
        return device

    @staticmethod
    def _set(name: str, value: int | str) -> None:
        path = Path("/proc/sys/net") / name
        if not path.exists():  # a setting of a later kernel, or IPv6 where there is none
            return
        try:
            path.write_text(str(value))
        except OSError as error:
            raise unavailable(str(path), error.errno, "where /proc/sys is mounted writable") from None


def carry_at_once(one: Host, other: Host) -> None:
    """Carry all packets between two hosts, without a network, until none is left."""
    while any([_carried(one, other), _carried(other, one)]):
        pass


def _carried(giver: Host, taker: Host) -> int:
    packets = list(giver.read())
    for raw in packets:
        taker.write(raw)
    return len(packets)
