"""The kernel's packets, bytes on a device, as the model's: segments counted from the SYN, which is number 0.

IPv4 without options (RFC 791), TCP (RFC 9293), explicit congestion notification (RFC 3168).
"""

import struct
from typing import Final, NamedTuple

from simcore.rules.tcp.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED

IP_BYTES: Final = 20
HEADERS_BYTES: Final = 40  # IP and TCP, without options
CE: Final = 0b11  # congestion experienced, in the last bits of the type of service: RFC 3168, section 5
SYN, ECE, CWR = 0x02, 0x40, 0x80
WRAP: Final = 1 << 32  # sequence numbers count bytes up to here


class Segment(NamedTuple):
    """What a packet's headers say."""

    seq: int  # byte number, as sent
    ack: int
    flags: int
    header_bytes: int
    payload_bytes: int
    ecn: int  # as `simcore.rules.tcp.ecn_bits`


def parsed(raw: bytes) -> Segment:
    """Read the headers of a packet."""
    seq, ack, offset, flags = struct.unpack_from("!IIBB", raw, IP_BYTES + 4)
    header_bytes = IP_BYTES + (offset >> 4) * 4
    capability = raw[1] & CE
    ecn = (CAPABLE if capability else 0) | (EXPERIENCED if capability == CE else 0)
    ecn |= (ECHO if flags & ECE else 0) | (REDUCED if flags & CWR else 0)
    return Segment(seq, ack, flags, header_bytes, len(raw) - header_bytes, ecn)


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

    def _unwrapped(self, number: int) -> int:
        distance = (number - self.first - self.highest + WRAP // 2) % WRAP - WRAP // 2
        place = self.highest + distance
        self.highest = max(self.highest, place)
        return place
