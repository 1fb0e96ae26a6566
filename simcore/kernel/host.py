"""A host: a network namespace that holds a device, an address, a route to its peer, and sockets.

It has no name and no file: it ends with the last descriptor in it, so with the process, however that ends. Nothing
leads out of it, and what is set in it is set in no other.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from pyroute2 import IPRoute

from simcore.kernel.device import NAME, new_device, reason
from simcore.results.log import EngineUnavailableError

MOST_WAITING: Final = 100_000  # packets on a device: more than any window
LARGEST_READ: Final = 1 << 17  # bytes

ADDRESSES: Final = {"sender": "10.0.0.1", "receiver": "10.0.0.2"}
PORT: Final = 50_000
Side = Literal["sender", "receiver"]
PEER: Final[dict[Side, Side]] = {"sender": "receiver", "receiver": "sender"}


def check_namespace(errno: int) -> None:
    """Raise EngineUnavailableError if a namespace could not be entered."""
    if errno:
        raise unavailable(
            "network namespaces",
            errno,
            "by sysctl user.max_user_namespaces above 0 (and kernel.unprivileged_userns_clone=1 or "
            "kernel.apparmor_restrict_unprivileged_userns=0 where they exist), or by running as root",
        )


def unavailable(what: str, errno: int | None, allowed: str) -> EngineUnavailableError:
    """What the system did not let us have, and what would allow it."""
    return EngineUnavailableError(f"engine: kernel: {what}: {reason(errno)}; allowed {allowed}")


class Host:
    """The namespace that this process is in now, made into one end of a flow."""

    def __init__(self, side: Side, mtu: int, sysctls: Mapping[str, int | str], route: Mapping[str, int]) -> None:
        self.side = side
        for name, value in sysctls.items():
            self._set(f"ipv4/{name}", value)
        self._set("ipv6/conf/all/disable_ipv6", 1)  # before there is a device: it would ask for neighbours
        self.descriptor, self.header = new_device()
        with IPRoute() as ip:
            link = ip.link_lookup(ifname=NAME)[0]
            ip.link("set", index=link, mtu=mtu, gso_max_segs=1, txqlen=MOST_WAITING, state="up")
            ip.addr("add", index=link, address=ADDRESSES[side], prefixlen=32)
            ip.route("add", dst=f"{ADDRESSES[PEER[side]]}/32", oif=link, metrics=dict(route))

    def write(self, raw: bytes) -> None:
        """Let a packet arrive. The kernel's TCP has dealt with it when this returns."""
        os.write(self.descriptor, self.header + raw)

    def read(self) -> Iterator[bytes]:
        """The packets that the kernel has sent."""
        while True:
            try:
                yield os.read(self.descriptor, LARGEST_READ)[len(self.header) :]
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
