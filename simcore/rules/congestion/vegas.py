"""TCP Vegas (Brakmo and Peterson 1995), as ns-2 has it: it watches round-trip times and slows down before losses come.

It needs the round-trip time of every segment, which the recovery of the same name measures. Times count from when the
first segment was sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from simcore.rules.congestion import standard
from simcore.rules.settings import Strict
from simcore.rules.tcp.sender import (
    CONGESTION_AVOIDANCE,
    DELAYED,
    LEAST_SSTHRESH,
    SLOW_START,
    TcpState,
    in_slow_start,
    usable_window,
)
from simcore.rules.why import Why

NAME: Final = "TCP Vegas"
SINCE: Final = 1995
RECOVERY: Final = "vegas"
RECOVERIES: Final = ("vegas",)
OWN_SLOW_START: Final = True

Queued = Annotated[int, Field(ge=0, le=1_000_000)]

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "slow_start": Why(
        "Slow start of Vegas",
        "cwnd is below ssthresh and few packets wait in queues: one packet more for each ACK, in every other round "
        "trip only, so that the one between can be measured.",
        "Brakmo and Peterson 1995, section on slow start",
    ),
    "congestion_avoidance": Why(
        "Congestion avoidance of Vegas",
        "Fewer than one of its packets waits in queues: the window may grow by one packet in this round trip.",
        "Brakmo and Peterson 1995, section on congestion avoidance; ns-2: v_alpha_",
    ),
    "queueing_delay": Why(
        "Round trips take longer",
        "Vegas compares the throughput with what it would be without queues: too many of its packets wait in "
        "queues, so it sends fewer before anything is lost.",
        "Brakmo and Peterson 1995, section on congestion avoidance",
    ),
}

congestion_notified = standard.loss_detected
timer_expired = standard.loss_detected


class Settings(Strict):
    """TCP Vegas: how many of a flow's packets wait in queues (the defaults are ns-2's)."""

    alpha: Queued = Field(default=1, description="packets; with fewer the window grows (v_alpha_)", examples=[2])
    beta: Queued = Field(default=3, description="packets; with more it shrinks (v_beta_)", examples=[4])
    gamma: Queued = Field(default=1, description="packets; with more slow start ends (v_gamma_)", examples=[1])


@dataclass(slots=True)
class State:
    """What Vegas goes by, and what it remembers of round trips."""

    alpha: int  # packets
    beta: int
    gamma: int
    base_rtt_s: float = -1.0  # the shortest; negative before the first ACK
    rtt_sum_s: float = 0.0  # of the samples of this round trip
    rtt_count: int = 0

    # Once a round trip, when the tagged segment is acknowledged, the window is judged
    tagged_seq: int = 0
    tagged_s: float = 0.0
    increment: float = 0.0  # packets that each ACK adds to cwnd
    may_grow: bool = True  # slow start doubles the window every other round trip only


def initial_state(settings: Settings, window: int) -> State:
    """Before the first ACK."""
    return State(alpha=settings.alpha, beta=settings.beta, gamma=settings.gamma)


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> None:
    """The time since the first segment was sent is the first estimate."""
    if state.base_rtt_s < 0.0:
        state.base_rtt_s = now - tcp.started_at_s


def segment_timed(tcp: TcpState, state: State, rtt_s: float, now: float) -> None:
    """Take a sample of this round trip."""
    state.rtt_sum_s += rtt_s
    state.rtt_count += 1
    if rtt_s > 0.0:
        state.base_rtt_s = min(state.base_rtt_s, rtt_s)


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Once a round trip judge the window, then let it grow."""
    if tcp.highest_ack >= state.tagged_seq:
        round_trip_ended(tcp, state, now - tcp.started_at_s)
    grow(tcp, state)


def round_trip_ended(tcp: TcpState, state: State, clock_s: float) -> None:
    """Compare the throughput with what it would be without queues, in packets of difference; tag the next segment."""
    rtt_s = state.rtt_sum_s / state.rtt_count if state.rtt_count > 0 else clock_s - state.tagged_s
    state.rtt_sum_s = 0.0
    state.rtt_count = 0
    sent = tcp.next_seq - state.tagged_seq
    if rtt_s > 0.0:
        if rtt_s < state.base_rtt_s or sent <= 1:
            state.base_rtt_s = rtt_s
        actual = sent / rtt_s
        expected = (tcp.next_seq - tcp.highest_ack) / state.base_rtt_s
        judge(tcp, state, int((expected - actual) * state.base_rtt_s + 0.5))
    state.tagged_seq = tcp.next_seq
    state.tagged_s = clock_s


def judge(tcp: TcpState, state: State, queued: int) -> None:
    """Decide what the window does in the next round trip, when about so many packets wait in queues."""
    if in_slow_start(tcp):
        state.may_grow = not state.may_grow
        if state.may_grow and queued > state.gamma:
            tcp.ssthresh = float(LEAST_SSTHRESH)
            shrink(tcp, state, tcp.cwnd - tcp.cwnd / 8.0)
        else:
            state.increment = 1.0 if state.may_grow else 0.0
    elif queued > state.beta:
        shrink(tcp, state, tcp.cwnd - 1.0)
    else:
        state.increment = 1.0 / tcp.cwnd if queued < state.alpha else 0.0


def shrink(tcp: TcpState, state: State, cwnd: float) -> None:
    """Less, but not below two packets, and no growth in the next round trip."""
    tcp.cwnd = max(cwnd, 2.0)
    state.increment = 0.0
    tcp.cause = DELAYED


def grow(tcp: TcpState, state: State) -> None:
    """Add to the window what was decided for this round trip, unless too little of it is in use."""
    is_slow = in_slow_start(tcp)
    if state.increment == 1.0 and not is_slow:
        state.increment = 0.0
    if state.increment > 0.0 and tcp.cwnd - (tcp.next_seq - tcp.highest_ack) <= 2.0:
        tcp.cwnd += state.increment
        tcp.cause = SLOW_START if is_slow else CONGESTION_AVOIDANCE


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """Three quarters of the window are left."""
    window = usable_window(tcp)
    tcp.cwnd = float(2 if window <= 3 else window - (window >> 2))


def loss_repeated(tcp: TcpState, state: State, now: float) -> None:
    """A half, if the segment was lost again; 2 of a small window."""
    window = usable_window(tcp)
    tcp.cwnd = float(2 if window <= 3 else window >> 1)
