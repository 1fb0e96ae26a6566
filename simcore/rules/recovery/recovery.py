"""What loss recovery is: a module of rules that finds out what is lost, and decides what is sent and sent again.

It tells the sender's congestion control (`simcore.rules.congestion.control`) of losses. Its rules are told of events in
the past tense; those that return a number answer what the sender is to do (flags of `simcore.rules.tcp.sender`). The
functions below tell and ask the recovery of a sender, whichever it is; the compiled engine replaces each by the rules
that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from simcore.rules.recorded import Recorded
from simcore.rules.tcp.sender import TcpState
from simcore.rules.why import Why

State = TypeVar("State")  # what a recovery remembers, of a class of its own: the second argument of every rule


@dataclass(frozen=True)
class Recovery(Generic[State]):
    """The rules of one loss recovery, and facts of the ns-2 agent that has it."""

    name: str  # in scenarios
    title: str  # for people
    control: str  # the congestion control where a scenario names only the recovery
    stack: str  # whose TCP it belongs to (see `simcore.rules.stack`)
    stands_for: tuple[str, ...]  # the recoveries whose place it takes there
    explanations: Mapping[str, Why]  # of causes, by name
    recorded: Recorded  # fields of its state that a run can record
    state: Callable[[int], State]  # (window in packets): what it remembers, at the start
    selective_acks: bool  # does it want SACK blocks, in `tcp.blocks` and `tcp.block_count` before `ack_arrived`?
    knows_ecn: bool  # can it take an echo of a mark (see `simcore.rules.tcp.ecn`)?
    counts_headers: bool  # do its packets have the sizes of the profile's headers and SYN, or just the packet size?
    creation_draws: int  # random numbers that ns-2 draws when it creates such a sender

    ack_arrived: Callable[[TcpState, State, int, float], int]  # (tcp, state, highest number acknowledged, now)
    timer_expired: Callable[[TcpState, State, float], int]  # (tcp, state, now)
    may_send: Callable[[TcpState, State], bool]  # has the sending loop something to do?
    next_segment: Callable[[TcpState, State], int]  # the segment to send now, or NO_SEGMENT
    segment_sent: Callable[[TcpState, State, int, float], bool]  # (tcp, state, seq, now): must the timer be started?
    in_flight: Callable[[TcpState, State], int]  # segments that are believed to be in the network
    is_recovering: Callable[[TcpState, State], bool]  # is what was lost being repaired, after a timeout too?
    losses: Callable[[TcpState, State], int]  # segments found to be lost since the start, where they are counted
    timer_s: Callable[[TcpState, State], float]  # what the timer that is started now is set to, in seconds


def ack_arrived(tcp: TcpState, ack: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `ack` arrived."""
    return tcp.recovery.ack_arrived(tcp, tcp.recovery_state, ack, now)


def timer_expired(tcp: TcpState, now: float) -> int:
    """The retransmission timer rang."""
    return tcp.recovery.timer_expired(tcp, tcp.recovery_state, now)


def may_send(tcp: TcpState) -> bool:
    """Has the sending loop something to do?"""
    return tcp.recovery.may_send(tcp, tcp.recovery_state)


def next_segment(tcp: TcpState) -> int:
    """The segment that the sending loop is to send now, which then counts as sent; NO_SEGMENT if there is none."""
    return tcp.recovery.next_segment(tcp, tcp.recovery_state)


def segment_sent(tcp: TcpState, seq: int, now: float) -> bool:
    """Segment `seq` was handed to the network; must the retransmission timer be started?"""
    return tcp.recovery.segment_sent(tcp, tcp.recovery_state, seq, now)


def in_flight(tcp: TcpState) -> int:
    """Segments that are believed to be in the network."""
    return tcp.recovery.in_flight(tcp, tcp.recovery_state)


def is_recovering(tcp: TcpState) -> bool:
    """Is what was lost being repaired, after a timeout too?"""
    return tcp.recovery.is_recovering(tcp, tcp.recovery_state)


def losses(tcp: TcpState) -> int:
    """Segments found to be lost since the start; 0 where the recovery does not count them."""
    return tcp.recovery.losses(tcp, tcp.recovery_state)


def timer_s(tcp: TcpState) -> float:
    """What the sender's timer is set to, in seconds, as it is started now: the retransmission timeout in ns-2."""
    return tcp.recovery.timer_s(tcp, tcp.recovery_state)
