"""What the headers of a frame say of a TCP segment or UDP datagram, whatever it was wrapped in."""

import struct
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import dpkt
from dpkt import tcp
from dpkt.ethernet import Ethernet
from dpkt.ip import IP
from dpkt.ip6 import IP6
from dpkt.loopback import Loopback
from dpkt.sll import SLL
from dpkt.sll2 import SLL2
from dpkt.tcp import TCP
from dpkt.udp import UDP

from workbook.reading.frames import Frame

NO_HEADERS: Final = (dpkt.UnpackError, struct.error, IndexError, AttributeError, KeyError)  # what dpkt may raise
LONGEST_HEADERS: Final = 256  # bytes: a frame that was cut short is filled up with zeros, which end TCP's options
VLAN_BYTES: Final = 4


class Link(NamedTuple):
    """How frames of a link type are taken apart, and the bytes before the IP header."""

    unpack: Any  # dpkt has no types
    bytes: int


def _raw(frame: bytes) -> Any:
    return (IP6 if frame[0] >> 4 == 6 else IP)(frame)


LINKS: Final[Mapping[int, Link]] = {  # the numbers of pcap's LINKTYPE_ values
    0: Link(Loopback, 4),
    1: Link(Ethernet, 14),
    12: Link(_raw, 0),
    101: Link(_raw, 0),
    108: Link(Loopback, 4),
    113: Link(SLL, 16),
    228: Link(IP, 0),
    229: Link(IP6, 0),
    276: Link(SLL2, 20),
}


class Segment(NamedTuple):
    """A TCP segment or UDP datagram. `ends` are (address, port) of source and destination; sizes are in bytes.

    `size` counts from the IP header on. What UDP has not is 0. `stamps` is the timestamps option (value, echo), None
    without it; `sacked` are the bytes that its SACK blocks name.
    """

    ends: tuple[tuple[bytes, int], tuple[bytes, int]]
    is_tcp: bool
    size: int
    payload: int
    seq: int
    ack: int
    flags: int
    window: int
    ecn: int
    ip_id: int
    stamps: tuple[int, int] | None
    sacked: int


def segment(frame: Frame) -> Segment | None:
    """What a frame carries; None for what is neither TCP nor UDP, for fragments, and without its whole fixed header."""
    if frame.link_type not in LINKS or not frame.kept:
        return None
    link = LINKS[frame.link_type]
    whole = frame.kept.ljust(min(frame.length, LONGEST_HEADERS), b"\0")
    try:
        outer = link.unpack(whole)
    except NO_HEADERS:
        return None
    before = link.bytes + VLAN_BYTES * len(getattr(outer, "vlan_tags", ()))
    packet = outer if isinstance(outer, IP | IP6) else outer.data
    if not isinstance(packet, IP | IP6) or not isinstance(packet.data, TCP | UDP):
        return None
    header = _header_bytes(packet)
    if before + header + packet.data.__hdr_len__ > len(frame.kept):
        return None
    carried = _segment(packet, header, _size(packet, frame.length - before))
    return carried if carried.payload >= 0 else None


def _header_bytes(packet: Any) -> int:
    """Of IP, with its options or extension headers."""
    if isinstance(packet, IP):
        return int(packet.hl) * 4
    return int(packet.__hdr_len__) + sum(int(each.length) for each in packet.all_extension_headers)


def _size(packet: Any, on_the_wire: int) -> int:
    """From the IP header on. A segment that the card is to cut (TSO) may say 0: then the frame's length tells."""
    length = packet.len if isinstance(packet, IP) else packet.plen + packet.__hdr_len__ * bool(packet.plen)
    return int(length) or on_the_wire


def _segment(packet: Any, header: int, size: int) -> Segment:
    is_four = isinstance(packet, IP)
    inner = packet.data
    ends = ((packet.src, inner.sport), (packet.dst, inner.dport))
    ecn, ip_id = (packet.tos if is_four else packet.fc) & 3, packet.id if is_four else 0
    if isinstance(inner, UDP):
        return Segment(ends, False, size, size - header - 8, 0, 0, 0, 0, ecn, ip_id, None, 0)
    stamps, sacked = _options(inner.opts)
    payload = size - header - inner.off * 4
    return Segment(ends, True, size, payload, inner.seq, inner.ack, inner.flags, inner.win, ecn, ip_id, stamps, sacked)


def _options(options: bytes) -> tuple[tuple[int, int] | None, int]:
    """The timestamps option (RFC 7323, section 3.2), and the bytes in SACK blocks (RFC 2018, section 3)."""
    stamps, sacked = None, 0
    for option in tcp.parse_opts(options) if options else ():
        if option is None or option[0] == tcp.TCP_OPT_EOL:
            break
        kind, value = option
        if kind == tcp.TCP_OPT_TIMESTAMP and len(value) == 8:
            stamps = struct.unpack(">II", value)
        elif kind == tcp.TCP_OPT_SACK and len(value) % 8 == 0:
            edges = struct.unpack(f">{len(value) // 4}I", value)
            sacked = sum((right - left) % 2**32 for left, right in zip(edges[::2], edges[1::2], strict=True))
    return stamps, sacked
