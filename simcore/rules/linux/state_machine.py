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
)
from simcore.rules.tcp.sender import DUPLICATE_ACK_THRESHOLD, RECOVERY_ENDED, TcpState, outstanding


def acknowledged(tcp: TcpState, state: Connection, advanced: bool, now: float) -> bool:
    """An ACK that is not just the next one; was a timer set that waits for reordered segments?"""
    if tcp.highest_ack >= state.high_seq and is_reducing_over(tcp, state):
        return False
    if state.ca_state == RECOVERY:
        if not advanced and not state.selective:
            duplicate_came(tcp, state)
        return losses_looked_for(tcp, state, advanced, now)
    waits = False
    if state.ca_state == LOSS:
        repeated = state.repeated
        after_timeout(tcp, state, advanced)
        waits = losses_looked_for(tcp, state, advanced, now)
        if state.ca_state == LOSS and state.repeated >= repeated:
            return waits
    return in_order_or_not(tcp, state, advanced, now) or waits


def is_reducing_over(tcp: TcpState, state: Connection) -> bool:
    """All that was outstanding when the state began is acknowledged. Without SACK recovery is held one ACK longer.

    So that duplicates of that ACK cause no recovery (RFC 6582, section 3.2). True: there is nothing else to be done.
    """
    if state.ca_state == REDUCING and tcp.highest_ack > state.high_seq:
        reduction.end(tcp, state)
    elif state.ca_state == RECOVERY:
        if not state.selective:
            state.sacked = 0
            if tcp.highest_ack == state.high_seq:
                return True
        reduction.end(tcp, state)
    return False


def after_timeout(tcp: TcpState, state: Connection, advanced: bool) -> None:
    """An ACK while what a timeout found lost is sent again (Linux: tcp_process_loss())."""
    if tcp.highest_ack >= state.high_seq:
        if state.selective or tcp.highest_ack > state.high_seq:
            state.ca_state = OPEN
            tcp.cause = RECOVERY_ENDED
    elif not state.selective:
        if advanced:
            state.sacked = 0
        elif tcp.highest_sent > state.high_seq:
            duplicate_came(tcp, state)


def in_order_or_not(tcp: TcpState, state: Connection, advanced: bool, now: float) -> bool:
    """An ACK outside recovery: does one have to begin?"""
    if not state.selective:
        if advanced:
            state.sacked = 0
        else:
            duplicate_came(tcp, state)
    waits = losses_looked_for(tcp, state, advanced, now)
    if state.lost > 0:
        reduction.enter_recovery(tcp, state, now)
    elif state.ca_state != REDUCING:
        keep_open(tcp, state)
    return waits


def keep_open(tcp: TcpState, state: Connection) -> None:
    """Nothing is lost; is all in order as well (Linux: tcp_try_keep_open())?"""
    head = state.marks[(tcp.highest_ack + 1) % tcp.window] if outstanding(tcp) > 0 else 0
    in_order = state.sacked + state.lost + state.repeated == 0 and not head & EVER_REPEATED
    ca_state = OPEN if in_order else DISORDER
    if state.ca_state != ca_state:
        state.ca_state = ca_state
        state.high_seq = tcp.highest_sent


def duplicate_came(tcp: TcpState, state: Connection) -> None:
    """Without SACK: a segment has arrived early (Linux: tcp_add_reno_sack())."""
    before = state.sacked
    state.sacked += 1
    limit_sacked(tcp, state)
    state.delivered += state.sacked - before


def limit_sacked(tcp: TcpState, state: Connection) -> None:
    """Without SACK: no more can have come early than is outstanding, but for what is missing."""
    holes = min(max(state.lost, 1), outstanding(tcp))
    state.sacked = min(state.sacked, outstanding(tcp) - holes)


def filled_hole(tcp: TcpState, state: Connection, segments: int) -> None:
    """Without SACK: an ACK covers a hole and what had come early behind it (Linux: tcp_remove_reno_sacks())."""
    state.delivered += max(segments - state.sacked, 1)
    state.sacked = max(0, state.sacked - (segments - 1))
    limit_sacked(tcp, state)


def losses_looked_for(tcp: TcpState, state: Connection, advanced: bool, now: float) -> bool:
    """Mark what is lost; was a timer set that waits for what may be reordered?"""
    if outstanding(tcp) == 0:
        return False
    if state.selective:
        return rack.acknowledged(tcp, state, now)
    is_new = state.ca_state < RECOVERY and state.sacked >= DUPLICATE_ACK_THRESHOLD
    is_partial = state.ca_state == RECOVERY and advanced
    head = tcp.highest_ack + 1
    if (is_new or is_partial) and not state.marks[head % tcp.window] & LOST:
        mark_lost(tcp, state, head)
    return False
