"""How TCP Vegas finds losses (Brakmo and Peterson 1995), as ns-2 has it: before the third duplicate ACK, by the clock.

Two clocks: that of the retransmission timer, as in all variants, and a fine-grained one (`fine_clock`). When its window
grows and how much a loss takes is said by the congestion control of the same name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.rules.congestion import control
from simcore.rules.recovery import fine_clock, loss
from simcore.rules.slow_start import slow_start
from simcore.rules.tcp import acks, rto
from simcore.rules.tcp.sender import (
    ARM_TIMER,
    DUPLICATE_ACK_THRESHOLD,
    DUPLICATE_ACKS,
    IDLE_TIMEOUT,
    INFLATED,
    LEAST_SSTHRESH,
    NOTHING,
    OPENED,
    RECOVERY_ENDED,
    RESEND,
    SEND,
    TIMEOUT,
    TcpState,
    count_fast_retransmit,
    count_timeout,
)
from simcore.rules.why import Why

NAME: Final = "TCP Vegas"
SINCE: Final = 1995
CONTROL: Final = "vegas"
COUNTS_HEADERS: Final = False  # ns-2: its packets are of the packet size alone, the first one included
KNOWS_ECN: Final = False  # it has a way of its own to notice queues
CREATION_DRAWS: Final = 2  # ns-2: creating it resets it twice, and each reset draws a random number

WINDOW_AFTER_TIMEOUT: Final = 2.0  # packets

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "fast_retransmit": Why(
        "Fast retransmit of Vegas",
        "By its fine-grained clock a segment is late, or a third duplicate ACK came: it is sent again. The window "
        "loses a quarter, or half if the segment was lost again; not twice for losses of the same window.",
        "Brakmo and Peterson 1995, section on retransmission; ns-2: VegasTcpAgent::recv()",
    ),
    "inflation": Why(
        "Fast recovery: the window is inflated",
        "A further duplicate ACK: another packet has left the network. Vegas adds it to cwnd itself.",
        "ns-2: VegasTcpAgent::recv()",
    ),
    "timeout": Why(
        "Timeout",
        "No ACK came in time: everything outstanding counts as lost. cwnd becomes two packets.",
        "ns-2: VegasTcpAgent::timeout()",
    ),
    "idle_timeout": Why(
        "The timer rang with nothing outstanding",
        "The timer was still set although all was acknowledged: cwnd becomes two packets.",
        "ns-2: VegasTcpAgent::timeout()",
    ),
}

arrays = fine_clock.arrays
segment_sent = fine_clock.segment_sent


@dataclass(slots=True, kw_only=True)
class State(fine_clock.FineClock):
    """What Vegas remembers of losses."""

    deflated_cwnd: float = 0.0  # what cwnd is when recovery ends
    cut_s: float = 0.0  # when the window was cut last
    acks_to_check: int = 0  # ACKs after a retransmission that may show another segment to be late


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived at time `now`."""
    clock_s = now - tcp.started_at_s
    if state.is_new:
        fine_clock.first_ack_arrived(state, clock_s)
    to_do = NOTHING
    if ack > tcp.highest_ack:
        to_do = new_ack_arrived(tcp, state, ack, now)
    elif ack == tcp.highest_ack:
        to_do = duplicate_ack_arrived(tcp, state, now)
    may_send = tcp.duplicate_acks == 0 or tcp.duplicate_acks >= DUPLICATE_ACK_THRESHOLD
    return to_do | SEND if may_send else to_do


def new_ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> int:
    """New data were acknowledged: recovery is over, the window may grow, and the clock has a sample."""
    if tcp.highest_ack == 0:  # ns-2 opens the window with the ACK after that of the first segment
        tcp.cwnd = tcp.initial_window
        tcp.cause = OPENED
    if tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD and tcp.cwnd > state.deflated_cwnd:
        tcp.cwnd = state.deflated_cwnd
        tcp.ssthresh = float(LEAST_SSTHRESH)
        tcp.cause = RECOVERY_ENDED
    before = tcp.highest_ack
    acks.take_in(tcp, ack, now)
    slow_start.data_acknowledged(tcp, now)
    fine_clock.take_sample(tcp, state, before, now)
    return ARM_TIMER | check_next(tcp, state, now)


def check_next(tcp: TcpState, state: State, now: float) -> int:
    """After a retransmission the next two ACKs may show another lost segment; the window was already cut."""
    if state.acks_to_check == 0:
        return NOTHING
    state.acks_to_check -= 1
    if fine_clock.is_late(tcp, state, now - tcp.started_at_s):
        tcp.duplicate_acks = DUPLICATE_ACK_THRESHOLD
        return RESEND
    state.acks_to_check = 0
    return NOTHING


def duplicate_ack_arrived(tcp: TcpState, state: State, now: float) -> int:
    """The same ACK came again: a segment that is late by the fine-grained clock need not wait for the third one."""
    tcp.duplicate_acks += 1
    is_late = fine_clock.is_late(tcp, state, now - tcp.started_at_s)
    if is_late or tcp.duplicate_acks == DUPLICATE_ACK_THRESHOLD:
        # ns-2 (bugFix_): duplicates of what a timeout sent again cause no fast retransmit
        if tcp.highest_ack > tcp.recover or tcp.last_action != TIMEOUT:
            return retransmit(tcp, state, now)
    elif tcp.duplicate_acks > DUPLICATE_ACK_THRESHOLD:
        tcp.cwnd += 1.0
        tcp.cause = INFLATED
    return NOTHING


def retransmit(tcp: TcpState, state: State, now: float) -> int:
    """Send the first unacknowledged segment again; cut the window, unless it was cut since that was last sent."""
    place = (tcp.highest_ack + 1) % tcp.window
    sent_s, transmissions = state.sent_s[place], state.transmissions[place]
    tcp.last_action = DUPLICATE_ACKS
    tcp.recover = tcp.highest_sent
    state.acks_to_check = min(2, tcp.next_seq - tcp.highest_ack)
    state.fine_timeout_s += state.fine_timeout_s if transmissions > 1 else state.fine_timeout_s / 8.0
    if state.cut_s < sent_s:
        cut(tcp, state, transmissions, now)
    count_fast_retransmit(tcp)
    rto.back_off(tcp)  # ns-2: the coarse timer is backed off by a fast retransmit, too
    tcp.timing = False
    if transmissions == 1:
        tcp.duplicate_acks = DUPLICATE_ACK_THRESHOLD
    return ARM_TIMER | RESEND


def cut(tcp: TcpState, state: State, transmissions: int, now: float) -> None:
    """The control reduces the window; duplicate ACKs inflate what it leaves."""
    if transmissions > 1:
        control.loss_repeated(tcp, now)
    else:
        control.loss_detected(tcp, now)
    state.deflated_cwnd = tcp.cwnd
    tcp.cwnd += tcp.duplicate_acks
    state.cut_s = now - tcp.started_at_s


def timer_expired(tcp: TcpState, state: State, now: float) -> int:
    """No ACK in time by the coarse clock; ns-2 does the same when nothing is outstanding."""
    if tcp.highest_ack == tcp.highest_sent:
        tcp.cause = IDLE_TIMEOUT
    else:
        count_timeout(tcp)
    tcp.timer_pending = False
    tcp.duplicate_acks = 0
    loss.start_over(tcp, now)
    tcp.last_action = TIMEOUT
    rto.back_off(tcp)
    tcp.cwnd = WINDOW_AFTER_TIMEOUT
    state.deflated_cwnd = 0.0
    state.cut_s = now - tcp.started_at_s
    return ARM_TIMER | SEND
