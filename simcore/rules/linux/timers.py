"""The one timer of a sender of Linux: for a timeout, for a probe of the tail, or for what may be reordered.

Linux keeps whole jiffies; here times are exact.
"""

from typing import Final

from simcore.rules.congestion import control
from simcore.rules.linux import rack, reduction
from simcore.rules.linux.connection import (
    DISORDER,
    LOSS,
    NO_NUMBER,
    NO_TIMER,
    OPEN,
    PROBE,
    RECOVERY,
    REDUCING,
    REORDERING,
    TIMEOUT,
    Connection,
    in_flight,
    mark_lost,
)
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    NOTHING,
    SEND,
    SEND_ONE,
    TcpState,
    count_timeout,
    outstanding,
    window_was_cut,
)

SYN_NOT_DOUBLED: Final = 4  # timeouts of the SYN before the first is doubled: Linux 6.5, tcp_syn_linear_timeouts


def timer_s(tcp: TcpState, state: Connection) -> float:
    """What the timer is set to, in seconds."""
    return state.timer_s


def set_timer(tcp: TcpState, state: Connection, now: float) -> bool:
    """Set the timer anew after progress; is it to run (Linux: tcp_set_xmit_timer())?"""
    return set_probe(tcp, state, tcp_timeout_left_s(tcp, state, now)) or set_timeout(tcp, state, now)


def set_timeout(tcp: TcpState, state: Connection, now: float) -> bool:
    """Wait for the timeout; one that another timer stood in for has begun already (Linux: tcp_rearm_rto())."""
    if outstanding(tcp) == 0:
        state.pending = NO_TIMER
        return False
    other = state.pending == PROBE or state.pending == REORDERING
    state.timer_s = max(tcp_timeout_left_s(tcp, state, now), tcp.tick_s) if other else rto.timeout_s(tcp)
    state.pending = TIMEOUT
    return True


def tcp_timeout_left_s(tcp: TcpState, state: Connection, now: float) -> float:
    """The time until the first outstanding segment is late (Linux: tcp_rto_delta_us())."""
    return state.sent_s[(tcp.highest_ack + 1) % tcp.window] + rto.timeout_s(tcp) - now


def set_probe(tcp: TcpState, state: Connection, timeout_left_s: float) -> bool:
    """Wait for two round trips, then probe the tail (RFC 8985, section 7.2); is that to be done?"""
    is_calm = state.ca_state == OPEN or state.ca_state == REDUCING
    if not (tcp.tail_loss_probes and state.selective and is_calm and outstanding(tcp) > 0 and tcp.highest_ack >= 0):
        return False
    allowance_s = tcp.min_rto_s if outstanding(tcp) == 1 else rack.LEAST_TIMER_S
    state.timer_s = tcp.srtt / 4.0 * tcp.tick_s + allowance_s
    if timeout_left_s > 0.0:
        state.timer_s = min(state.timer_s, timeout_left_s)
    state.pending = PROBE
    return True


def timer_expired(tcp: TcpState, state: Connection, now: float) -> int:
    """The timer rang."""
    tcp.timer_pending = False
    if outstanding(tcp) == 0 or state.pending == NO_TIMER:
        return NOTHING
    if state.pending == REORDERING:
        return reordering_ended(tcp, state, now)
    if state.pending == PROBE:
        return probe(tcp, state, now)
    return timed_out(tcp, state, now)


def reordering_ended(tcp: TcpState, state: Connection, now: float) -> int:
    """What might have been reordered is lost (Linux: tcp_rack_reo_timeout())."""
    flight, losses = in_flight(tcp, state), state.losses
    rack.longest_wait_s(tcp, state, now)
    if in_flight(tcp, state) != flight and state.ca_state != RECOVERY:
        reduction.enter_recovery(tcp, state, now)
        reduction.reduce(tcp, state, 1, False, state.losses - losses)
    set_timeout(tcp, state, now)
    return ARM_TIMER | SEND


def probe(tcp: TcpState, state: Connection, now: float) -> int:
    """Send what an ACK will answer: a new segment, or else the last one again (Linux: tcp_send_loss_probe())."""
    to_do = NOTHING
    if state.probe_seq == NO_NUMBER:
        may_be_new = tcp.next_seq <= tcp.highest_ack + tcp.window and tcp.next_seq < tcp.data_end
        state.probe_repeats = not may_be_new
        if not may_be_new:
            tcp.next_seq = tcp.highest_sent
        state.probe_seq = tcp.next_seq
        to_do = SEND_ONE
    set_timeout(tcp, state, now)
    return ARM_TIMER | to_do


def timed_out(tcp: TcpState, state: Connection, now: float) -> int:
    """No ACK in time: all is lost but what was sent less than a round trip ago (Linux: tcp_enter_loss())."""
    is_first = state.ca_state == LOSS and state.timeouts == 0
    must_cut = state.ca_state <= DISORDER or tcp.highest_ack >= state.high_seq or is_first
    all_lost(tcp, state, now)
    if tcp.highest_ack < 0:
        syn_lost(tcp)
    else:
        ssthresh = tcp.ssthresh
        control.timer_expired(tcp, now)
        if must_cut:
            window_was_cut(tcp)
        else:  # what the control remembers is gone all the same (Linux: tcp_set_ca_state(), cubictcp_state())
            tcp.ssthresh = ssthresh
    tcp.cwnd = float(in_flight(tcp, state) + 1)
    state.ca_state = LOSS
    state.high_seq = tcp.highest_sent
    tcp.recover = tcp.highest_sent
    state.timeouts += 1
    if tcp.highest_ack >= 0 or state.timeouts > SYN_NOT_DOUBLED:
        rto.double(tcp)
    count_timeout(tcp)
    set_timeout(tcp, state, now)
    return ARM_TIMER | SEND


def syn_lost(tcp: TcpState) -> None:
    """The second lost SYN makes the initial window a segment. ssthresh is as before (Linux: tcp_init_metrics())."""
    tcp.initial_window = tcp.lost_syn_window
    tcp.lost_syn_window = 1.0


def all_lost(tcp: TcpState, state: Connection, now: float) -> None:
    """Mark what counts as lost (Linux: tcp_timeout_mark_lost()). Without SACK, duplicate ACKs are forgotten."""
    if not state.selective:
        state.sacked = 0
    head = tcp.highest_ack + 1
    for seq in range(head, tcp.highest_sent + 1):
        is_recent = state.selective and rack.remaining_s(state, state.sent_s[seq % tcp.window], 0.0, now) > 0.0
        if seq == head or not is_recent:
            mark_lost(tcp, state, seq)
