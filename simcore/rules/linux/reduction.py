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
    FAST_RETRANSMIT,
    NO_ACTION,
    RECOVERY_ENDED,
    UNCHANGED,
    TcpState,
    window_was_cut,
)


def begin(tcp: TcpState, own: Connection) -> None:
    """Remember from where cwnd goes down (Linux: tcp_init_cwnd_reduction())."""
    own.high_seq = tcp.highest_sent
    own.probe_seq = NO_NUMBER
    own.prior_cwnd = max(1, int(tcp.cwnd))
    own.prr_delivered = 0
    own.prr_out = 0


def enter_recovery(tcp: TcpState, own: Connection, now: float) -> None:
    """A loss: the control says what ssthresh becomes, unless a mark has just cut it (Linux: tcp_enter_recovery())."""
    if own.ca_state != REDUCING:
        begin(tcp, own)
        cwnd = tcp.cwnd
        control.loss_detected(tcp, now)
        window_was_cut(tcp)
        tcp.cwnd = cwnd
    own.ca_state = RECOVERY
    tcp.recover = tcp.highest_sent
    tcp.cause = FAST_RETRANSMIT


def enter_after_mark(tcp: TcpState, own: Connection) -> None:
    """A mark came back, and the control has cut ssthresh (Linux: tcp_enter_cwr())."""
    tcp.last_action = NO_ACTION
    if own.ca_state < REDUCING:
        begin(tcp, own)
        own.ca_state = REDUCING
        tcp.cause = CONGESTION_ECHOED


def reduce(tcp: TcpState, own: Connection, delivered: int, advanced: bool, lost: int) -> None:
    """An ACK told of so many segments that were delivered, and of so many that were lost."""
    if delivered <= 0:
        return
    own.prr_delivered += delivered
    flight, target = in_flight(tcp, own), int(tcp.ssthresh)
    if flight > target:
        may_send = (target * own.prr_delivered + own.prior_cwnd - 1) // own.prior_cwnd - own.prr_out
    else:
        may_send = max(own.prr_delivered - own.prr_out, delivered)
        if advanced and lost == 0:
            may_send += 1
        may_send = min(target - flight, may_send)
    tcp.cwnd = float(flight + max(may_send, 0 if own.prr_out > 0 else 1))
    if tcp.cause == UNCHANGED:
        tcp.cause = DEFLATED


def end(tcp: TcpState, own: Connection) -> None:
    """All that was outstanding at the loss, or at the mark, is acknowledged (Linux: tcp_end_cwnd_reduction())."""
    own.ca_state = OPEN
    tcp.cwnd = tcp.ssthresh
    tcp.cause = RECOVERY_ENDED
