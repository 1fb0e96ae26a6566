"""The kernel's packets, bytes on a device, as the model's: segments counted from the SYN, which is number 0.

IPv4 without options (RFC 791), TCP (RFC 9293), explicit congestion notification (RFC 3168), SACK blocks (RFC 2018).
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from simcore.rules.headers.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED

IP_BYTES: Final = 20
HEADERS_BYTES: Final = 40  # IP and TCP, without options
CE: Final = 0b11  # congestion experienced, in the last bits of the type of service: RFC 3168, section 5
SYN, ECE, CWR = 0x02, 0x40, 0x80
LEAST_HEADER_BYTES: Final = 20  # of TCP
# Kinds of options: RFC 9293, section 3.1; RFC 7323, section 2; RFC 2018, section 3
END_OF_OPTIONS, NO_OPERATION, WINDOW_SCALE, SACK = 0, 1, 3, 5
WRAP: Final = 1 << 32  # sequence numbers count bytes up to here


class Segment(NamedTuple):
    """What a packet's headers say."""

    seq: int  # byte number, as sent
    ack: int
    flags: int
    window: int  # as the header has it: not scaled
    header_bytes: int
    payload_bytes: int
    ecn: int  # as `simcore.rules.headers.ecn_bits`


def parsed(raw: bytes) -> Segment:
    """Read the headers of a packet."""
    seq, ack, offset, flags, window = struct.unpack_from("!IIBBH", raw, IP_BYTES + 4)
    header_bytes = IP_BYTES + (offset >> 4) * 4
    capability = raw[1] & CE
    ecn = (CAPABLE if capability else 0) | (EXPERIENCED if capability == CE else 0)
    ecn |= (ECHO if flags & ECE else 0) | (REDUCED if flags & CWR else 0)
    return Segment(seq, ack, flags, window, header_bytes, len(raw) - header_bytes, ecn)


def options(raw: bytes, header_bytes: int) -> Iterator[tuple[int, bytes]]:
    """The options of a packet: what kind each is of, and its bytes without kind and length."""
    place = IP_BYTES + LEAST_HEADER_BYTES
    while place < header_bytes and raw[place] != END_OF_OPTIONS:
        if raw[place] == NO_OPERATION:
            place += 1
        else:
            yield raw[place], raw[place + 2 : place + raw[place + 1]]
            place += raw[place + 1]


def marked(raw: bytes) -> bytes:
    """The packet with the mark that a queue has given it, and the IP header's checksum (RFC 1071) made anew."""
    header = bytearray(raw[:IP_BYTES])
    header[1] |= CE
    header[10:12] = b"\0\0"
    total = sum(struct.unpack("!10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    struct.pack_into("!H", header, 10, ~total & 0xFFFF)
    return bytes(header) + raw[IP_BYTES:]


class Numbering:
    """Byte numbers of one connection as numbers of segments of `payload_bytes` each."""

    def __init__(self, payload_bytes: int) -> None:
        self.payload_bytes = payload_bytes
        self.scale = 0  # of the receiver's window
        self.first = 0  # the SYN's byte number
        self.highest = 0  # byte number, counted from the SYN without wrapping around

    def segment(self, segment: Segment) -> int:
        """The number of a segment from the sender; one without payload has the number of the one before it."""
        if segment.flags & SYN:
            self.first = segment.seq
            return 0
        start = self._unwrapped(segment.seq)
        return (start - 1 - (segment.payload_bytes == 0)) // self.payload_bytes + 1

    def acknowledged(self, ack: int) -> int:
        """The highest segment that an ACK acknowledges."""
        return (self._unwrapped(ack) - 1) // self.payload_bytes

    def window(self, raw: bytes, segment: Segment) -> int:
        """How many whole segments a receiver's packet lets the sender have outstanding."""
        if not segment.flags & SYN:
            return (segment.window << self.scale) // self.payload_bytes
        for kind, said in options(raw, segment.header_bytes):
            if kind == WINDOW_SCALE:
                (self.scale,) = said
        return segment.window // self.payload_bytes

    def blocks(self, raw: bytes, segment: Segment) -> list[tuple[int, int]]:
        """The SACK blocks of an ACK: the first segment of each, and the first behind it."""
        bounds = [
            (self._unwrapped(number) - 1) // self.payload_bytes + 1
            for kind, said in options(raw, segment.header_bytes)
            if kind == SACK
            for (number,) in struct.iter_unpack("!I", said)
        ]
        return list(zip(bounds[::2], bounds[1::2], strict=True))

    def _unwrapped(self, number: int) -> int:
        distance = (number - self.first - self.highest + WRAP // 2) % WRAP - WRAP // 2
        place = self.highest + distance
        self.highest = max(self.highest, place)
        return place
