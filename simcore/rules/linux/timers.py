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
    outstanding,
)
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import ARM_TIMER, NOTHING, SEND, SEND_ONE, TIMED_OUT, TcpState, window_was_cut

SYN_NOT_DOUBLED: Final = 4  # timeouts of the SYN before the first is doubled: Linux 6.5, tcp_syn_linear_timeouts


def timer_s(tcp: TcpState, own: Connection) -> float:
    """What the timer is set to, in seconds."""
    return own.timer_s


def set_timer(tcp: TcpState, own: Connection, now: float) -> bool:
    """Set the timer anew after progress; is it to run (Linux: tcp_set_xmit_timer())?"""
    return set_probe(tcp, own, tcp_timeout_left_s(tcp, own, now)) or set_timeout(tcp, own, now)


def set_timeout(tcp: TcpState, own: Connection, now: float) -> bool:
    """Wait for the timeout; one that another timer stood in for has begun already (Linux: tcp_rearm_rto())."""
    if outstanding(tcp) == 0:
        own.pending = NO_TIMER
        return False
    other = own.pending == PROBE or own.pending == REORDERING
    own.timer_s = max(tcp_timeout_left_s(tcp, own, now), tcp.tick_s) if other else rto.timeout_s(tcp)
    own.pending = TIMEOUT
    return True


def tcp_timeout_left_s(tcp: TcpState, own: Connection, now: float) -> float:
    """The time until the first outstanding segment is late (Linux: tcp_rto_delta_us())."""
    return own.sent_s[(tcp.highest_ack + 1) % tcp.window] + rto.timeout_s(tcp) - now


def set_probe(tcp: TcpState, own: Connection, timeout_left_s: float) -> bool:
    """Wait for two round trips, then probe the tail (RFC 8985, section 7.2); is that to be done?"""
    is_calm = own.ca_state == OPEN or own.ca_state == REDUCING
    if not (tcp.tail_loss_probes and own.selective and is_calm and outstanding(tcp) > 0 and tcp.highest_ack >= 0):
        return False
    allowance_s = tcp.min_rto_s if outstanding(tcp) == 1 else rack.LEAST_TIMER_S
    own.timer_s = tcp.srtt / 4.0 * tcp.tick_s + allowance_s
    if timeout_left_s > 0.0:
        own.timer_s = min(own.timer_s, timeout_left_s)
    own.pending = PROBE
    return True


def timer_expired(tcp: TcpState, own: Connection, now: float) -> int:
    """The timer rang."""
    tcp.timer_pending = False
    if outstanding(tcp) == 0 or own.pending == NO_TIMER:
        return NOTHING
    if own.pending == REORDERING:
        return reordering_ended(tcp, own, now)
    if own.pending == PROBE:
        return probe(tcp, own, now)
    return timed_out(tcp, own, now)


def reordering_ended(tcp: TcpState, own: Connection, now: float) -> int:
    """What might have been reordered is lost (Linux: tcp_rack_reo_timeout())."""
    flight, losses = in_flight(tcp, own), own.losses
    rack.longest_wait_s(tcp, own, now)
    if in_flight(tcp, own) != flight and own.ca_state != RECOVERY:
        reduction.enter_recovery(tcp, own, now)
        reduction.reduce(tcp, own, 1, False, own.losses - losses)
    set_timeout(tcp, own, now)
    return ARM_TIMER | SEND


def probe(tcp: TcpState, own: Connection, now: float) -> int:
    """Send what an ACK will answer: a new segment, or else the last one again (Linux: tcp_send_loss_probe())."""
    to_do = NOTHING
    if own.probe_seq == NO_NUMBER:
        may_be_new = tcp.next_seq <= tcp.highest_ack + tcp.window and tcp.next_seq < tcp.data_end
        own.probe_repeats = not may_be_new
        if not may_be_new:
            tcp.next_seq = tcp.highest_sent
        own.probe_seq = tcp.next_seq
        to_do = SEND_ONE
    set_timeout(tcp, own, now)
    return ARM_TIMER | to_do


def timed_out(tcp: TcpState, own: Connection, now: float) -> int:
    """No ACK in time: all is lost but what was sent less than a round trip ago (Linux: tcp_enter_loss())."""
    is_first = own.ca_state == LOSS and own.timeouts == 0
    must_cut = own.ca_state <= DISORDER or tcp.highest_ack >= own.high_seq or is_first
    all_lost(tcp, own, now)
    if tcp.highest_ack < 0:
        syn_lost(tcp)
    else:
        ssthresh = tcp.ssthresh
        control.timer_expired(tcp, now)
        if must_cut:
            window_was_cut(tcp)
        else:  # what the control remembers is gone all the same (Linux: tcp_set_ca_state(), cubictcp_state())
            tcp.ssthresh = ssthresh
    tcp.cwnd = float(in_flight(tcp, own) + 1)
    own.ca_state = LOSS
    own.high_seq = tcp.highest_sent
    tcp.recover = tcp.highest_sent
    own.timeouts += 1
    if tcp.highest_ack >= 0 or own.timeouts > SYN_NOT_DOUBLED:
        rto.double(tcp)
    tcp.cause = TIMED_OUT
    set_timeout(tcp, own, now)
    return ARM_TIMER | SEND


def syn_lost(tcp: TcpState) -> None:
    """The second lost SYN makes the initial window a segment. ssthresh is as before (Linux: tcp_init_metrics())."""
    tcp.initial_window = tcp.lost_syn_window
    tcp.lost_syn_window = 1.0


def all_lost(tcp: TcpState, own: Connection, now: float) -> None:
    """Mark what counts as lost (Linux: tcp_timeout_mark_lost()). Without SACK, duplicate ACKs are forgotten."""
    if not own.selective:
        own.sacked = 0
    head = tcp.highest_ack + 1
    for seq in range(head, tcp.highest_sent + 1):
        is_recent = own.selective and rack.remaining_s(own, own.sent_s[seq % tcp.window], 0.0, now) > 0.0
        if seq == head or not is_recent:
            mark_lost(tcp, own, seq)
