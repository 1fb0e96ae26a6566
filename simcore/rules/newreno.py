"""TCP NewReno: Reno that stays in fast recovery until all that was outstanding at the loss is acknowledged (RFC 6582).

ns-2 has the variant of RFC 6582's "impatient" timer and of its careful fast retransmit.
"""

from dataclasses import dataclass
from typing import Final

from simcore.rules import acks, loss, tcp
from simcore.rules.tcp import ARM_TIMER, DEFLATED, DUPLICATE_ACKS, ENDLESS, NO_SEGMENT, NOTHING, RESEND, SEND, TcpState

timer_expired = loss.timer_expired

BURST_IN_RECOVERY: Final = 2  # packets


@dataclass(slots=True)
class State(TcpState):
    """What NewReno remembers beyond Reno."""

    is_first_partial: bool = True  # has this recovery seen no partial ACK yet?
    burst_left: int = ENDLESS  # packets that this round of the sending loop may still send


def ack_arrived(state: State, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    if ack < state.highest_ack:
        return NOTHING
    if ack == state.highest_ack:
        to_do = loss.duplicate_ack_arrived(state, loss.is_new(state))
    elif ack < state.recover and state.last_action == DUPLICATE_ACKS:
        to_do = partial_ack_arrived(state, ack)
    else:
        state.is_first_partial = True
        to_do = acks.new_ack_arrived(state, ack, now)
    # ns-2: what was held back for a while leaves as one burst
    may_burst = state.duplicate_acks == 0 or state.send_jitter_s > 0.0
    state.burst_left = ENDLESS if may_burst else BURST_IN_RECOVERY
    return to_do


def partial_ack_arrived(state: State, ack: int) -> int:
    """A repair arrived, but another segment of the same window is missing: repair that one, and deflate.

    RFC 6582, section 3.2, step 3. The timer starts anew for the first partial ACK only, so that a timeout ends the
    repair of many losses, one a round trip ("impatient"; ns-2: newreno_changes1_).
    """
    deflate(state, ack - state.highest_ack)
    state.highest_ack = ack
    state.next_seq = max(state.next_seq, ack + 1)
    rearm = ARM_TIMER if state.is_first_partial else NOTHING
    state.is_first_partial = False
    return rearm | RESEND | SEND


def deflate(state: State, acknowledged: int) -> None:
    """Take back the inflation for segments that have now left the window, keeping one packet for the repair.

    ns-2 (partial_window_deflation_) takes what exceeds the inflation from cwnd itself.
    """
    if state.inflation > acknowledged:
        state.inflation -= acknowledged - 1
    else:
        state.cwnd -= acknowledged - state.inflation
        state.inflation = 1
    state.cwnd = max(state.cwnd, 1.0)
    state.cause = DEFLATED


def next_segment(state: State) -> int:
    """What the sending loop sends now: in recovery no more than a short burst for one ACK (RFC 6582, section 3.2)."""
    seq = tcp.next_segment(state) if state.burst_left > 0 else NO_SEGMENT
    state.burst_left = ENDLESS if seq == NO_SEGMENT else state.burst_left - 1
    return seq
