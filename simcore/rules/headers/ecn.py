"""Explicit congestion notification between the ends of a flow (RFC 3168, section 6.1), as ns-2.35 has it.

Queues mark packets instead of dropping them, receivers echo the marks, and a sender takes an echo for a loss that needs
no repair (`simcore.rules.tcp.ecn`). ns-2 departs from the standard in that segments sent again may be marked as well
(section 6.1.5).
"""

from typing import Final

from simcore.rules.headers.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED
from simcore.rules.headers.header import Header
from simcore.rules.receivers.sink import SinkState
from simcore.rules.tcp import ecn
from simcore.rules.tcp.sender import TcpState

NAME: Final = "ECN"
SINCE: Final = 2001
IMPLIED_BY: Final = "ecn: true"


def segment_leaves(header: Header, said: object, tcp: TcpState, seq: int, now: float) -> int:
    """Say what segment `seq` says of congestion.

    The SYN offers ECN and may not be marked (section 6.1.1; ns-2 leaves out its CWR). The first segment after the
    window was reduced tells that, whatever reduced it (section 6.1.2).
    """
    header.flags = (REDUCED if tcp.echoes.was_reduced else 0) | (ECHO if seq == 0 else CAPABLE)
    tcp.echoes.was_reduced = False
    return 0


def segment_arrived(header: Header, said: object, own: object, sink: SinkState, seq: int, now: float) -> None:
    """Remember what a segment says until the next ACK leaves, which may answer two of them."""
    sink.ecn_flags |= header.flags


def ack_leaves(header: Header, said: object, sink: SinkState, now: float) -> int:
    """Say what the ACK that is about to leave says of marks.

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
    header.flags = ECHO if is_offer or (sink.is_echoing and flags & CAPABLE) else 0
    return 0


def ack_arrived(header: Header, said: object, own: object, tcp: TcpState, ack: int, now: float) -> None:
    """Does the ACK that is about to be taken in echo a mark?"""
    ecn.echo_arrived(tcp, (header.flags & ECHO) > 0, ack, now)
