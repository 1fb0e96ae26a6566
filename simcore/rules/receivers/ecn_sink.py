"""The receiver's side of explicit congestion notification (RFC 3168, section 6.1.3), as ns-2.35 has it."""

from simcore.rules.receivers.sink import SinkState
from simcore.rules.tcp.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED


def segment_arrived(sink: SinkState, flags: int) -> None:
    """Remember what a segment says until the next ACK leaves, which may answer two of them."""
    sink.ecn_flags |= flags


def ack_flags(sink: SinkState) -> int:
    """What the ACK that is about to leave says.

    After a mark every ACK echoes it, until the sender tells that it has reduced its window (section 6.1.3). A mark on
    the very segment that tells so is a new one. A SYN that offers ECN is always answered with yes (section 6.1.1).
    """
    flags = sink.ecn_flags
    sink.ecn_flags = 0
    if flags & REDUCED:
        sink.is_echoing = False
    if flags & EXPERIENCED:
        sink.is_echoing = True
    is_offer = flags & ECHO
    return ECHO if is_offer or (sink.is_echoing and flags & CAPABLE) else 0
