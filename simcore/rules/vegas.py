"""TCP Vegas (Brakmo and Peterson 1995), as ns-2 has it: it watches round-trip times and slows down before losses come.

Two clocks: that of the retransmission timer, as in all variants, and a fine-grained one (`fine_clock`).
"""

from dataclasses import dataclass
from typing import Final

from simcore.rules import acks, fine_clock, loss, rto
from simcore.rules.tcp import (
    ARM_TIMER,
    CONGESTION_AVOIDANCE,
    DELAYED,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    FAST_RETRANSMIT,
    IDLE_TIMEOUT,
    INFLATED,
    LEAST_SSTHRESH,
    NOTHING,
    OPENED,
    RECOVERY_ENDED,
    RESEND,
    SEND,
    SLOW_START,
    TIMED_OUT,
    TIMEOUT,
    usable_window,
)

COUNTS_HEADERS: Final = False  # ns-2: its packets are of the packet size alone, the first one included
KNOWS_ECN: Final = False  # it has a way of its own to notice queues
CREATION_DRAWS: Final = 2  # ns-2: creating it resets it twice, and each reset draws a random number

ALPHA: Final = 1  # packets in queues: fewer, and the window grows
BETA: Final = 3  # more, and it shrinks
GAMMA: Final = 1  # more, and slow start ends
WINDOW_AFTER_TIMEOUT: Final = 2.0  # packets

arrays = fine_clock.arrays
segment_sent = fine_clock.segment_sent


@dataclass(slots=True, kw_only=True)
class State(fine_clock.FineClock):
    """What Vegas remembers beyond Reno."""

    # Once a round trip, when the tagged segment is acknowledged, the window is judged
    tagged_seq: int = 0
    tagged_s: float = 0.0
    increment: float = 0.0  # packets that each ACK adds to cwnd
    may_grow: bool = True  # slow start doubles the window every other round trip only

    # Losses
    deflated_cwnd: float = 0.0  # what cwnd is when recovery ends
    cut_s: float = 0.0  # when the window was cut last
    acks_to_check: int = 0  # ACKs after a retransmission that may show another segment to be late


def ack_arrived(state: State, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    clock_s = now - state.started_at_s
    if state.base_rtt_s < 0.0:
        fine_clock.first_ack_arrived(state, clock_s)
    to_do = NOTHING
    if ack > state.highest_ack:
        to_do = new_ack_arrived(state, ack, now, clock_s)
    elif ack == state.highest_ack:
        to_do = duplicate_ack_arrived(state, clock_s)
    may_send = state.duplicate_acks == 0 or state.duplicate_acks >= DUPLICATE_ACK_THRESHOLD
    return to_do | SEND if may_send else to_do


def new_ack_arrived(state: State, ack: int, now: float, clock_s: float) -> int:
    """New data were acknowledged: once a round trip judge the window, then let it grow, and take a sample."""
    if state.highest_ack == 0:  # ns-2 opens the window with the ACK after that of the first segment
        state.cwnd = state.initial_window
        state.cause = OPENED
    if state.duplicate_acks > DUPLICATE_ACK_THRESHOLD and state.cwnd > state.deflated_cwnd:
        state.cwnd = state.deflated_cwnd
        state.ssthresh = float(LEAST_SSTHRESH)
        state.cause = RECOVERY_ENDED
    before = state.highest_ack
    acks.take_in(state, ack, now)
    if ack >= state.tagged_seq:
        round_trip_ended(state, clock_s)
    grow(state)
    fine_clock.take_sample(state, before, clock_s)
    return ARM_TIMER | check_next(state, clock_s)


def round_trip_ended(state: State, clock_s: float) -> None:
    """Compare the throughput with what it would be without queues, in packets of difference; tag the next segment."""
    rtt_s = state.rtt_sum_s / state.rtt_count if state.rtt_count > 0 else clock_s - state.tagged_s
    state.rtt_sum_s = 0.0
    state.rtt_count = 0
    sent = state.next_seq - state.tagged_seq
    if rtt_s > 0.0:
        if rtt_s < state.base_rtt_s or sent <= 1:
            state.base_rtt_s = rtt_s
        actual = sent / rtt_s
        expected = (state.next_seq - state.highest_ack) / state.base_rtt_s
        judge(state, int((expected - actual) * state.base_rtt_s + 0.5))
    state.tagged_seq = state.next_seq
    state.tagged_s = clock_s


def judge(state: State, queued: int) -> None:
    """Decide what the window does in the next round trip, when about so many packets wait in queues."""
    if state.cwnd < state.ssthresh:
        state.may_grow = not state.may_grow
        if state.may_grow and queued > GAMMA:
            state.ssthresh = float(LEAST_SSTHRESH)
            shrink(state, state.cwnd - state.cwnd / 8.0)
        else:
            state.increment = 1.0 if state.may_grow else 0.0
    elif queued > BETA:
        shrink(state, state.cwnd - 1.0)
    else:
        state.increment = 1.0 / state.cwnd if queued < ALPHA else 0.0


def shrink(state: State, cwnd: float) -> None:
    """Less, but not below two packets, and no growth in the next round trip."""
    state.cwnd = max(cwnd, 2.0)
    state.increment = 0.0
    state.cause = DELAYED


def grow(state: State) -> None:
    """Add to the window what was decided for this round trip, unless too little of it is in use."""
    in_slow_start = state.cwnd < state.ssthresh
    if state.increment == 1.0 and not in_slow_start:
        state.increment = 0.0
    if state.increment > 0.0 and state.cwnd - (state.next_seq - state.highest_ack) <= 2.0:
        state.cwnd += state.increment
        state.cause = SLOW_START if in_slow_start else CONGESTION_AVOIDANCE


def check_next(state: State, clock_s: float) -> int:
    """After a retransmission the next two ACKs may show another lost segment; the window was already cut."""
    if state.acks_to_check == 0:
        return NOTHING
    state.acks_to_check -= 1
    if fine_clock.is_late(state, clock_s):
        state.duplicate_acks = DUPLICATE_ACK_THRESHOLD
        return RESEND
    state.acks_to_check = 0
    return NOTHING


def duplicate_ack_arrived(state: State, clock_s: float) -> int:
    """The same ACK came again: a segment that is late by the fine-grained clock need not wait for the third one."""
    state.duplicate_acks += 1
    if fine_clock.is_late(state, clock_s) or state.duplicate_acks == DUPLICATE_ACK_THRESHOLD:
        # ns-2 (bugFix_): duplicates of what a timeout sent again cause no fast retransmit
        if state.highest_ack > state.recover or state.last_action != TIMEOUT:
            return retransmit(state, clock_s)
    elif state.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        state.cwnd += 1.0
        state.cause = INFLATED
    return NOTHING


def retransmit(state: State, clock_s: float) -> int:
    """Send the first unacknowledged segment again; cut the window, unless it was cut since that was last sent."""
    place = (state.highest_ack + 1) % state.window
    sent_s, transmissions = state.sent_s[place], state.transmissions[place]
    state.last_action = DUPLICATE_ACKS
    state.recover = state.highest_sent
    state.acks_to_check = min(2, state.next_seq - state.highest_ack)
    state.fine_timeout_s += state.fine_timeout_s if transmissions > 1 else state.fine_timeout_s / 8.0
    if state.cut_s < sent_s:
        state.deflated_cwnd = float(reduced(usable_window(state), transmissions))
        state.cwnd = state.deflated_cwnd + state.duplicate_acks
        state.cut_s = clock_s
    state.cause = FAST_RETRANSMIT
    rto.back_off(state)  # ns-2: the coarse timer is backed off by a fast retransmit, too
    state.timing = False
    if transmissions == 1:
        state.duplicate_acks = DUPLICATE_ACK_THRESHOLD
    return ARM_TIMER | RESEND


def reduced(window: int, transmissions: int) -> int:
    """Three quarters of the window, a half if the segment was lost again, 2 of a small one."""
    if window <= 3:
        return 2
    return window >> 1 if transmissions > 1 else window - (window >> 2)


def timer_expired(state: State, now: float) -> int:
    """No ACK in time by the coarse clock; ns-2 does the same when nothing is outstanding."""
    state.cause = IDLE_TIMEOUT if state.highest_ack == state.highest_sent else TIMED_OUT
    state.timer_pending = False
    state.duplicate_acks = 0
    loss.start_over(state)
    state.last_action = TIMEOUT
    rto.back_off(state)
    state.cwnd = WINDOW_AFTER_TIMEOUT
    state.deflated_cwnd = 0.0
    state.cut_s = now - state.started_at_s
    return ARM_TIMER | SEND
