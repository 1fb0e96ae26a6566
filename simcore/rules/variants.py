"""The TCP variants by name. A new one is a module of rules, entered here; every engine then has it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from simcore.rules import reno, tcp

# The rule functions of a variant receive its own state class, which may extend TcpState; hence Any.
AckArrived = Callable[[Any, int, float], int]
Told = Callable[[Any], int]


@dataclass(frozen=True)
class Variant:
    """What an engine needs of a variant. Events return what the sender is to do (flags of `simcore.rules.tcp`)."""

    state: type[tcp.TcpState]
    ack_arrived: AckArrived  # (tcp, highest sequence number acknowledged, now)
    timer_expired: Told  # (tcp)
    next_segment: Told  # (tcp): the segment to send now, or NO_SEGMENT
    segment_sent: Callable[[Any, int, float], bool]  # (tcp, seq, now): must the timer be started?


VARIANTS: dict[str, Variant] = {}


def register(name: str, rules: ModuleType | Any) -> None:
    """Enter a variant. What its module doesn't define is as in `simcore.rules.tcp`."""
    VARIANTS[name] = Variant(
        state=getattr(rules, "State", tcp.TcpState),
        ack_arrived=rules.ack_arrived,
        timer_expired=rules.timer_expired,
        next_segment=getattr(rules, "next_segment", tcp.next_segment),
        segment_sent=getattr(rules, "segment_sent", tcp.segment_sent),
    )


register("reno", reno)
