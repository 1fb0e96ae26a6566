"""The queue disciplines by name. A new one is a module of rules, entered here; both engines then have it.

Drop-tail with a limit in packets, which every link has, is none of them: engines keep it apart because it is simple.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from simcore.rules import codel, droptail_bytes, drr, fq_codel, red, sfq
from simcore.rules.mrg32k3a import Stream
from simcore.rules.waiting import Waiting

# The rule functions of a discipline receive its own state class, which extends Waiting; hence Any.


@dataclass(frozen=True)
class Discipline:
    """What an engine needs of a discipline.

    Both functions may drop packets: the engine then asks `waiting.next_dropped` for them, before anything else.
    """

    state: type[Waiting]
    arrived: Callable[[Any, Stream, int, int, float], None]  # (queue, random numbers, slot, flow from 0, now)
    next_departure: Callable[[Any, float], int]  # (queue, now): the slot of the packet to send, or NOBODY


def _discipline(rules: ModuleType) -> Discipline:
    return Discipline(rules.State, rules.arrived, rules.next_departure)


_RULES: Final = {
    "droptail_bytes": droptail_bytes,
    "sfq": sfq,
    "drr": drr,
    "red": red,
    "codel": codel,
    "fq_codel": fq_codel,
}
DISCIPLINES: Final = {name: _discipline(rules) for name, rules in _RULES.items()}
