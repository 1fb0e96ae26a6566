"""Timestamps: every segment says when it was sent, and the ACK says it again (RFC 7323, section 3).

So every ACK of new data gives a round trip, also of what was sent twice. The estimator takes each as it took one a
window before, though appendix G advises smaller gains for so many.
"""

from dataclasses import dataclass
from typing import Final

from simcore.rules.headers.header import Header
from simcore.rules.receivers.sink import SinkState
from simcore.rules.tcp.sender import TcpState

NAME: Final = "timestamps"
SINCE: Final = 1992
STACKS: Final = ("ns-2",)  # that of Linux takes its round trips from what it remembers of its segments

OPTION_BYTES: Final = 12  # two times of four bytes, kind and length, and two of filling: RFC 7323, appendix A


@dataclass(slots=True)
class Said:
    """When a segment was sent, or, in an ACK, the segment that it answers."""

    sent_s: float = 0.0  # seconds: TSval of a segment, TSecr of an ACK
    expected: int = 0  # the segment that the last ACK asked for; not in the packet, but remembered by the receiver


def segment_leaves(header: Header, said: Said, tcp: TcpState, seq: int, now: float) -> int:
    """Say when."""
    said.sent_s = now
    return OPTION_BYTES


def segment_arrived(header: Header, said: Said, own: Said, sink: SinkState, seq: int, now: float) -> None:
    """Remember what to answer: the time of the first segment since the last ACK, if it came in order.

    So a receiver that holds ACKs back makes round trips longer, and one that misses a segment does not (section 4.3).
    """
    if said.sent_s >= own.sent_s and seq <= own.expected:
        own.sent_s = said.sent_s


def ack_leaves(header: Header, said: Said, sink: SinkState, now: float) -> int:
    """The time that is remembered goes with the ACK."""
    said.expected = sink.next_expected
    return OPTION_BYTES


def ack_arrived(header: Header, said: Said, own: Said, tcp: TcpState, ack: int, now: float) -> None:
    """An ACK of new data ends a measurement that began when its segment was sent (section 4.1)."""
    if ack > tcp.highest_ack:
        tcp.timing = True
        tcp.timed_seq = ack
        tcp.timed_at_s = said.sent_s
