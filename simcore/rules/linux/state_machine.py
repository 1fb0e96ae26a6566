"""What an ACK says of losses, and which state of congestion follows (Linux: tcp_fastretrans_alert()).

Without SACK a duplicate ACK stands for a segment that came early, and in recovery a partial ACK for one that is lost
(RFC 6582). With it RACK finds out.
"""

from simcore.rules.linux import rack, reduction
from simcore.rules.linux.connection import (
    DISORDER,
    EVER_REPEATED,
    LOSS,
    LOST,
    OPEN,
    RECOVERY,
    REDUCING,
    Connection,
    mark_lost,
    outstanding,
)
from simcore.rules.tcp.sender import DUPLICATE_ACK_THRESHOLD, RECOVERY_ENDED, TcpState


def acknowledged(tcp: TcpState, own: Connection, advanced: bool, now: float) -> bool:
    """An ACK that is not just the next one; was a timer set that waits for reordered segments?"""
    if tcp.highest_ack >= own.high_seq and is_reducing_over(tcp, own):
        return False
    if own.ca_state == RECOVERY:
        if not advanced and not own.selective:
            duplicate_came(tcp, own)
        return losses_looked_for(tcp, own, advanced, now)
    waits = False
    if own.ca_state == LOSS:
        repeated = own.repeated
        after_timeout(tcp, own, advanced)
        waits = losses_looked_for(tcp, own, advanced, now)
        if own.ca_state == LOSS and own.repeated >= repeated:
            return waits
    return in_order_or_not(tcp, own, advanced, now) or waits


def is_reducing_over(tcp: TcpState, own: Connection) -> bool:
    """All that was outstanding when the state began is acknowledged. Without SACK recovery is held one ACK longer.

    So that duplicates of that ACK cause no recovery (RFC 6582, section 3.2). True: there is nothing else to be done.
    """
    if own.ca_state == REDUCING and tcp.highest_ack > own.high_seq:
        reduction.end(tcp, own)
    elif own.ca_state == RECOVERY:
        if not own.selective:
            own.sacked = 0
            if tcp.highest_ack == own.high_seq:
                return True
        reduction.end(tcp, own)
    return False


def after_timeout(tcp: TcpState, own: Connection, advanced: bool) -> None:
    """An ACK while what a timeout found lost is sent again (Linux: tcp_process_loss())."""
    if tcp.highest_ack >= own.high_seq:
        if own.selective or tcp.highest_ack > own.high_seq:
            own.ca_state = OPEN
            tcp.cause = RECOVERY_ENDED
    elif not own.selective:
        if advanced:
            own.sacked = 0
        elif tcp.highest_sent > own.high_seq:
            duplicate_came(tcp, own)


def in_order_or_not(tcp: TcpState, own: Connection, advanced: bool, now: float) -> bool:
    """An ACK outside recovery: does one have to begin?"""
    if not own.selective:
        if advanced:
            own.sacked = 0
        else:
            duplicate_came(tcp, own)
    waits = losses_looked_for(tcp, own, advanced, now)
    if own.lost > 0:
        reduction.enter_recovery(tcp, own, now)
    elif own.ca_state != REDUCING:
        keep_open(tcp, own)
    return waits


def keep_open(tcp: TcpState, own: Connection) -> None:
    """Nothing is lost; is all in order as well (Linux: tcp_try_keep_open())?"""
    head = own.marks[(tcp.highest_ack + 1) % tcp.window] if outstanding(tcp) > 0 else 0
    in_order = own.sacked + own.lost + own.repeated == 0 and not head & EVER_REPEATED
    state = OPEN if in_order else DISORDER
    if own.ca_state != state:
        own.ca_state = state
        own.high_seq = tcp.highest_sent


def duplicate_came(tcp: TcpState, own: Connection) -> None:
    """Without SACK: a segment has arrived early (Linux: tcp_add_reno_sack())."""
    before = own.sacked
    own.sacked += 1
    limit_sacked(tcp, own)
    own.delivered += own.sacked - before


def limit_sacked(tcp: TcpState, own: Connection) -> None:
    """Without SACK: no more can have come early than is outstanding, but for what is missing."""
    holes = min(max(own.lost, 1), outstanding(tcp))
    own.sacked = min(own.sacked, outstanding(tcp) - holes)


def filled_hole(tcp: TcpState, own: Connection, segments: int) -> None:
    """Without SACK: an ACK covers a hole and what had come early behind it (Linux: tcp_remove_reno_sacks())."""
    own.delivered += max(segments - own.sacked, 1)
    own.sacked = max(0, own.sacked - (segments - 1))
    limit_sacked(tcp, own)


def losses_looked_for(tcp: TcpState, own: Connection, advanced: bool, now: float) -> bool:
    """Mark what is lost; was a timer set that waits for what may be reordered?"""
    if outstanding(tcp) == 0:
        return False
    if own.selective:
        return rack.acknowledged(tcp, own, now)
    is_new = own.ca_state < RECOVERY and own.sacked >= DUPLICATE_ACK_THRESHOLD
    is_partial = own.ca_state == RECOVERY and advanced
    head = tcp.highest_ack + 1
    if (is_new or is_partial) and not own.marks[head % tcp.window] & LOST:
        mark_lost(tcp, own, head)
    return False
