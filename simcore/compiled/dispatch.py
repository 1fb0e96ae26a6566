"""Which function answers a call that the loop makes: it depends on the types of its records.

A record has a mark for each set of rules that one of its kind may follow, and the features of its network
(`simcore.compiled.features`). Code is made for the types of a network, so what the network does not have costs nothing,
neither time to compile nor to run. It is always the first argument of a call that decides.
"""

import inspect
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, NamedTuple

from simcore.compiled import disciplined, features, hosts, inside, interfaces, jitter, marks, ring
from simcore.compiled.features import Feature
from simcore.compiled.records import CONTROL, RECOVERY, SLOW_START, mark, uses
from simcore.compiled.values import Arrays, Kind, Record
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
from simcore.rules.slow_start import slow_start
from simcore.rules.slow_start.registry import SLOW_STARTS
from simcore.rules.sources import source
from simcore.rules.sources.registry import SOURCES

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
    apart: bool = True  # are rules functions of their own, where there are several?

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """One for each mark that records of its type may have."""
        places = {name: f"{self.own}_{name}" if self.own else name for name in self.registry}
        present = {name: place for name, place in places.items() if _has(kinds[0], mark(place))}
        apart = self.apart and len(present) > 1
        return [
            Answer(getattr(self.registry[name], self.event), mark(place), apart, place if self.own else None)
            for name, place in present.items()
            if getattr(self.registry[name], self.event)
        ]


Otherwise = Callable[..., object] | bool | int | None


@dataclass(frozen=True)
class IfPresent:
    """A function where the network has a feature; else another one, or a constant.

    The first argument tells: it is a record that carries the feature, or the world.
    """

    feature: Feature
    function: Callable[..., object]
    otherwise: Otherwise = None

    def answers(self, kinds: Sequence[Kind]) -> "list[Answer]":
        """The one or the other."""
        is_present = self._is_in(kinds[0])
        return [Answer(self.function if is_present else self.otherwise, apart=self.function in APART)]

    def _is_in(self, kind: Kind) -> bool:
        if isinstance(kind, Arrays):
            return self.feature.is_in_world({name: array.dtype for name, array in kind.arrays})
        assert isinstance(kind, Record)
        return self.feature.is_in(kind.dtype)


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


# Functions that networks without a feature do not have, by feature, each with what answers in its place.
ONLY_WITH: Final[Mapping[Feature, Mapping[Callable[..., object], Otherwise]]] = {
    features.DISCIPLINES: {ring.has_discipline: False, disciplined.offer: None, disciplined.fetch: None},
    features.TIMERS: {disciplined.schedule_timers: None, disciplined.timer_rang: False},
    features.INTERFACES: {
        interfaces.busy_s: interfaces.transmission_only_s,
        interfaces.is_paused: False,
        interfaces.queue_grew: None,
        interfaces.queue_shrank: None,
        interfaces.refuses_segment: False,
        interfaces.tells_congestion: False,
    },
    features.LOSSES: {impairment.packet_came: impairment.QUEUE},
    features.MARKS: {marks.flags_of: 0, marks.tell_mark: None},
    features.OPTIONS: {hosts.header_arrived: None},
    features.DELAYS: {jitter.must_wait: False},
    features.SOURCES: {hosts.source_due: None},
    features.RECORDING: {inside.note_state: None, inside.note_queue: None},
}
# Those that are functions of their own in machine code, too, not a part of each that calls them.
APART: Final = (disciplined.offer, disciplined.fetch)

TABLE: Final[Mapping[Callable[..., object], ByMark | IfPresent | ByOption]] = {
    **{rule: ByMark(ALL_RECOVERIES, name, RECOVERY) for name, rule in _questions(recovery).items()},
    **{rule: ByMark(ALL_CONTROLS, name, CONTROL) for name, rule in _questions(control).items()},
    **{rule: ByMark(SLOW_STARTS, name, SLOW_START, apart=False) for name, rule in _questions(slow_start).items()},
    sink.segment_arrived: ByMark(SINKS, "segment_arrived"),
    sink.timer_expired: ByMark(SINKS, "timer_expired"),
    source.first_packet_s: ByMark(SOURCES, "first_packet_s"),
    source.next_packet_s: ByMark(SOURCES, "next_packet_s"),
    discipline.arrived: ByMark(DISCIPLINES, "arrived"),
    discipline.next_departure: ByMark(DISCIPLINES, "next_departure"),
    discipline.timer_expired: ByMark(DISCIPLINES, "timer_expired"),
    header.segment_leaves: ByOption("segment_leaves"),
    header.segment_arrived: ByOption("segment_arrived", headers=2),
    header.ack_leaves: ByOption("ack_leaves"),
    header.ack_arrived: ByOption("ack_arrived", headers=2),
    **{
        function: IfPresent(feature, function, otherwise)
        for feature, functions in ONLY_WITH.items()
        for function, otherwise in functions.items()
    },
}


def answers_to(function: Callable[..., object], kinds: Sequence[Kind]) -> list[Answer]:
    """What answers a call with arguments of these kinds: mostly the function itself."""
    rule = TABLE.get(function)
    return rule.answers(kinds) if rule else [Answer(function)]


def _has(kind: Kind, field: str) -> bool:
    return isinstance(kind, Record) and field in (kind.dtype.names or ())
