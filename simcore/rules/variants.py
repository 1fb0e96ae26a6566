"""The TCP variants by name. A new one is a module of rules, entered here; every engine then has it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from simcore.rules import cubic, growth, newreno, reno, sack, tahoe, tcp, vegas

# The rule functions of a variant receive its own state class, which may extend TcpState; hence Any.


@dataclass(frozen=True)
class Variant:
    """What an engine needs of a variant. Events return what the sender is to do (flags of `simcore.rules.tcp`)."""

    state: type[tcp.TcpState]
    arrays: Callable[[int], dict[str, Any]]  # (window in packets): the arrays of a state
    ack_arrived: Callable[[Any, int, float], int]  # (tcp, highest sequence number acknowledged, now)
    timer_expired: Callable[[Any, float], int]  # (tcp, now)
    may_send: Callable[[Any], bool]  # (tcp): has the sending loop something to do?
    next_segment: Callable[[Any], int]  # (tcp): the segment to send now, or NO_SEGMENT
    segment_sent: Callable[[Any, int, float], bool]  # (tcp, seq, now): must the timer be started?
    selective_acks: bool  # does it want SACK blocks, in `tcp.blocks` and `tcp.block_count` before `ack_arrived`?
    knows_ecn: bool  # can it take an echo of a mark (see `simcore.rules.ecn`)?
    counts_headers: bool  # do its packets have the sizes of the profile's headers and SYN, or just the packet size?
    growth: int  # of its window, where the flow doesn't say: see `simcore.rules.growth`
    creation_draws: int  # random numbers that ns-2 draws when it creates such a sender


VARIANTS: dict[str, Variant] = {}


def register(name: str, rules: ModuleType | Any) -> None:
    """Enter a variant. What its module doesn't define is as in `simcore.rules.tcp`."""
    VARIANTS[name] = Variant(
        state=getattr(rules, "State", tcp.TcpState),
        arrays=getattr(rules, "arrays", no_arrays),
        ack_arrived=rules.ack_arrived,
        timer_expired=rules.timer_expired,
        may_send=getattr(rules, "may_send", tcp.may_send),
        next_segment=getattr(rules, "next_segment", tcp.next_segment),
        segment_sent=getattr(rules, "segment_sent", tcp.segment_sent),
        selective_acks=getattr(rules, "SELECTIVE_ACKS", False),
        knows_ecn=getattr(rules, "KNOWS_ECN", True),
        counts_headers=getattr(rules, "COUNTS_HEADERS", True),
        growth=getattr(rules, "GROWTH", growth.STANDARD),
        creation_draws=getattr(rules, "CREATION_DRAWS", 1),
    )


def no_arrays(window: int) -> dict[str, Any]:
    """The arrays of a state that has none."""
    return {}


for _rules in (tahoe, reno, newreno, sack, vegas, cubic):
    register(_rules.__name__.rpartition(".")[2], _rules)
