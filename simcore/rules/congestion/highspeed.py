"""HighSpeed TCP (RFC 3649), as ns-2 computes it: large windows grow faster and are cut less.

Above `low_window` the window is to fit another response function: w = 38 at a loss rate of 1.5 / 38^2, and w = 83000
at 1e-7, on a straight line between them in logarithms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.elementary import exp, log
from simcore.rules.settings import Fraction, Strict, Window
from simcore.rules.tcp.sender import (
    CONGESTION_AVOIDANCE,
    TIMEOUT,
    TcpState,
    half_window,
    in_slow_start,
    window,
    window_in_use,
)
from simcore.rules.why import Why

NAME: Final = "HighSpeed TCP"
SINCE: Final = 2003
RECOVERY: Final = "sack"

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "congestion_avoidance": Why(
        "Congestion avoidance of HighSpeed TCP",
        "Above 38 packets cwnd grows by more than one packet every round trip, the faster the larger it is.",
        "RFC 3649, section 5",
    ),
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK: the lost segment is sent again. The larger the window, the smaller the part of it "
        "that is cut off; half of it up to 38 packets.",
        "RFC 3649, section 5",
    ),
}


class Settings(Strict):
    """HighSpeed TCP (RFC 3649, section 5 for names and defaults)."""

    low_window: Window = Field(default=38.0, description="packets; up to that it is standard TCP", examples=[38])
    high_window: Window = Field(default=83000.0, description="packets, at a loss rate of `high_p`", examples=[83000])
    high_p: Fraction = Field(default=1e-7, description="packets lost, of all, at `high_window`", examples=[1e-7])
    high_decrease: Fraction = Field(
        default=0.1, description="the part that a window of that size loses", examples=[0.1]
    )

    @model_validator(mode="after")
    def _high_window_is_higher(self) -> Self:
        if self.high_window <= self.low_window:
            raise PydanticCustomError(
                "high_window_is_low",
                "{high} is not allowed; must be greater than low_window, {low}",
                {"high": self.high_window, "low": self.low_window, "field": "high_window"},
            )
        return self


@dataclass(slots=True, kw_only=True)
class State:
    """What HighSpeed TCP goes by, and what it remembers. Slopes and values at one are of lines in logarithms."""

    low_window: float
    decrease_slope: float
    decrease_at_one: float
    loss_slope: float
    loss_at_one: float

    was_cut: bool = False
    decrease: float = 0.5  # the part that the last large window lost


def initial_state(settings: Settings, window: int) -> State:
    """Before the first ACK. The loss rate at the low window is that of standard TCP; RFC 3649 rounds it to 1e-3."""
    low, low_p = log(settings.low_window), log(1.5 / (settings.low_window * settings.low_window))
    window_span, loss_span = log(settings.high_window) - low, log(settings.high_p) - low_p
    return State(
        low_window=settings.low_window,
        decrease_slope=(settings.high_decrease - 0.5) / window_span,
        decrease_at_one=0.5 - low * (settings.high_decrease - 0.5) / window_span,
        loss_slope=loss_span / window_span,
        loss_at_one=low_p - low * loss_span / window_span,
    )


def decrease(state: State, cwnd: float) -> float:
    """The part of a window that a loss takes: b(w) of RFC 3649, section 5."""
    return _decrease(state, log(cwnd))


def increase(state: State, cwnd: float) -> float:
    """Packets that a window gains in a round trip: a(w) of RFC 3649, section 5."""
    logarithm = log(cwnd)
    loss_rate = exp(state.loss_at_one + logarithm * state.loss_slope)
    return cwnd * cwnd * loss_rate / (1.0 / _decrease(state, logarithm) - 0.5)


def _decrease(state: State, logarithm: float) -> float:
    return state.decrease_at_one + logarithm * state.decrease_slope


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Grow cwnd for one new ACK past slow start."""
    packets = increase(state, tcp.cwnd) if tcp.cwnd > state.low_window else 1.0
    tcp.cwnd += packets / tcp.cwnd
    tcp.cause = CONGESTION_AVOIDANCE


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """Reduce the window.

    ns-2 halves the window for the first loss of a connection and in slow start, and ssthresh also after a timeout.
    """
    half = half_window(tcp)
    is_large = tcp.cwnd > state.low_window
    if is_large:
        state.decrease = decrease(state, tcp.cwnd)
    halved = not state.was_cut or in_slow_start(tcp)
    left = left_of_large(tcp, state.decrease) if is_large else state.decrease * window_in_use(tcp)
    if tcp.whole_packet_cut:
        left = float(int(left))
    tcp.cwnd = half if halved or state.decrease == 0.5 else left
    tcp.ssthresh = half if halved or tcp.last_action == TIMEOUT else left
    state.was_cut = True


def left_of_large(tcp: TcpState, part: float) -> float:
    """What a loss leaves of a large window: ns-2 takes the part from the window itself, not from its whole packets."""
    in_use = window_in_use(tcp) if tcp.flight_size_cut else window(tcp)
    return in_use - part * in_use
