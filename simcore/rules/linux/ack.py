"""An ACK comes to a sender of Linux (tcp_ack(), tcp_clean_rtx_queue())."""

from simcore.rules.congestion import control
from simcore.rules.linux import rack, reduction, round_trips, sending, state_machine, timers
from simcore.rules.linux.connection import (
    EVER_REPEATED,
    LOST,
    NEVER_S,
    NO_NUMBER,
    OPEN,
    REPEATED,
    SACKED,
    Connection,
    is_reducing,
)
from simcore.rules.slow_start import slow_start
from simcore.rules.tcp import ecn, local_congestion
from simcore.rules.tcp.sender import ARM_TIMER, ECHOED, NOTHING, OPENED, SEND, TcpState, outstanding


def begin(state: Connection) -> None:
    """An ACK is about to be taken in."""
    state.delivered_before = state.delivered
    round_trips.begin(state)


def ack_arrived(tcp: TcpState, state: Connection, ack: int, sacked: bool, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived; did SACK blocks tell anything new?"""
    if ack < tcp.highest_ack or outstanding(tcp) == 0:
        return SEND
    losses, advanced = state.losses, ack > tcp.highest_ack
    marked = tcp.last_action == ECHOED
    if marked:
        reduction.enter_after_mark(tcp, state)
    if advanced:
        take_in(tcp, state, ack, now)
    measured = round_trips.end(tcp, state, now)
    must_set = advanced or (measured and is_head_older(tcp, state))
    probe_answered(tcp, state, advanced or sacked, now)
    is_usual = advanced and not sacked and not marked and state.ca_state == OPEN
    if not is_usual and state_machine.acknowledged(tcp, state, advanced, now):
        to_do = ARM_TIMER
    else:
        to_do = ARM_TIMER if must_set and timers.set_timer(tcp, state, now) else NOTHING
    tcp.newly_delivered = state.delivered - state.delivered_before
    adapt_window(tcp, state, advanced, state.losses - losses, now)
    return to_do | SEND


def adapt_window(tcp: TcpState, state: Connection, advanced: bool, lost: int, now: float) -> None:
    """cwnd goes down in recovery, and else up, if it was used (Linux: tcp_cong_control())."""
    if tcp.highest_ack == 0 and advanced:
        tcp.cwnd = tcp.initial_window
        state.ca_state = OPEN
        tcp.cause = OPENED
    elif control.sets_window(tcp):
        return
    elif is_reducing(state):
        reduction.reduce(tcp, state, tcp.newly_delivered, advanced, lost)
    elif not advanced:
        return
    elif tcp.interface.reducing:
        local_congestion.reduce(tcp)
    elif sending.may_grow(tcp, state):
        slow_start.data_acknowledged(tcp, now)
        if tcp.cwnd_clamped:
            tcp.cwnd = min(tcp.cwnd, float(tcp.window))


def take_in(tcp: TcpState, state: Connection, ack: int, now: float) -> None:
    """Forget the segments that are acknowledged, and note what that says of round trips."""
    before, holds_repeated = tcp.highest_ack, False
    for seq in range(before + 1, ack + 1):
        holds_repeated = forget(tcp, state, seq, now) or holds_repeated
    if holds_repeated:  # Karn: a repeated segment gives no sample
        state.first_acked_s = NEVER_S
        state.last_acked_s = NEVER_S
    tcp.highest_ack = ack
    state.timeouts = 0
    if not state.selective and ack > 0:
        state_machine.filled_hole(tcp, state, ack - before)
    ecn.new_ack_taken_in(tcp)


def forget(tcp: TcpState, state: Connection, seq: int, now: float) -> bool:
    """Segment `seq` is acknowledged; was it sent more than once?"""
    place = seq % tcp.window
    marks, sent_s = state.marks[place], state.sent_s[place]
    state.marks[place] = 0
    state.repeated -= (marks & REPEATED) > 0
    state.lost -= (marks & LOST) > 0
    if marks & SACKED:
        state.sacked -= 1
    else:
        if state.selective and seq > 0:
            state.delivered += 1
            rack.delivered(state, marks, seq, sent_s, now)
        if not marks & EVER_REPEATED:
            round_trips.note_acked(state, sent_s)
    return (marks & EVER_REPEATED) > 0


def is_head_older(tcp: TcpState, state: Connection) -> bool:
    """Was the first outstanding segment last sent after what a SACK block told of? Then the timer starts anew."""
    is_told = state.first_sacked_s != NEVER_S and outstanding(tcp) > 0
    return is_told and state.first_sacked_s < state.sent_s[(tcp.highest_ack + 1) % tcp.window]


def probe_answered(tcp: TcpState, state: Connection, tells: bool, now: float) -> None:
    """An ACK after a probe of the tail: if that repeated a segment that was missing, it was a loss.

    RFC 8985, section 7.4; Linux: tcp_process_tlp_ack().
    """
    if state.probe_seq == NO_NUMBER or tcp.highest_ack < state.probe_seq:
        return
    if state.probe_repeats and tcp.highest_ack > state.probe_seq:
        reduction.enter_recovery(tcp, state, now)
        reduction.end(tcp, state)
    elif not state.probe_repeats or not tells:
        state.probe_seq = NO_NUMBER
