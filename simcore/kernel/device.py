"""The wire of a host: what the kernel's TCP sends is read from it, and what is written to it arrives there.

A TUN device where one can be opened. Elsewhere a pair of virtual Ethernet devices (veth): TCP has one end, a packet
socket (AF_PACKET) the other. Both hand packets over within the call.
"""

import array
import os
import socket
import struct
from fcntl import ioctl
from pathlib import Path
from typing import Final, NamedTuple

from pyroute2 import IPRoute
from pyroute2.netlink.exceptions import NetlinkError

from simcore.results.log import EngineUnavailableError

NAME: Final = "wire"  # of the device that TCP has
FAR: Final = "far"  # of the other end of a pair
TUN: Final = Path("/dev/net/tun")
TUNSETIFF: Final = 0x400454CA  # Linux, include/uapi/linux/if_tun.h
IFF_TUN: Final = 0x0001
IFF_NO_PI: Final = 0x1000

ETH_P_IP: Final = 0x0800
MAC: Final = bytes.fromhex("020000000001")  # one that is administered locally
# Without ARP the kernel sends to the device's own address, as it knows no other (Linux, net/ipv4/arp.c,
# arp_constructor()): so both directions have the same header, and the far end's host, which has another address,
# ignores what comes.
ETHERNET: Final = MAC + MAC + ETH_P_IP.to_bytes(2, "big")
LARGEST_MTU: Final = 65_535  # bytes
MOST_WAITING_BYTES: Final = 1 << 30  # in the packet socket: as many as the system allows

SIOCETHTOOL: Final = 0x8946  # Linux, include/uapi/linux/sockios.h
SET_CHECKSUMS: Final = 0x17  # ETHTOOL_STXCSUM: Linux, include/uapi/linux/ethtool.h


class Device(NamedTuple):
    """A descriptor to read and write packets, and what comes before each of them there."""

    descriptor: int
    header: bytes


def new_device() -> Device:
    """Make a device called NAME, still down, in the network namespace that this process is in.

    Raises EngineUnavailableError where neither kind is to be had.
    """
    try:
        return _tun()
    except OSError as error:
        no_tun = error
    try:
        return _pair()
    except (NetlinkError, OSError) as error:
        code = error.code if isinstance(error, NetlinkError) else error.errno
        raise EngineUnavailableError(
            f"engine: kernel: {TUN}: {reason(no_tun.errno)}, and veth: {reason(code)}; "
            f"allowed by `modprobe tun` and `chmod 0666 {TUN}`, or by `modprobe veth af_packet`"
        ) from None


def reason(errno: int | None) -> str:
    """What the system says when it does not let us have something."""
    return os.strerror(errno or 0).lower()


def _tun() -> Device:
    descriptor = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    ioctl(descriptor, TUNSETIFF, struct.pack("16sH14x", NAME.encode(), IFF_TUN | IFF_NO_PI))
    return Device(descriptor, b"")


def _pair() -> Device:
    with IPRoute() as ip:
        ip.link("add", ifname=NAME, kind="veth", address=MAC.hex(":"), peer={"ifname": FAR})
        ip.link("set", index=ip.link_lookup(ifname=NAME)[0], arp=False)
        ip.link("set", index=ip.link_lookup(ifname=FAR)[0], arp=False, mtu=LARGEST_MTU, state="up")
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK)
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MOST_WAITING_BYTES)
    _complete_checksums(packets)
    packets.bind((FAR, ETH_P_IP))
    return Device(packets.detach(), ETHERNET)


def _complete_checksums(any_socket: socket.socket) -> None:
    """Let TCP write its checksums itself: no device will, and the other host looks at them."""
    value = array.array("I", (SET_CHECKSUMS, 0))
    ioctl(any_socket, SIOCETHTOOL, struct.pack("16sP16x", NAME.encode(), value.buffer_info()[0]))
