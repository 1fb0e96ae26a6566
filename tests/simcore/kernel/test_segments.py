"""The kernel's bytes as the model's segments: numbers, marks, and what changed a window."""

import struct

import pytest

from simcore.kernel.segments import SYN, Numbering, Segment, marked, parsed
from simcore.kernel.windows import LOSS, OPEN, RECOVERY, REDUCED, Observation, cause_of
from simcore.rules.headers.ecn_bits import CAPABLE, ECHO, EXPERIENCED
from simcore.rules.tcp import sender as tcp

PAYLOAD = 1000
ACK = 0x10


def packet(seq: int = 0, ack: int = 0, flags: int = ACK, tos: int = 0) -> bytes:
    """A packet of the kernel, its IP checksum not yet made."""
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, tos, 40 + PAYLOAD, 7, 0, 64, 6, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
    return ip + struct.pack("!HHIIBBHHH", 1, 2, seq, ack, 5 << 4, flags, 100, 0, 0) + bytes(PAYLOAD)


def with_options(options: bytes, flags: int = ACK) -> bytes:
    """An ACK of the kernel with options of TCP: a multiple of four bytes."""
    raw = packet(flags=flags)[:40]
    return raw[:32] + bytes([(5 + len(options) // 4) << 4]) + raw[33:] + options


def data(seq: int, payload_bytes: int = PAYLOAD) -> Segment:
    return Segment(seq % (1 << 32), 0, ACK, 0, 40, payload_bytes, 0)


@pytest.mark.parametrize("first", [5, (1 << 32) - 2500])  # the second wraps around within the third segment
def test_bytes_are_counted_as_segments_from_the_syn(first: int) -> None:
    numbering = Numbering(PAYLOAD)
    assert numbering.segment(data(first)._replace(flags=SYN)) == 0
    assert [numbering.segment(data(first + 1 + k * PAYLOAD)) for k in (0, 1, 2, 3, 1)] == [1, 2, 3, 4, 2]
    assert numbering.acknowledged((first + 1) % (1 << 32)) == 0
    assert numbering.acknowledged((first + 1 + 3 * PAYLOAD) % (1 << 32)) == 3


def test_a_segment_without_payload_has_the_number_of_the_one_before() -> None:
    numbering = Numbering(PAYLOAD)
    numbering.segment(data(0)._replace(flags=SYN))
    assert numbering.segment(data(1, payload_bytes=0)) == 0
    assert numbering.segment(data(1 + 2 * PAYLOAD, payload_bytes=0)) == 2


def test_an_ack_tells_of_a_window_and_of_sack_blocks_in_segments() -> None:
    """RFC 7323, section 2: the SYN's own window is not scaled, later ones are. RFC 2018, section 3: kind 5."""
    numbering = Numbering(PAYLOAD)
    numbering.segment(data(0)._replace(flags=SYN))
    answer = with_options(b"\2\4\5\xb4\1\3\3\4", flags=SYN | ACK)
    assert numbering.window(answer, parsed(answer)._replace(window=5000)) == 5
    bounds = struct.pack("!4I", 1 + 2 * PAYLOAD, 1 + 4 * PAYLOAD, 1 + 7 * PAYLOAD, 1 + 8 * PAYLOAD)
    ack = with_options(b"\1\1\5\x12" + bounds)
    assert numbering.blocks(ack, parsed(ack)) == [(3, 5), (8, 9)]
    assert numbering.window(ack, parsed(ack)._replace(window=5000)) == 16 * 5
    assert numbering.blocks(packet(), parsed(packet())) == []


def test_a_mark_is_written_into_the_header_with_a_new_checksum() -> None:
    raw = packet(tos=0b10)
    assert parsed(raw).ecn == CAPABLE
    with_mark = marked(raw)
    assert parsed(with_mark).ecn == CAPABLE | EXPERIENCED
    total = sum(struct.unpack("!10H", with_mark[:20]))
    assert (total & 0xFFFF) + (total >> 16) == 0xFFFF  # RFC 1071: a header with its checksum sums up to ones
    assert with_mark[20:] == raw[20:]


def test_an_echoed_mark_is_read_from_the_flags() -> None:
    assert parsed(packet(flags=ACK | 0x40)).ecn == ECHO
    assert parsed(packet()).ecn == 0


def seen(cwnd: int, state: int = OPEN, ssthresh: int = 10, backoff: int = 0, established: bool = True) -> Observation:
    return Observation(established, state, backoff, 0.3, 0.05, ssthresh, cwnd, 0)


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        (None, seen(10, established=False), tcp.STARTED),
        (seen(10, established=False), seen(2), tcp.OPENED),
        (seen(9), seen(10), tcp.SLOW_START),
        (seen(10), seen(11), tcp.CONGESTION_AVOIDANCE),
        (seen(10), seen(10), tcp.UNCHANGED),
        (seen(12), seen(11, RECOVERY, ssthresh=6), tcp.FAST_RETRANSMIT),
        (seen(11, RECOVERY), seen(10, RECOVERY), tcp.DEFLATED),
        (seen(11, RECOVERY, ssthresh=9), seen(10, RECOVERY, ssthresh=7), tcp.FAST_RETRANSMIT),  # another one
        (seen(6, RECOVERY), seen(6), tcp.RECOVERY_ENDED),
        (seen(12), seen(1, LOSS), tcp.TIMED_OUT),
        (seen(1, LOSS), seen(1, LOSS, backoff=1), tcp.TIMED_OUT),
        (seen(1, LOSS), seen(2, LOSS), tcp.SLOW_START),
        (seen(1, LOSS, backoff=1), seen(2, OPEN), tcp.RECOVERY_ENDED),
        (seen(12), seen(12, REDUCED, ssthresh=6), tcp.CONGESTION_ECHOED),
    ],
)
def test_what_changed_a_window_is_inferred(before: Observation | None, after: Observation, cause: int) -> None:
    assert cause_of(before, after) == cause
