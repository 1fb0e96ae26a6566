"""A Tahoe sender that acts once a round: what acknowledgements do to its window, and what it sends next.

Tahoe answers every loss alike, with slow start from one segment (Jacobson, "Congestion Avoidance and Control", 1988).
"""

from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass, field
from typing import Final

from simcore.rules.tcp.sender import DUPLICATE_ACK_THRESHOLD, LEAST_SSTHRESH

HOLE: Final = -1  # stands in a list of ACKs where a dropped segment would have been acknowledged
INITIAL_SSTHRESH_BYTES: Final = 65535  # the largest window of RFC 793's header
MOST_SEGMENTS: Final = 1024  # of a round: the receiver's 65536 bytes in the smallest segments that a scenario may have
TIMER_ROUNDS: Final = 3  # rounds without a new ACK that are borne; the next one is a timeout

# What a sender finds when it has read the ACKs of a round, by position in LOSSES.
LOSSES: Final = ("none", "three_duplicates", "timeout")
NO_LOSS: Final = 0
THREE_DUPLICATES: Final = 1
TIMEOUT: Final = 2

# What is sent in a round, by position in KINDS.
KINDS: Final = ("absent", "burst", "one_byte", "retransmission", "keep_alive")
ABSENT: Final = 0
BURST: Final = 1
ONE_BYTE: Final = 2
RETRANSMISSION: Final = 3
KEEP_ALIVE: Final = 4


@dataclass(slots=True)
class SenderState:
    """What a sender remembers, all of it in bytes; bytes are numbered from 0."""

    # Given by the scenario
    mss: int
    eighth_added: bool
    go_back_n: bool
    holes_skipped: bool

    # The congestion window
    cwnd: int
    ssthresh: int = INITIAL_SSTHRESH_BYTES
    slow_start: bool = True

    # Sequence numbers: the last byte sent and the last one acknowledged
    sent: int = -1
    acked: int = -1
    duplicates: int = 0
    timer: int = TIMER_ROUNDS


@dataclass(slots=True)
class Burst:
    """What a sender sends in a round: segments of one length, one behind the other, and which of them pass the router.

    Each number is written by one who handles the burst, and read by the next.
    """

    first: int = 0  # the number of its first byte
    length: int = 0  # of a segment, in bytes
    count: int = 0
    passed: MutableSequence[bool] = field(default_factory=lambda: [False] * MOST_SEGMENTS)


def acks_arrived(state: SenderState, acks: Iterable[int]) -> int:
    """Read the ACKs of the previous round in their order; return the loss that they tell of.

    The original stops at the first hole: what was acknowledged behind it is never known. A third duplicate ends the
    reading too.
    """
    for ack in acks:
        if ack == HOLE:
            if state.holes_skipped:
                continue
            break
        ack_arrived(state, ack)
        if state.duplicates >= DUPLICATE_ACK_THRESHOLD:
            react_to_loss(state)
            return round_over(state, THREE_DUPLICATES)
    return round_over(state, NO_LOSS)


def ack_arrived(state: SenderState, ack: int) -> None:
    """`ack` is the byte that the receiver expects next. Duplicates add up from round to round."""
    if ack <= state.acked + 1:
        state.duplicates += 1
        return
    state.acked = ack - 1
    if state.go_back_n:
        state.sent = max(state.sent, state.acked)  # the receiver may have held what was to be sent again
    open_window(state)
    state.duplicates = 0
    state.timer = TIMER_ROUNDS


def keep_alive_acks_arrived(state: SenderState, acks: Iterable[int]) -> None:
    """While the application pauses, ACKs move what is acknowledged and nothing else: the window is kept."""
    for ack in acks:
        if ack == HOLE and not state.holes_skipped:
            return
        state.acked = max(state.acked, ack - 1)


def open_window(state: SenderState) -> None:
    """Grow cwnd for one new ACK. Slow start ends above ssthresh, not at it.

    In congestion avoidance the original adds MSS/8 to MSS * MSS / cwnd, as BSD did once: the window grows by an
    eighth of itself every round, beside the one segment. RFC 5681, section 3.1, calls the term incorrect.
    """
    if state.slow_start:
        state.cwnd += state.mss
        state.slow_start = state.cwnd <= state.ssthresh
    else:
        eighth = state.mss // 8 if state.eighth_added else 0
        state.cwnd += state.mss * state.mss // state.cwnd + eighth


def react_to_loss(state: SenderState) -> None:
    """Tahoe: halve ssthresh (RFC 5681, equation (4), with cwnd for the flight size), start again from one segment.

    The original leaves `sent` where it is, so that each further loss of the same window needs three duplicates of its
    own. Going back N sends everything again.
    """
    state.ssthresh = max(state.cwnd // 2, LEAST_SSTHRESH * state.mss)
    state.cwnd = state.mss
    state.slow_start = True
    state.duplicates = 0
    state.timer = TIMER_ROUNDS
    if state.go_back_n:
        state.sent = state.acked


def round_over(state: SenderState, loss: int) -> int:
    """Count the timer down if something is outstanding, even in the round of a loss; return what was lost how."""
    if state.sent == state.acked:
        state.timer = TIMER_ROUNDS
        state.duplicates = 0
        return loss
    state.timer -= 1
    if state.timer >= 0:
        return loss
    react_to_loss(state)
    return TIMEOUT


def flight_size(state: SenderState) -> int:
    """Bytes sent and not acknowledged."""
    return state.sent - state.acked


def effective_window(state: SenderState, advertised: int) -> int:
    """Bytes that may be sent; one when there is no room, because the original then probes with a byte of new data."""
    return max(1, min(state.cwnd, advertised) - flight_size(state))


def kind_to_send(state: SenderState, advertised: int, loss: int) -> int:
    """After a loss the segment that is missing, else a burst if there is room for a whole segment."""
    if loss != NO_LOSS:
        return RETRANSMISSION
    return BURST if effective_window(state, advertised) >= state.mss else ONE_BYTE


def send(state: SenderState, burst: Burst, kind: int, window: int) -> None:
    """Put the segments of a round into the burst, when `window` bytes may be sent.

    A single byte is real data: it counts when it is acknowledged.
    """
    burst.first, burst.length, burst.count = state.sent + 1, 1, 1
    if kind == RETRANSMISSION:
        burst.first, burst.length = state.acked + 1, state.mss
        if state.go_back_n:
            state.sent += state.mss
    elif kind == BURST:
        burst.length, burst.count = state.mss, window // state.mss
        state.sent += burst.count * state.mss
    else:
        state.sent += 1
