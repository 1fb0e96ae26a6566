"""What a sender of Linux remembers: notes on every outstanding segment, and how many of them are where.

A segment's notes lie in a ring of exactly one window, at its number modulo the window.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.tcp.sender import TcpState, outstanding

# The state of congestion, in the order that Linux has: include/uapi/linux/tcp.h, enum tcp_ca_state
OPEN: Final = 0
DISORDER: Final = 1  # duplicate ACKs came, or SACK blocks
REDUCING: Final = 2  # a mark came back: cwnd shrinks, nothing is lost (Linux: CWR)
RECOVERY: Final = 3
LOSS: Final = 4  # the retransmission timer rang

# Marks of a segment: Linux, include/net/tcp.h, TCPCB_...
SACKED: Final = 1
REPEATED: Final = 2  # sent again, and that is believed to be under way
LOST: Final = 4
EVER_REPEATED: Final = 8

# What the timer that runs is for
NO_TIMER: Final = 0
TIMEOUT: Final = 1
PROBE: Final = 2  # of the tail of what was sent: RFC 8985, section 7
REORDERING: Final = 3  # a segment is lost unless it is told of soon: RFC 8985, section 6.3

RECORDED: Final[Recorded] = {
    "sacked": Quantity("outstanding segments that arrived early (Linux: sacked_out)", "segments"),
    "lost": Quantity("outstanding segments that are lost (Linux: lost_out)", "segments"),
    "repeated": Quantity("segments sent again that are believed to be under way (Linux: retrans_out)", "segments"),
    "delivered": Quantity("segments delivered since the start", "segments"),
}

NEVER_S: Final = -1.0
NO_NUMBER: Final = -1


@dataclass(slots=True, kw_only=True)
class Connection:
    """The state that both recoveries have. Counts are of segments, times in seconds."""

    selective: bool = False  # does the receiver tell by SACK blocks what came early?
    sent_s: MutableSequence[float]  # when each outstanding segment was last sent
    marks: MutableSequence[int]
    ca_state: int = OPEN
    high_seq: int = NO_NUMBER  # the highest number sent when this state began

    # Of the outstanding segments
    sacked: int = 0  # arrived early: told by SACK blocks, or as many as duplicate ACKs came
    lost: int = 0
    repeated: int = 0

    # In all, since the start
    delivered: int = 0
    delivered_before: int = 0  # the ACK that is being taken in
    losses: int = 0

    # Proportional rate reduction: RFC 6937
    prior_cwnd: int = 0
    prr_delivered: int = 0
    prr_out: int = 0

    # Was cwnd what kept the sender from sending more?
    sent_new: bool = False  # since that was asked last
    cwnd_limited: bool = False
    most_outstanding: int = 0
    usage_seq: int = NO_NUMBER

    # Round trips: see `round_trips`
    first_acked_s: float = NEVER_S  # when the first segment that the ACK tells of was sent, NEVER_S if that is unknown
    last_acked_s: float = NEVER_S
    first_sacked_s: float = NEVER_S
    last_sacked_s: float = NEVER_S
    least_rtt_s: float = NEVER_S
    deviation: int = 0  # quarters of ticks
    deviation_max: int = 0
    variance: int = 0  # ticks: what is added to the smoothed round trip
    variance_seq: int = NO_NUMBER

    # The timer
    pending: int = NO_TIMER
    timer_s: float = 0.0  # what it is set to
    timeouts: int = 0  # in a row
    probe_seq: int = NO_NUMBER  # the highest number sent when a probe of the tail left
    probe_repeats: bool = False  # did the probe repeat a segment?

    # RACK: see `rack`
    rack_advanced: bool = False
    rack_rtt_s: float = 0.0
    rack_sent_s: float = NEVER_S
    rack_seq: int = NO_NUMBER


def arrays(window: int) -> dict[str, object]:
    """The arrays of a state, for a window of so many packets."""
    return {"sent_s": array("d", bytes(8 * window)), "marks": array("q", bytes(8 * window))}


def in_flight(tcp: TcpState, state: Connection) -> int:
    """Segments that are believed to be in the network (Linux: tcp_packets_in_flight())."""
    return outstanding(tcp) - state.sacked - state.lost + state.repeated


def is_reducing(state: Connection) -> bool:
    """Is cwnd on its way down to ssthresh (Linux: tcp_in_cwnd_reduction())?"""
    return state.ca_state == REDUCING or state.ca_state == RECOVERY


def is_recovering(tcp: TcpState, state: Connection) -> bool:
    """Is what was lost being repaired, after a timeout too?"""
    return state.ca_state >= RECOVERY


def losses(tcp: TcpState, state: Connection) -> int:
    """Segments marked as lost since the start (Linux: tp->lost)."""
    return state.losses


def mark_lost(tcp: TcpState, state: Connection, seq: int) -> None:
    """Segment `seq` is lost; if it was lost before, what was sent again is (Linux: tcp_mark_skb_lost())."""
    place = seq % tcp.window
    marks = state.marks[place]
    if marks & SACKED:
        return
    if not marks & LOST:
        state.marks[place] = marks | LOST
        state.lost += 1
        state.losses += 1
    elif marks & REPEATED:
        state.marks[place] = marks - REPEATED
        state.repeated -= 1
        state.losses += 1
