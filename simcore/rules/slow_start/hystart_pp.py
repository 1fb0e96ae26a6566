"""HyStart++ (RFC 9406): slow start that ends when round trips get longer, before the queue overflows.

When the shortest round trip of a round is clearly longer than that of the round before, the window goes on growing at
a quarter of the speed for five rounds (conservative slow start, CSS). If round trips get shorter again meanwhile, that
was jitter, and slow start resumes; else the window that was reached is ssthresh.

A round trip is that of the last segment which an ACK tells of, as of a segment that was sent once. Windows in packets,
where the RFC has bytes; names are the RFC's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.rules.causes import cause
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.slow_start import standard
from simcore.rules.tcp import send_times
from simcore.rules.tcp.sender import SLOW_START, TcpState, in_slow_start
from simcore.rules.why import Why

NAME: Final = "HyStart++"
SINCE: Final = 2023
ABOUT: Final = "slow start that ends when round trips get longer (RFC 9406)"
STACKS: Final = ("ns-2",)  # that of Linux has its own

# Section 4.3
MIN_RTT_THRESH_S: Final = 0.004
MAX_RTT_THRESH_S: Final = 0.016
MIN_RTT_DIVISOR: Final = 8
N_RTT_SAMPLE: Final = 8
CSS_GROWTH_DIVISOR: Final = 4
CSS_ROUNDS: Final = 5
L: Final = 8  # packets; without a limit where a sender paces, but no control that paces has this slow start

INFINITY_S: Final = 1e9
SLOWED: Final = cause("conservative_slow_start", is_usual=True)

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "slow_start": Why(
        "Slow start with HyStart++",
        "cwnd is below ssthresh: it grows by as many packets as the ACK tells of, until the round trips of a window "
        "are longer than those of the one before.",
        "RFC 9406, section 4.2",
    ),
    "conservative_slow_start": Why(
        "Conservative slow start",
        "Round trips have become longer: cwnd grows by a quarter of what the ACK tells of. After five rounds ssthresh "
        "is cwnd, unless round trips get shorter again.",
        "RFC 9406, section 4.2",
    ),
}

RECORDED: Final[Recorded] = {
    "is_conservative": Quantity("1 in conservative slow start, else 0", "1"),
    "last_round_min_rtt_s": Quantity("shortest round trip of the last round; 1e9 if there is none", "s"),
    "current_round_min_rtt_s": Quantity("shortest round trip of this round; 1e9 before the first", "s"),
}


@dataclass(slots=True, kw_only=True)
class State(send_times.SendTimes):
    """What HyStart++ remembers."""

    is_over: bool = False
    first_ssthresh: float = 0.0  # packets, as the connection begins
    acknowledged: int = -1  # the highest segment
    window_end: int = 0  # when this segment is acknowledged the round ends
    last_round_min_rtt_s: float = INFINITY_S
    current_round_min_rtt_s: float = INFINITY_S
    rtt_sample_count: int = 0
    is_conservative: bool = False
    css_baseline_min_rtt_s: float = INFINITY_S
    css_rounds: int = 0


arrays = send_times.send_times_arrays


def segment_sent(tcp: TcpState, state: State, seq: int, now: float) -> None:
    """Note when, while it matters."""
    if not state.is_over:
        send_times.segment_sent(tcp, state, seq, now)


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Open the window, and look whether round trips get longer (section 4.2)."""
    if tcp.highest_ack == 0:
        state.first_ssthresh = tcp.ssthresh
    if not goes_on(tcp, state):
        state.is_over = True
        standard.data_acknowledged(tcp, state, now)
        return
    grow(tcp, state)
    if tcp.highest_ack >= state.window_end:
        round_ended(tcp, state)
    rtt_s = send_times.round_trip_s(tcp, state, now)
    if rtt_s >= 0.0 and tcp.highest_ack > 0 and not state.is_over:  # the SYN is smaller than what follows
        sample_taken(state, rtt_s)


def goes_on(tcp: TcpState, state: State) -> bool:
    """Is this the initial slow start? Later ones are standard: they end at what this one has found (section 4.3).

    A loss or a mark ends it, and changes ssthresh (section 4.2).
    """
    return not state.is_over and in_slow_start(tcp) and tcp.ssthresh == state.first_ssthresh


def grow(tcp: TcpState, state: State) -> None:
    """What the ACK tells of, but no burst beyond `L`; a quarter of that in conservative slow start (section 4.2)."""
    packets = float(min(tcp.highest_ack - state.acknowledged, L))
    tcp.cwnd += packets / CSS_GROWTH_DIVISOR if state.is_conservative else packets
    tcp.cause = SLOWED if state.is_conservative else SLOW_START
    state.acknowledged = tcp.highest_ack


def round_ended(tcp: TcpState, state: State) -> None:
    """The next round ends when what is sent next is acknowledged. A partial round in CSS counts (section 4.2)."""
    state.window_end = tcp.next_seq
    state.last_round_min_rtt_s = state.current_round_min_rtt_s
    state.current_round_min_rtt_s = INFINITY_S
    state.rtt_sample_count = 0
    if state.is_conservative:
        state.css_rounds += 1
        if state.css_rounds == CSS_ROUNDS:
            tcp.ssthresh = tcp.cwnd
            state.is_over = True


def sample_taken(state: State, rtt_s: float) -> None:
    """A round trip was measured. From the eighth of a round on they tell whether a queue builds up (section 4.2)."""
    state.current_round_min_rtt_s = min(state.current_round_min_rtt_s, rtt_s)
    state.rtt_sample_count += 1
    if state.rtt_sample_count < N_RTT_SAMPLE:
        return
    if state.is_conservative:
        if state.current_round_min_rtt_s < state.css_baseline_min_rtt_s:  # it was jitter
            state.is_conservative = False
            state.css_baseline_min_rtt_s = INFINITY_S
    elif is_longer(state):
        state.is_conservative = True
        state.css_baseline_min_rtt_s = state.current_round_min_rtt_s
        state.css_rounds = 0


def is_longer(state: State) -> bool:
    """Are the round trips of this round longer than those of the last one, if that had any (section 4.2)?"""
    last_s = state.last_round_min_rtt_s
    thresh_s = max(MIN_RTT_THRESH_S, min(last_s / MIN_RTT_DIVISOR, MAX_RTT_THRESH_S))
    return last_s < INFINITY_S and state.current_round_min_rtt_s >= last_s + thresh_s
