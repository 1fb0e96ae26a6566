"""TCP with selective acknowledgements (RFC 2018), as ns-2's Sack1 (Fall and Floyd 1996): Reno that knows its holes.

In fast recovery it sends whenever fewer packets than cwnd seem to be in the network (`pipe`), holes first.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules import acks, loss, ranges, scoreboard
from simcore.rules.acknowledgement import MOST_BLOCKS
from simcore.rules.tcp import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    ECHOED,
    NO_SEGMENT,
    NOTHING,
    RECOVERY_ENDED,
    RESEND,
    SEND,
    SEND_ONE,
    may_send_beyond_window,
    usable_window,
)

SELECTIVE_ACKS: Final = True


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
    return {"sacked_starts": places, "sacked_ends": places[:], "blocks": array("q", bytes(8 * 2 * MOST_BLOCKS))}


def ack_arrived(state: State, ack: int, now: float) -> int:
    """An ACK for all segments up to and including `ack` arrived at time `now`, and with it the blocks in `state`."""
    if state.recovering:
        return ack_arrived_in_recovery(state, ack, now)
    if ack > state.highest_ack:
        state.repeating = False
        scoreboard.clear(state)
        return acks.new_ack_arrived(state, ack, now)
    to_do = NOTHING
    if ack == state.highest_ack and not state.repeating:
        to_do = duplicate_ack_arrived(state)
    return to_do | SEND if state.duplicate_acks == 0 else to_do


def duplicate_ack_arrived(state: State) -> int:
    """The same ACK came again; it counts if its blocks tell of a segment that has newly arrived."""
    if not scoreboard.take_in(state):
        return NOTHING
    state.duplicate_acks += 1
    if state.duplicate_acks < DUPLICATE_ACK_THRESHOLD:
        return SEND_ONE if may_send_beyond_window(state) else NOTHING
    if state.duplicate_acks > DUPLICATE_ACK_THRESHOLD or not (loss.is_new(state) or state.last_action == ECHOED):
        return NOTHING
    state.recovering = True
    state.ack_at_loss = state.highest_ack
    state.pipe = state.highest_sent - state.highest_ack - DUPLICATE_ACK_THRESHOLD
    scoreboard.repaired(state, state.highest_ack + 1)
    if loss.is_new(state):
        loss.retransmit(state)
    else:  # the window was cut by an echo, but nothing repaired
        loss.repair(state)
    return ARM_TIMER | RESEND  # ns-2: the sending loop waits for the next ACK


def ack_arrived_in_recovery(state: State, ack: int, now: float) -> int:
    """A packet left the network."""
    state.pipe -= 1
    if ack >= state.recover:
        recovery_ended(state, ack, now)
        return ARM_TIMER | SEND
    if ack <= state.highest_ack:
        scoreboard.take_in(state)
        return SEND
    state.highest_ack = ack
    scoreboard.take_in(state)
    state.pipe -= 1  # ns-2: a partial ACK means that the repair and the lost segment itself have both left
    return ARM_TIMER | SEND


def recovery_ended(state: State, ack: int, now: float) -> None:
    """All that was outstanding at the loss is acknowledged. This ACK does not open the window."""
    state.recover = 0
    state.recovering = False
    scoreboard.clear(state)
    acks.take_in(state, ack, now)
    state.cause = RECOVERY_ENDED


def timer_expired(state: State, now: float) -> int:
    """No ACK in time. What SACK blocks told is forgotten (RFC 2018, section 8)."""
    state.recovering = False
    state.repeating = True
    scoreboard.clear(state)
    return loss.timer_expired(state, now)


def may_send(state: State) -> bool:
    """Does the sending loop look for a segment? ns-2's does, too, when it will find none."""
    if state.recovering:
        return state.pipe < int(state.cwnd) and state.ack_at_loss + 1 < state.data_end
    return state.next_seq <= state.highest_ack + usable_window(state) and state.highest_ack + 1 < state.data_end


def next_segment(state: State) -> int:
    """What the sending loop sends now: the next hole, or else something new."""
    if not may_send(state):
        return NO_SEGMENT
    window = state.window if state.recovering else usable_window(state)
    seq = scoreboard.next_hole(state)
    if seq == NO_SEGMENT:
        seq = state.next_seq
        if seq > state.highest_ack + window or seq >= state.data_end:
            return NO_SEGMENT
    elif state.recover == 0 or seq > state.highest_ack + state.window:
        return NO_SEGMENT
    else:
        scoreboard.repaired(state, seq)
    state.next_seq = max(state.next_seq, seq + 1)
    state.pipe += 1
    return seq
