"""TCP Westwood+: after a loss the window is what the path was seen to deliver, not half of what it was.

L. A. Grieco, S. Mascolo, "Performance evaluation and comparison of Westwood+, New Reno, and Vegas TCP congestion
control", ACM Computer Communication Review 34(2), 2004. The sender counts what ACKs tell of, takes a sample of the
bandwidth once a round trip, and smooths the samples. Bandwidths in segments per second.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from simcore.rules.congestion import standard
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.settings import Fraction, Strict
from simcore.rules.tcp.sender import LEAST_SSTHRESH, TcpState
from simcore.rules.why import Why

NAME: Final = "TCP Westwood+"
SINCE: Final = 2004
RECOVERY: Final = "newreno"

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK: the lost segment is sent again. ssthresh and cwnd become what fits into the "
        "shortest round trip at the bandwidth that ACKs have shown, so that the queue empties and the link stays full.",
        "Grieco and Mascolo 2004, section 2",
    ),
    "timeout": Why(
        "Timeout",
        "No ACK came in time: everything outstanding counts as lost. ssthresh becomes what fits into the shortest "
        "round trip at the bandwidth that ACKs have shown, cwnd one packet.",
        "Grieco and Mascolo 2004, section 2; RFC 6298, sections 5.4 to 5.6",
    ),
}

RECORDED: Final[Recorded] = {
    "bandwidth": Quantity("smoothed estimate of the bandwidth", "segments/s"),
    "least_rtt_s": Quantity("shortest round trip so far", "s"),
}


class Settings(Strict):
    """TCP Westwood+ (Mascolo et al. 2001 for the default)."""

    history: Fraction = Field(
        default=0.9, description="weight of the bandwidth's estimate so far when a sample comes", examples=[0.9]
    )


@dataclass(slots=True)
class State:
    """What Westwood+ goes by, and what it remembers."""

    history: float
    bandwidth: float = 0.0  # the smoothed estimate; 0 before the first sample
    least_rtt_s: float = 0.0
    rtt_s: float = 0.0  # the last one; 0 before the first
    sampled_at_s: float = 0.0
    delivered: int = 0  # segments that ACKs told of since then
    told_early: int = 0  # segments that duplicate ACKs told of, and a cumulative ACK will tell of again


def initial_state(settings: Settings, window: int) -> State:
    """Before the first ACK."""
    return State(history=settings.history)


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> None:
    """Count what the ACK tells of; once a round trip take a sample."""
    if ack >= tcp.highest_ack:
        state.delivered += newly_delivered(state, ack - tcp.highest_ack)
    elapsed_s = now - state.sampled_at_s
    if 0.0 < state.rtt_s <= elapsed_s:
        take_sample(state, state.delivered / elapsed_s)
        state.delivered = 0
        state.sampled_at_s = now


def newly_delivered(state: State, acknowledged: int) -> int:
    """Segments that have arrived since the last ACK (procedure AckedCount of Mascolo et al. 2001).

    A duplicate ACK tells of one, though not of which; the cumulative ACK that follows tells of it again.
    """
    if acknowledged == 0:
        state.told_early += 1
        return 1
    if acknowledged == 1:
        return 1
    if state.told_early >= acknowledged:
        state.told_early -= acknowledged
        return 1
    counted = acknowledged - state.told_early
    state.told_early = 0
    return counted


def take_sample(state: State, bandwidth: float) -> None:
    """Smooth the samples. The first one is the estimate."""
    smoothed = state.history * state.bandwidth + (1.0 - state.history) * bandwidth
    state.bandwidth = smoothed if state.bandwidth > 0.0 else bandwidth


def round_trip_measured(tcp: TcpState, state: State, rtt_s: float, now: float) -> None:
    """The shortest round trip is that without queues. With the first one the counting begins."""
    if state.rtt_s == 0.0:
        state.delivered = 0
        state.sampled_at_s = now
        state.least_rtt_s = rtt_s
    state.rtt_s = rtt_s
    state.least_rtt_s = min(state.least_rtt_s, rtt_s)


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """What fits into the path is left; half of the window while nothing is known of the path."""
    if state.bandwidth == 0.0:
        standard.loss_detected(tcp, state, now)
        return
    tcp.ssthresh = max(float(int(state.bandwidth * state.least_rtt_s)), float(LEAST_SSTHRESH))
    tcp.cwnd = min(tcp.cwnd, tcp.ssthresh)
