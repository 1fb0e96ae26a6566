"""RACK (RFC 8985; Linux: tcp_recovery.c): a segment is lost if one that was sent later has arrived long enough ago.

How long is zero once three segments were told of by SACK blocks, or in recovery; before that a quarter of the shortest
round trip, for which a timer waits. The paths here never reorder, so the window never grows.
"""

from typing import Final

from simcore.rules.linux.connection import (
    EVER_REPEATED,
    LOST,
    NEVER_S,
    RECOVERY,
    REORDERING,
    REPEATED,
    SACKED,
    Connection,
    mark_lost,
)
from simcore.rules.tcp.sender import DUPLICATE_ACK_THRESHOLD, TcpState

LEAST_TIMER_S: Final = 0.008  # two jiffies of 4 ms: Linux, TCP_TIMEOUT_MIN_US


def delivered(state: Connection, marks: int, seq: int, sent_s: float, now: float) -> None:
    """Segment `seq`, last sent at `sent_s`, has arrived (Linux: tcp_rack_advance())."""
    rtt_s = now - sent_s
    if marks & EVER_REPEATED and state.least_rtt_s != NEVER_S and rtt_s < state.least_rtt_s:
        return  # it was the first transmission that arrived
    state.rack_advanced = True
    state.rack_rtt_s = rtt_s
    if sent_s > state.rack_sent_s or (sent_s == state.rack_sent_s and seq > state.rack_seq):
        state.rack_sent_s = sent_s
        state.rack_seq = seq


def reordering_window_s(tcp: TcpState, state: Connection) -> float:
    """How much later than the last one to arrive a segment may still come (Linux: tcp_rack_reo_wnd())."""
    if state.ca_state >= RECOVERY or state.sacked >= DUPLICATE_ACK_THRESHOLD:
        return 0.0
    return min(state.least_rtt_s / 4.0, tcp.srtt / 8.0 * tcp.tick_s)


def remaining_s(state: Connection, sent_s: float, window_s: float, now: float) -> float:
    """How long a segment sent at `sent_s` may still take (Linux: tcp_rack_skb_timeout())."""
    return state.rack_rtt_s + window_s - (now - sent_s)


def longest_wait_s(tcp: TcpState, state: Connection, now: float) -> float:
    """Mark what is lost; return how long to wait for the others, 0 if for none (Linux: tcp_rack_detect_loss())."""
    window_s, longest_s = reordering_window_s(tcp, state), 0.0
    for seq in range(tcp.highest_ack + 1, tcp.highest_sent + 1):
        place = seq % tcp.window
        marks, sent_s = state.marks[place], state.sent_s[place]
        is_before = sent_s < state.rack_sent_s or (sent_s == state.rack_sent_s and seq < state.rack_seq)
        if is_before and not marks & SACKED and (marks & REPEATED or not marks & LOST):
            left_s = remaining_s(state, sent_s, window_s, now)
            if left_s <= 0.0:
                mark_lost(tcp, state, seq)
            else:
                longest_s = max(longest_s, left_s)
    return longest_s


def acknowledged(tcp: TcpState, state: Connection, now: float) -> bool:
    """Look for losses after an ACK; must a timer wait for what may be one (Linux: tcp_rack_mark_lost())?"""
    if not state.rack_advanced:
        return False
    state.rack_advanced = False
    wait_s = longest_wait_s(tcp, state, now)
    if wait_s == 0.0:
        return False
    state.pending = REORDERING
    state.timer_s = wait_s + LEAST_TIMER_S
    return True
