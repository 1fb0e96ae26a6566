"""The frames of a capture, pcap or pcapng, one after the other: a file of any size passes through a small buffer.

dpkt takes headers and blocks apart. Its own readers are not used, because they drop what is needed here: the length
of a frame that was cut short, the interface that saw it, and its comment.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple, cast, get_args

import dpkt
from dpkt import pcap, pcapng

from workbook.reading.events import UnreadableError
from workbook.reading.ns2_trace import OPENERS

Order = Literal["little", "big"]

LONGEST_BYTES: Final = 1 << 26  # of a frame or block: what is longer is damage
LATEST_NS: Final = 1 << 62  # in the year 2116: what is later is damage
IF_TSRESOL_BASE_2: Final = 0x80  # pcapng, section 4.2, if_tsresol: powers of 2 instead of 10
PCAP_MAGICS: Final = {
    magic.to_bytes(4, order): (order, ns)
    for magic, ns in ((pcap.TCPDUMP_MAGIC, 1000), (pcap.TCPDUMP_MAGIC_NANO, 1))
    for order in get_args(Order)
}
PCAPNG_MAGIC: Final = pcapng.PCAPNG_BT_SHB.to_bytes(4, "big")
PACKETS: Final = {
    pcapng.PCAPNG_BT_EPB: (pcapng.EnhancedPacketBlock, pcapng.EnhancedPacketBlockLE),
    pcapng.PCAPNG_BT_PB: (pcapng.PacketBlock, pcapng.PacketBlockLE),
}
DAMAGE: Final = (dpkt.UnpackError, struct.error, ValueError, IndexError)


class Interface(NamedTuple):
    """Where frames were captured: a name (empty if the file has none), link type, and what a tick of its clock is."""

    name: str = ""
    link_type: int = 1
    ticks_a_s: int = 10**6
    begins_s: int = 0


class Frame(NamedTuple):
    """A frame: its time in ns since 1970, the place of its interface, what was kept of its bytes, and its length."""

    ns: int
    interface: int
    link_type: int
    kept: bytes
    length: int
    comment: str


def is_capture(path: Path) -> bool:
    """Does a file begin as captures do? Compressed ones are opened. Raises OSError and what decompressing raises."""
    with OPENERS.get(path.suffix, open)(path, "rb") as file:
        begin = file.read(4)
    return begin in PCAP_MAGICS or begin == PCAPNG_MAGIC


class Capture:
    """A capture as an iterable of frames; `interfaces` are those that were met so far.

    Iterating raises UnreadableError at what is damaged, with its place in the file, and OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.interfaces: list[Interface] = []

    def __iter__(self) -> Iterator[Frame]:
        self.interfaces = []
        with OPENERS.get(self.path.suffix, open)(self.path, "rb") as file:
            begin = file.read(4)
            yield from self._pcapng(file, begin) if begin == PCAPNG_MAGIC else self._pcap(file, begin)

    def _pcap(self, file: IO[bytes], magic: bytes) -> Iterator[Frame]:
        order, ns_a_tick = PCAP_MAGICS[magic]
        file_header, header = (
            (pcap.LEFileHdr, pcap.LEPktHdr) if order == "little" else (pcap.FileHdr, pcap.PktHdr)
        )  # fmt: skip
        link_type = file_header(magic + _exactly(file, 20, "its header")).linktype & 0xFFFF  # above: the FCS's length
        self.interfaces.append(Interface(link_type=link_type))
        number = 1
        while first := file.read(16):
            what = f"packet {number}"
            record = header(first + _exactly(file, 16 - len(first), what))
            if record.len > LONGEST_BYTES:
                raise UnreadableError(f"{what}: damaged: a length of {record.len} bytes")
            kept = _exactly(file, record.caplen, what)
            yield Frame(record.tv_sec * 10**9 + record.tv_usec * ns_a_tick, 0, link_type, kept, record.len, "")
            number += 1

    def _pcapng(self, file: IO[bytes], magic: bytes) -> Iterator[Frame]:
        order: Order = "little"
        number, first = 1, magic
        section = 0  # interfaces are numbered anew in each section
        while first:
            what = f"block {number}"
            head = first + _exactly(file, 12 - len(first), what)
            if head[:4] == PCAPNG_MAGIC:
                order, section = _byte_order(head[8:12], what), len(self.interfaces)
            kind, length = (int.from_bytes(head[place : place + 4], order) for place in (0, 4))
            if length < 12 or length % 4:
                raise UnreadableError(f"{what}: damaged: a length of {length} bytes")
            block = head + _exactly(file, length - 12, what)
            try:
                yield from self._of_block(kind, block, order == "little", section)
            except DAMAGE as error:
                raise UnreadableError(f"{what}: damaged: {error or type(error).__name__}") from None
            first, number = file.read(12), number + 1

    def _of_block(self, kind: int, block: bytes, little: bool, section: int) -> Iterator[Frame]:
        """The frame in a block, if there is one. Simple packet blocks have no time, and are passed over as others."""
        if kind == pcapng.PCAPNG_BT_IDB:
            described = (pcapng.InterfaceDescriptionBlockLE if little else pcapng.InterfaceDescriptionBlock)(block)
            self.interfaces.append(_interface(described, "little" if little else "big"))
        if kind not in PACKETS:
            return
        packet: Any = PACKETS[kind][little](block)
        place = section + packet.iface_id
        if place >= len(self.interfaces) or len(packet.pkt_data) < packet.caplen or packet.pkt_len > LONGEST_BYTES:
            raise ValueError(f"interface {packet.iface_id}, {packet.caplen} of {packet.pkt_len} bytes")
        known = self.interfaces[place]
        ticks = packet.ts_high << 32 | packet.ts_low
        ns = known.begins_s * 10**9 + ticks * 10**9 // known.ticks_a_s
        if abs(ns) > LATEST_NS:
            raise ValueError(f"a time of {ns // 10**9} s")
        comment = " ".join(option.text for option in packet.opts if option.code == pcapng.PCAPNG_OPT_COMMENT)
        yield Frame(ns, place, known.link_type, packet.pkt_data, packet.pkt_len, comment)


def _exactly(file: IO[bytes], count: int, what: str) -> bytes:
    if count > LONGEST_BYTES:
        raise UnreadableError(f"{what}: damaged: a length of {count} bytes")
    content = file.read(count)
    if len(content) < count:
        raise UnreadableError(f"{what}: the file ends within it")
    return content


def _byte_order(magic: bytes, what: str) -> Order:
    for order in get_args(Order):
        if magic == pcapng.BYTE_ORDER_MAGIC.to_bytes(4, order):
            return cast(Order, order)
    raise UnreadableError(f"{what}: damaged: no byte order")


def _interface(block: Any, order: Order) -> Interface:
    options = {option.code: option.data for option in block.opts}
    resolution = options.get(pcapng.PCAPNG_OPT_IF_TSRESOL, b"\x06")[0]
    base = 2 if resolution & IF_TSRESOL_BASE_2 else 10
    begins_s = int.from_bytes(options.get(pcapng.PCAPNG_OPT_IF_TSOFFSET, b""), order, signed=True)
    name = options.get(pcapng.PCAPNG_OPT_IF_NAME, b"").decode("utf-8", "replace").rstrip("\0")
    return Interface(name, block.linktype, base ** (resolution & ~IF_TSRESOL_BASE_2), begins_s)
