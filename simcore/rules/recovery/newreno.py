"""TCP NewReno: Reno that stays in fast recovery until all that was outstanding at the loss is acknowledged (RFC 6582).

ns-2 has the variant of RFC 6582's "impatient" timer and of its careful fast retransmit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.rules.recovery import loss
from simcore.rules.tcp import acks, sender
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DEFLATED,
    DUPLICATE_ACKS,
    ENDLESS,
    NO_SEGMENT,
    NOTHING,
    RESEND,
    SEND,
    TcpState,
)
from simcore.rules.why import Why

NAME: Final = "TCP NewReno"
SINCE: Final = 1999
EXPLANATIONS: Final[Mapping[str, Why]] = {
    "recovery_end": Why(
        "Fast recovery ends",
        "All that was outstanding at the loss is acknowledged: the inflation is taken back.",
        "RFC 6582, section 3.2, step 3",
    ),
}

timer_expired = loss.timer_expired

BURST_IN_RECOVERY: Final = 2  # packets


@dataclass(slots=True)
class State:
    """What NewReno remembers beyond Reno."""

    is_first_partial: bool = True  # has this recovery seen no partial ACK yet?
    burst_left: int = ENDLESS  # packets that this round of the sending loop may still send


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack < tcp.highest_ack:
        return NOTHING
    if ack == tcp.highest_ack:
        to_do = loss.duplicate_ack_arrived(tcp, loss.is_new(tcp), now)
    elif ack < tcp.recover and tcp.last_action == DUPLICATE_ACKS:
        to_do = partial_ack_arrived(tcp, state, ack)
    else:
        state.is_first_partial = True
        to_do = acks.new_ack_arrived(tcp, ack, now)
    # ns-2: what was held back for a while leaves as one burst
    may_burst = tcp.duplicate_acks == 0 or tcp.send_jitter_s > 0.0
    state.burst_left = ENDLESS if may_burst else BURST_IN_RECOVERY
    return to_do


def partial_ack_arrived(tcp: TcpState, state: State, ack: int) -> int:
    """A repair arrived, but another segment of the same window is missing: repair that one, and deflate.

    RFC 6582, section 3.2, step 3. The timer starts anew for the first partial ACK only, so that a timeout ends the
    repair of many losses, one a round trip ("impatient"; ns-2: newreno_changes1_).
    """
    deflate(tcp, ack - tcp.highest_ack)
    tcp.highest_ack = ack
    tcp.next_seq = max(tcp.next_seq, ack + 1)
    rearm = ARM_TIMER if state.is_first_partial else NOTHING
    state.is_first_partial = False
    return rearm | RESEND | SEND


def deflate(tcp: TcpState, acknowledged: int) -> None:
    """Take back the inflation for segments that have now left the window, keeping one packet for the repair.

    ns-2 (partial_window_deflation_) takes what exceeds the inflation from cwnd itself.
    """
    if tcp.inflation > acknowledged:
        tcp.inflation -= acknowledged - 1
    else:
        tcp.cwnd -= acknowledged - tcp.inflation
        tcp.inflation = 1
    tcp.cwnd = max(tcp.cwnd, 1.0)
    tcp.cause = DEFLATED


def next_segment(tcp: TcpState, state: State) -> int:
    """What the sending loop sends now: in recovery no more than a short burst for one ACK (RFC 6582, section 3.2)."""
    seq = sender.next_segment(tcp, state) if state.burst_left > 0 else NO_SEGMENT
    state.burst_left = ENDLESS if seq == NO_SEGMENT else state.burst_left - 1
    return seq
