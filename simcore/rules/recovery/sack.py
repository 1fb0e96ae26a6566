"""TCP with selective acknowledgements (RFC 2018), as ns-2's Sack1 (Fall and Floyd 1996): Reno that knows its holes.

In fast recovery it sends whenever fewer packets than cwnd seem to be in the network (`pipe`), holes first.
"""

from array import array
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules import ranges
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.recovery import loss, scoreboard
from simcore.rules.tcp import acks
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    ECHOED,
    NO_SEGMENT,
    NOTHING,
    RECOVERY_ENDED,
    RESEND,
    SEND,
    SEND_ONE,
    TcpState,
    may_send_beyond_window,
    outstanding,
    usable_window,
)
from simcore.rules.why import Why

NAME: Final = "TCP SACK"
SINCE: Final = 1996
SELECTIVE_ACKS: Final = True
EXPLANATIONS: Final[Mapping[str, Why]] = {
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK with new SACK blocks: the window is cut, and the sender fills the holes that the "
        "blocks show whenever fewer packets than cwnd are in the network.",
        "RFC 2018; Fall and Floyd 1996 (ns-2: Sack1)",
    ),
    "recovery_end": Why(
        "Fast recovery ends",
        "All that was outstanding at the loss is acknowledged. This ACK does not open the window.",
        "Fall and Floyd 1996 (ns-2: Sack1)",
    ),
}

RECORDED: Final[Recorded] = {
    "pipe": Quantity("packets believed to be in the network, counted in fast recovery only", "packets"),
}


@dataclass(slots=True, kw_only=True)
class State(scoreboard.Scoreboard):
    """What the SACK sender remembers beyond Reno."""

    recovering: bool = False
    pipe: int = 0  # packets believed to be in the network, counted in fast recovery only
    repeating: bool = False  # since a timeout, until new data are acknowledged: duplicate ACKs say nothing
    ack_at_loss: int = -1  # the highest ACK when recovery began


def arrays(window: int) -> dict[str, MutableSequence[int]]:
    """The arrays of a state, for a window of so many packets."""
    places = array("q", bytes(8 * ranges.room(window)))
    return {"sacked_starts": places, "sacked_ends": places[:]}


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> int:
    """An ACK for all segments up to and including `ack` arrived at time `now`, and with it the blocks in `tcp`."""
    if state.recovering:
        return ack_arrived_in_recovery(tcp, state, ack, now)
    if ack > tcp.highest_ack:
        state.repeating = False
        scoreboard.clear(state)
        return acks.new_ack_arrived(tcp, ack, now)
    to_do = NOTHING
    if ack == tcp.highest_ack and not state.repeating:
        to_do = duplicate_ack_arrived(tcp, state, now)
    return to_do | SEND if tcp.duplicate_acks == 0 else to_do


def in_flight(tcp: TcpState, state: State) -> int:
    """What is counted in fast recovery; before it, all that is outstanding."""
    return state.pipe if state.recovering else outstanding(tcp)


def duplicate_ack_arrived(tcp: TcpState, state: State, now: float) -> int:
    """The same ACK came again; it counts if its blocks tell of a segment that has newly arrived."""
    if not scoreboard.take_in(tcp, state):
        return NOTHING
    tcp.duplicate_acks += 1
    if tcp.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(tcp) else NOTHING
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD or not (loss.is_new(tcp) or tcp.last_action == ECHOED):
        return NOTHING
    state.recovering = True
    state.ack_at_loss = tcp.highest_ack
    state.pipe = outstanding(tcp) - DUPLICATE_ACK_THRESHOLD
    scoreboard.repaired(state, tcp.highest_ack + 1)
    if loss.is_new(tcp):
        loss.retransmit(tcp, now)
    else:  # the window was cut by an echo, but nothing repaired
        loss.repair(tcp)
    return ARM_TIMER | RESEND  # ns-2: the sending loop waits for the next ACK


def ack_arrived_in_recovery(tcp: TcpState, state: State, ack: int, now: float) -> int:
    """A packet left the network."""
    state.pipe -= 1
    if ack >= tcp.recover:
        recovery_ended(tcp, state, ack, now)
        return ARM_TIMER | SEND
    if ack <= tcp.highest_ack:
        scoreboard.take_in(tcp, state)
        return SEND
    tcp.highest_ack = ack
    scoreboard.take_in(tcp, state)
    state.pipe -= 1  # ns-2: a partial ACK means that the repair and the lost segment itself have both left
    return ARM_TIMER | SEND


def recovery_ended(tcp: TcpState, state: State, ack: int, now: float) -> None:
    """All that was outstanding at the loss is acknowledged. This ACK does not open the window."""
    tcp.recover = 0
    state.recovering = False
    scoreboard.clear(state)
    acks.take_in(tcp, ack, now)
    tcp.cause = RECOVERY_ENDED


def timer_expired(tcp: TcpState, state: State, now: float) -> int:
    """No ACK in time. What SACK blocks told is forgotten (RFC 2018, section 8)."""
    state.recovering = False
    state.repeating = True
    scoreboard.clear(state)
    return loss.timer_expired(tcp, state, now)


def may_send(tcp: TcpState, state: State) -> bool:
    """Does the sending loop look for a segment? ns-2's does, too, when it will find none."""
    if state.recovering:
        return state.pipe < int(tcp.cwnd) and state.ack_at_loss + 1 < tcp.data_end
    return tcp.next_seq <= tcp.highest_ack + usable_window(tcp) and tcp.highest_ack + 1 < tcp.data_end


def next_segment(tcp: TcpState, state: State) -> int:
    """What the sending loop sends now: the next hole, or else something new."""
    if not may_send(tcp, state):
        return NO_SEGMENT
    window = tcp.window if state.recovering else usable_window(tcp)
    seq = scoreboard.next_hole(tcp, state)
    if seq == NO_SEGMENT:
        seq = tcp.next_seq
        if seq > tcp.highest_ack + window or seq >= tcp.data_end:
            return NO_SEGMENT
    elif tcp.recover == 0 or seq > tcp.highest_ack + tcp.window:
        return NO_SEGMENT
    else:
        scoreboard.repaired(state, seq)
    tcp.next_seq = max(tcp.next_seq, seq + 1)
    state.pipe += 1
    return seq
