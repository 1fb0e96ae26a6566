"""Which function answers a call that the loop makes: it depends on the types of its records.

A record has a mark for each set of rules that one of its kind may follow, and fields that only some networks have. Code
is made for the types of a network, so what the network does not have costs nothing, neither time to compile nor to run.
"""

import inspect
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, NamedTuple

from simcore.compiled import disciplined, hosts, inside, interfaces, jitter, marks, rules
from simcore.compiled.records import CONTROL, EXTRAS, MARKABLE, RECOVERY, TIMED, UDP, mark, uses
from simcore.compiled.values import Kind, Record
from simcore.rules.congestion import control
from simcore.rules.congestion import registry as controls
from simcore.rules.headers import header
from simcore.rules.headers.registry import OPTIONS
from simcore.rules.queues import discipline, impairment
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.receivers import sink
from simcore.rules.receivers.registry import SINKS
from simcore.rules.recovery import recovery
from simcore.rules.recovery import registry as recoveries
from simcore.rules.sources import source
from simcore.rules.sources.registry import SOURCES

# What few networks have shows in these fields of their records.
DISCIPLINED: Final = "behind"  # of a discipline's queue; drop-tail has no record
IMPAIRED: Final = "loss_probability"  # of a flow that loses packets on purpose
EQUIPPED: Final = "is_paused"  # of ports that keep a gap, refuse their senders or obey PAUSE frames
SOURCE: Final = mark(UDP)  # of sources, where there are any
TIMERS: Final = mark(TIMED)  # of queues of networks where a discipline has a timer
RECORDED: Final = "s"  # of rows for what rules record of their states
UNUSUAL: Final = mark(EXTRAS)  # of senders of networks where a flow may have a send jitter or a pace


ALL_RECOVERIES: Final = ChainMap(recoveries.RECOVERIES, recoveries.OF_STACKS)
ALL_CONTROLS: Final = ChainMap(controls.CONTROLS, controls.OF_STACKS)


@dataclass(frozen=True)
class ByMark:
    """The rules of a registry, whichever the first argument's mark says.

    Where they have states of their `own`, records within the record, they get theirs as second argument; those that
    remember nothing don't look at it.
    """

    registry: Mapping[str, object]
    event: str
    own: str | None = None

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """One for each mark that records of its type may have."""
        places = {name: f"{self.own}_{name}" if self.own else name for name in self.registry}
        present = {name: place for name, place in places.items() if _has(kinds[0], mark(place))}
        return [
            Answer(getattr(self.registry[name], self.event), mark(place), len(present) > 1, place if self.own else None)
            for name, place in present.items()
            if getattr(self.registry[name], self.event)
        ]


@dataclass(frozen=True)
class IfPresent:
    """A function if the first `records` arguments have a field; else another one, or a constant."""

    field: str
    function: Callable[..., object]
    otherwise: Callable[..., object] | bool | int | None = None
    apart: bool = False  # is it a function of its own, not a part of each that calls it?

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """The one or the other."""
        is_present = _has(kinds[0], self.field)
        return [Answer(self.function if is_present else self.otherwise, apart=self.apart)]


@dataclass(frozen=True)
class ByOption:
    """All options that the header has which is the first argument, one after the other; 0 if it knows none.

    Each is given what it says itself in the first `headers` arguments: the first header stays before that, and the
    second, which is that of the end that a packet came to, gives way to it.
    """

    event: str
    headers: int = 1

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """One for each option with such a rule."""
        rules = {name: getattr(option, self.event) for name, option in OPTIONS.items() if _has(kinds[0], uses(name))}
        answers = [Answer(rule, uses(name), own=name, headers=self.headers) for name, rule in rules.items() if rule]
        return answers or [Answer(0)]


@dataclass(frozen=True)
class HasOptions:
    """Does the header, the first argument, know any option?"""

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """Known when the code is made."""
        return [Answer(any(_has(kinds[0], uses(name)) for name in OPTIONS))]


class Answer(NamedTuple):
    """What answers a call: a function or a constant, and the mark of the records for which it does, if not for all."""

    found: Callable[..., object] | bool | int | None
    mark: str | None = None
    apart: bool = False
    own: str | None = None  # the name of the record within the first argument that is its second one
    headers: int = 0  # how many arguments are headers, if it is an option's rule: it answers beside the others'


def _questions(module: ModuleType) -> dict[str, Callable[..., object]]:
    """The functions of a module that only ask a sender's rules."""
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }


TABLE: Final[Mapping[Callable[..., object], ByMark | IfPresent | ByOption | HasOptions]] = {
    **{rule: ByMark(ALL_RECOVERIES, name, RECOVERY) for name, rule in _questions(recovery).items()},
    **{rule: ByMark(ALL_CONTROLS, name, CONTROL) for name, rule in _questions(control).items()},
    sink.segment_arrived: ByMark(SINKS, "segment_arrived"),
    sink.timer_expired: ByMark(SINKS, "timer_expired"),
    rules.source_due: IfPresent(SOURCE, hosts.source_due),
    source.first_packet_s: ByMark(SOURCES, "first_packet_s"),
    source.next_packet_s: ByMark(SOURCES, "next_packet_s"),
    discipline.arrived: ByMark(DISCIPLINES, "arrived"),
    discipline.next_departure: ByMark(DISCIPLINES, "next_departure"),
    discipline.timer_expired: ByMark(DISCIPLINES, "timer_expired"),
    rules.schedule_queue_timers: IfPresent(TIMERS, disciplined.schedule_timers),
    rules.queue_timer_rang: IfPresent(TIMERS, disciplined.timer_rang, False),
    rules.note_state: IfPresent(RECORDED, inside.note_state),
    rules.note_queue: IfPresent(RECORDED, inside.note_queue),
    rules.decision_on_packet: IfPresent(IMPAIRED, impairment.packet_came, impairment.QUEUE),
    rules.has_discipline: IfPresent(DISCIPLINED, disciplined.has_discipline, False),
    rules.offer: IfPresent(DISCIPLINED, disciplined.offer, 0, apart=True),
    rules.fetch: IfPresent(DISCIPLINED, disciplined.fetch, apart=True),
    rules.busy_s: IfPresent(EQUIPPED, interfaces.busy_s, interfaces.transmission_only_s),
    rules.is_paused: IfPresent(EQUIPPED, interfaces.is_paused, False),
    rules.queue_grew: IfPresent(EQUIPPED, interfaces.queue_grew),
    rules.queue_shrank: IfPresent(EQUIPPED, interfaces.queue_shrank),
    rules.refuses_segment: IfPresent(EQUIPPED, interfaces.refuses_segment, False),
    rules.tells_congestion: IfPresent(EQUIPPED, interfaces.tells_congestion, False),
    rules.must_wait: IfPresent(UNUSUAL, jitter.must_wait, False),
    header.segment_leaves: ByOption("segment_leaves"),
    header.segment_arrived: ByOption("segment_arrived", headers=2),
    header.ack_leaves: ByOption("ack_leaves"),
    header.ack_arrived: ByOption("ack_arrived", headers=2),
    rules.has_options: HasOptions(),
    rules.flags_of: IfPresent(MARKABLE, marks.flags_of, 0),
    rules.tell_mark: IfPresent(MARKABLE, marks.tell_mark),
}


def answers_to(function: Callable[..., object], kinds: Sequence[Kind]) -> list[Answer]:
    """What answers a call with arguments of these kinds: mostly the function itself."""
    asked = TABLE.get(function)
    return asked.answers(kinds) if asked else [Answer(function)]


def _has(kind: Kind, field: str) -> bool:
    return isinstance(kind, Record) and field in (kind.dtype.names or ())
