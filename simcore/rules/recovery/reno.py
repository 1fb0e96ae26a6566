"""TCP Reno: fast retransmit and fast recovery (Jacobson 1990; RFC 5681, section 3.2), as ns-2 does them.

It has no state of its own. Events are told in the past tense; each returns what the sender is to do (the flags of
`simcore.rules.tcp.sender`).
"""

from typing import Final

from simcore.rules.recovery import loss
from simcore.rules.tcp import acks
from simcore.rules.tcp.sender import DUPLICATE_ACK_THRESHOLD, DUPLICATE_ACKS, NOTHING, SEND, TcpState

NAME: Final = "TCP Reno"
SINCE: Final = 1990

timer_expired = loss.timer_expired


def ack_arrived(tcp: TcpState, state: object, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack > tcp.highest_ack:
        return acks.new_ack_arrived(tcp, ack, now)
    if ack == tcp.highest_ack:
        return loss.duplicate_ack_arrived(tcp, loss.is_new(tcp) or tcp.last_action == DUPLICATE_ACKS, now)
    return SEND if tcp.duplicate_acks == 0 or tcp.duplicate_acks >= DUPLICATE_ACK_THRESHOLD else NOTHING
