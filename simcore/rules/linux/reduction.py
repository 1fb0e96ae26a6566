"""Proportional rate reduction (RFC 6937; Linux: tcp_cwnd_reduction()): cwnd follows what is delivered down to ssthresh.

While more than ssthresh is under way, ssthresh / cwnd of what is delivered may be sent; else as much as is delivered,
and a segment more for an ACK of new data that told of no loss.
"""

from simcore.rules.congestion import control
from simcore.rules.linux.connection import (
    NO_NUMBER,
    OPEN,
    RECOVERY,
    REDUCING,
    Connection,
    in_flight,
)
from simcore.rules.tcp.sender import (
    CONGESTION_ECHOED,
    DEFLATED,
    NO_ACTION,
    RECOVERY_ENDED,
    UNCHANGED,
    TcpState,
    count_fast_retransmit,
    window_was_cut,
)


def begin(tcp: TcpState, state: Connection) -> None:
    """Remember from where cwnd goes down (Linux: tcp_init_cwnd_reduction())."""
    state.high_seq = tcp.highest_sent
    state.probe_seq = NO_NUMBER
    state.prior_cwnd = max(1, int(tcp.cwnd))
    state.prr_delivered = 0
    state.prr_out = 0


def enter_recovery(tcp: TcpState, state: Connection, now: float) -> None:
    """A loss: the control says what ssthresh becomes, unless a mark has just cut it (Linux: tcp_enter_recovery())."""
    if state.ca_state != REDUCING:
        begin(tcp, state)
        cwnd = tcp.cwnd
        control.loss_detected(tcp, now)
        window_was_cut(tcp)
        tcp.cwnd = cwnd
    state.ca_state = RECOVERY
    tcp.recover = tcp.highest_sent
    count_fast_retransmit(tcp)


def enter_after_mark(tcp: TcpState, state: Connection) -> None:
    """A mark came back, and the control has cut ssthresh (Linux: tcp_enter_cwr())."""
    tcp.last_action = NO_ACTION
    if state.ca_state < REDUCING:
        begin(tcp, state)
        state.ca_state = REDUCING
        tcp.cause = CONGESTION_ECHOED


def reduce(tcp: TcpState, state: Connection, delivered: int, advanced: bool, lost: int) -> None:
    """An ACK told of so many segments that were delivered, and of so many that were lost."""
    if delivered <= 0:
        return
    state.prr_delivered += delivered
    flight, target = in_flight(tcp, state), int(tcp.ssthresh)
    if flight > target:
        may_send = (target * state.prr_delivered + state.prior_cwnd - 1) // state.prior_cwnd - state.prr_out
    else:
        may_send = max(state.prr_delivered - state.prr_out, delivered)
        if advanced and lost == 0:
            may_send += 1
        may_send = min(target - flight, may_send)
    tcp.cwnd = float(flight + max(may_send, 0 if state.prr_out > 0 else 1))
    if tcp.cause == UNCHANGED:
        tcp.cause = DEFLATED


def end(tcp: TcpState, state: Connection) -> None:
    """All that was outstanding at the loss, or at the mark, is acknowledged (Linux: tcp_end_cwnd_reduction())."""
    state.ca_state = OPEN
    if not control.sets_window(tcp):
        tcp.cwnd = tcp.ssthresh
    tcp.cause = RECOVERY_ENDED
