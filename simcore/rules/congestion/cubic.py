"""CUBIC (RFC 9438): the window is a cubic function of the time since the last loss, whatever the round-trip time.

Windows in packets, times in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from simcore.rules.elementary import power
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.settings import Fraction, Positive, Strict
from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, TcpState, window_in_use
from simcore.rules.why import Why

NAME: Final = "TCP CUBIC"
SINCE: Final = 2008
RECOVERY: Final = "sack"

FASTEST: Final = 1.5  # the window grows by at most half in a round trip; section 4.2

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "congestion_avoidance": Why(
        "Congestion avoidance of CUBIC",
        "cwnd follows a cubic function of the time since the last loss: quickly towards the window at that loss, "
        "flat around it, then searching beyond; but at least as fast as Reno.",
        "RFC 9438, sections 4.2 and 4.3",
    ),
    "fast_retransmit": Why(
        "Fast retransmit",
        "A loss is told by duplicate ACKs: cwnd and ssthresh fall to 0.7 (beta) of the window, the next "
        "plateau; less than it if the window had not reached the last plateau (fast convergence).",
        "RFC 9438, sections 4.6 and 4.7",
    ),
    "recovery_end": Why(
        "Fast recovery ends",
        "All that was outstanding at the loss is acknowledged. A new cubic curve begins.",
        "RFC 9438, section 4.2",
    ),
    "timeout": Why(
        "Timeout",
        "No ACK came in time: everything outstanding counts as lost. ssthresh becomes 0.7 of the window, cwnd one "
        "packet; the sender begins again behind the last acknowledged segment, and doubles the timeout.",
        "RFC 9438, section 4.8; RFC 6298, sections 5.4 to 5.6",
    ),
}

RECORDED: Final[Recorded] = {
    "plateau": Quantity("plateau of the cubic function: W_max of RFC 9438", "packets"),
    "reno_window": Quantity("what a Reno with the same decrease would have: W_est", "packets"),
}


class Settings(Strict):
    """CUBIC (RFC 9438, section 5 for the defaults)."""

    c: Positive = Field(default=0.4, description="how fast the cubic function is, in packets / s^3", examples=[0.4])
    beta: Fraction = Field(default=0.7, description="what a loss leaves of the window (section 4.6)", examples=[0.7])
    fast_convergence: bool = Field(
        default=True, description="leave more room after a loss below the last plateau (section 4.7)", examples=[False]
    )


@dataclass(slots=True)
class State:
    """What CUBIC goes by, and what it remembers of the window."""

    c: float
    beta: float
    fast_convergence: bool
    friendly: float  # the increase of a Reno with that decrease; section 4.3

    plateau: float = 0.0  # packets: W_max of RFC 9438
    plateau_s: float = 0.0  # its K: time from the beginning of the epoch until the plateau
    epoch_s: float = -1.0  # when the epoch began; negative: with the next new ACK
    reno_window: float = 0.0  # packets: its W_est
    window_at_loss: float = 0.0  # packets: its cwnd_prior


def initial_state(settings: Settings, window: int) -> State:
    """Before the first ACK."""
    return State(
        c=settings.c,
        beta=settings.beta,
        fast_convergence=settings.fast_convergence,
        friendly=3.0 * (1.0 - settings.beta) / (1.0 + settings.beta),
    )


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Grow cwnd for one new ACK past slow start (section 4.2)."""
    if state.epoch_s < 0.0:
        begin_epoch(tcp, state, now)
    round_trip_s = tcp.srtt / 8.0 * tcp.tick_s
    elapsed_s = now - state.epoch_s
    target = min(max(window_after(state, elapsed_s + round_trip_s), tcp.cwnd), FASTEST * tcp.cwnd)
    # Section 4.3: once the estimate is back at the window of the last loss, it grows like Reno itself.
    state.reno_window += (state.friendly if state.reno_window < state.window_at_loss else 1.0) / tcp.cwnd
    if window_after(state, elapsed_s) < state.reno_window:
        tcp.cwnd = max(tcp.cwnd, state.reno_window)
    else:
        tcp.cwnd += (target - tcp.cwnd) / tcp.cwnd
    tcp.cause = CONGESTION_AVOIDANCE


def begin_epoch(tcp: TcpState, state: State, now: float) -> None:
    """Congestion avoidance begins: the plateau is reached `plateau_s` from now (section 4.2, equation 2)."""
    state.epoch_s = now
    state.reno_window = tcp.cwnd
    state.plateau = max(state.plateau, tcp.cwnd)
    state.plateau_s = power((state.plateau - tcp.cwnd) / state.c, 1.0 / 3.0)


def window_after(state: State, elapsed_s: float) -> float:
    """W_cubic (section 4.2, equation 1)."""
    since_plateau_s = elapsed_s - state.plateau_s
    return state.c * since_plateau_s * since_plateau_s * since_plateau_s + state.plateau


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """Reduce the window (sections 4.6 and 4.7).

    Fast convergence: a window that is cut below its last plateau leaves more room to newcomers.
    """
    in_use = window_in_use(tcp)
    converges = state.fast_convergence and in_use < state.plateau
    state.plateau = in_use * (1.0 + state.beta) / 2.0 if converges else in_use
    state.window_at_loss = in_use
    state.epoch_s = -1.0
    tcp.cwnd = state.beta * in_use
    tcp.ssthresh = tcp.cwnd
