"""The rules' state objects as records of numpy arrays, with the same fields under the same names.

Every type of record has to be compiled, which takes a second or two. There are few of them therefore: arrays inside a
record have one of few lengths, and a record has the fields and marks of one variant alone, or of all of them where a
network has several; sources and disciplines likewise. What few scenarios have (see `is_special`) goes together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.compiled import features
from simcore.compiled.features import Feature
from simcore.network.queues import Queue
from simcore.network.states import blocks_for, impairment_state, sink_state, source_state, tcp_state
from simcore.network.streams import RandomNumbers
from simcore.rules.congestion.control import Control
from simcore.rules.headers.header import Header
from simcore.rules.headers.registry import OPTIONS
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.receivers.registry import SINKS
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.slow_start.registry import OWN, SLOW_STARTS, STANDARD
from simcore.rules.slow_start.slow_start import SlowStart
from simcore.rules.sources.registry import SOURCES
from simcore.rules.stack import rules_in
from simcore.rules.tcp.sender import TcpState
from simcore.scenario.flows import TcpFlow
from simcore.scenario.reach import usable_window
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]

SCALARS: Final = {bool: "?", int: "i8", float: "f8"}

RULES: Final = "rules"  # of a state: which it follows says its record's mark

# A network without TCP has the types of this flow's states.
ANY_TCP_FLOW: Final = TcpFlow(kind="tcp", variant="reno", packet_bytes=1, window_packets=1, start_s=0.0, stop_s=1.0)


# What only its recovery, its slow start or its control remembers is a record within a sender's, named after the rules.
RECOVERY: Final = "recovery"
CONTROL: Final = "control"
SLOW_START: Final = "slow_start"
HEADER: Final = "header"  # likewise, of packets, senders and sinks: what they say
KINDS: Final = (RECOVERY, CONTROL, SLOW_START)
PARTS: Final = (*KINDS, *(f"{kind}_state" for kind in KINDS), HEADER)


class State(NamedTuple):
    """A rule's state object, and the name of the rules that it belongs to."""

    rules: str
    state: Any

    def values(self) -> list[tuple[str, Any]]:
        """Its numbers and arrays by name, but for empty ones."""
        return [(name, value) for name, value in self._named() if type(value) in SCALARS or len(value)]

    def parts(self) -> "list[tuple[str, State]]":
        """The records within it that every such state has: not its rules, their states and its header."""
        return [(name, State(name, value)) for name, value in self._named(are_parts=True)]

    def _named(self, are_parts: bool = False) -> list[tuple[str, Any]]:
        kind: Any = type(self.state)
        named = [(name, getattr(self.state, name)) for name in _fields_of(kind) if name not in PARTS]
        return [(name, value) for name, value in named if is_dataclass(value) == are_parts]


@cache
def _fields_of(state: Any) -> list[str]:
    return [field.name for field in fields(state) if field.name != RULES] if is_dataclass(state) else []


def mark(rules: str) -> str:
    """The name of the field that says which rules a record follows."""
    return f"follows_{rules}"


def uses(option: str) -> str:
    """The name of the field, of a header, that says whether an option has written into it."""
    return f"uses_{option}"


def is_special(scenario: Scenario, queues: Sequence[Queue]) -> bool:
    """Has the scenario what most do without?

    That is another queue than drop-tail, losses on purpose, a send jitter or a pace, or ECN.
    """
    senders = [flow for flow in scenario.flows if isinstance(flow, TcpFlow)]
    return (
        bool(queues)
        or any(flow.is_impaired for flow in scenario.flows)
        or any(flow.send_jitter_ms or flow.ecn or flow.rules().control.paces for flow in senders)
    )


def records_of_states(scenario: Scenario, phases_s: Sequence[float], special: bool) -> tuple[Array, Array, Array]:
    """The senders', sinks' and sources' records in the order of the flows, empty where a flow has none."""
    profile, rows = scenario.profile, len(scenario.flows)
    tcp = {i: flow for i, flow in enumerate(scenario.flows) if isinstance(flow, TcpFlow)}
    udp = {i: flow for i, flow in enumerate(scenario.flows) if not isinstance(flow, TcpFlow)}
    phases = dict(zip(tcp, phases_s, strict=True))
    windows = {i: usable_window(scenario, flow) for i, flow in tcp.items()}
    sinks = {i: State(flow.sink, sink_state(flow, profile, windows[i])) for i, flow in tcp.items()}
    sources = {i: State(flow.source, source_state(flow)) for i, flow in udp.items()}
    number = max(windows, key=windows.__getitem__, default=-1)
    widest, window = tcp.get(number, ANY_TCP_FLOW), windows.get(number)
    sink_kinds = [State(name, sink_state(widest.model_copy(update={"sink": name}), profile, window)) for name in SINKS]
    states = {i: tcp_state(flow, profile, phases[i], windows[i]) for i, flow in tcp.items()}
    senders = records_of_senders(states, rows, tcp_state(widest, profile, 0.0, window), special, profile.stack)
    return (
        senders,
        records_of(sinks, rows, sink_kinds, header=senders.dtype[HEADER]),
        records_of_sources(sources, rows),
    )


def records_of_senders(states: Mapping[int, TcpState], rows: int, widest: TcpState, special: bool, stack: str) -> Array:
    """So many records of senders, with places for the states of one variant or of all of a stack."""
    alone = are_one({(state.recovery.name, state.control.name) for state in states.values()})
    recoveries, controls = ([widest.recovery], [widest.control]) if alone else rules_in(stack)
    parts = {place_of(rules): rules.state(widest.window) for rules in recoveries}
    parts |= {place_of(rules): rules.state(widest.window, None) for rules in controls}
    parts |= {place_of(rules): rules.state(widest.window) for rules in _slow_starts([widest, *states.values()], alone)}
    marks = [mark(place) for place in parts]
    with_blocks = [replace(widest, blocks=blocks_for(rules)) for rules in recoveries]
    senders = [State("TCP", state) for state in (*with_blocks, *states.values())]
    within = {place: np.dtype(_columns([State(place, part)]), align=True) for place, part in parts.items()}
    own = [(place, dtype) for place, dtype in within.items() if dtype.names]
    selective = any(rules.selective_acks for rules in recoveries)
    header = type_of_header([state.header for state in states.values()], selective, special)
    columns = [*((name, "?") for name in marks), *_columns(senders), *own, (HEADER, header)]
    columns += [features.DELAYS.field] if special else []
    records = np.zeros(rows, np.dtype(columns, align=True))
    for i, state in states.items():
        _write(records[i], State("TCP", state))
        for kind in KINDS:
            rules, part = getattr(state, kind), getattr(state, f"{kind}_state")
            records[i][mark(place_of(rules))] = True
            if within[place_of(rules)].names:
                _write(records[i][place_of(rules)], State(rules.name, part))
    return records


def _slow_starts(states: Iterable[TcpState], alone: bool) -> list[SlowStart[Any]]:
    """Those that flows have, and beside several controls what these have where nobody names another."""
    names = {state.slow_start.name for state in states} | (set() if alone else {OWN, STANDARD})
    return [rules for name, rules in SLOW_STARTS.items() if name in names]


def type_of_header(ends: Iterable[Header], selective: bool, special: bool) -> np.dtype[Any]:
    """The type of the headers of a network whose flows have such, and recoveries that may be `selective`.

    For each option a mark says whether it writes into a header; what it says is a record of its name, if that is more
    than bits.
    """
    used = {option.name for header in ends for option in header.rules.options} | ({"sack"} if selective else set())
    names = [name for name in OPTIONS if name in used]
    said = [(name, np.dtype(_columns([State(name, OPTIONS[name].said())], least=0), align=True)) for name in names]
    bits = [("flags", "i8")] if special else []
    marks = [(uses(name), "?") for name in names]
    has = [features.MARKS.field] * special + [features.OPTIONS.field] * bool(names)
    return np.dtype([*bits, *((name, dtype) for name, dtype in said if dtype.names), *marks, *has], align=True)


def records_of_sources(sources: Mapping[int, State], rows: int) -> Array:
    """So many records of UDP sources, without fields if there is none."""
    if not sources:
        return np.zeros(rows, [])
    names = _one_or_all({source.rules for source in sources.values()}, SOURCES)
    kinds = [State(name, SOURCES[name].state()) for name in names]
    return records_of(sources, rows, [*kinds, *sources.values()], has=[features.SOURCES])


def place_of(rules: Recovery[Any] | Control[Any] | SlowStart[Any]) -> str:
    """The name of the record, within that of a sender, of what these rules alone remember."""
    kinds = {Recovery: RECOVERY, Control: CONTROL, SlowStart: SLOW_START}
    return f"{kinds[type(rules)]}_{rules.name}"


def rules_at(place: str) -> str:
    """The name of the rules whose record, within that of a sender, has this name."""
    return next(place.removeprefix(f"{kind}_") for kind in KINDS if place.startswith(f"{kind}_"))


def records_of_streams(numbers: RandomNumbers) -> Array:
    """The streams of random numbers."""
    states = {i: State("stream", stream) for i, stream in enumerate(numbers.streams)}
    return records_of(states, len(states), [*states.values()])


def records_of_impairments(scenario: Scenario, special: bool) -> Array:
    """What is lost or spared on purpose, in the order of the flows."""
    if not special:
        return np.zeros(len(scenario.flows), [])
    states = {i: State("impairment", impairment_state(flow)) for i, flow in enumerate(scenario.flows)}
    return records_of(states, len(states), [*states.values()], least=1024, has=[features.LOSSES])


def records_of_queues(queues: Sequence[Queue]) -> Array:
    """The records of the ports' disciplines; one that nobody uses if there is none."""
    if not queues:
        return np.zeros(1, [])
    own, timed = [State(*queue) for queue in queues], any_has_timer(queues)
    compiled = [name for name, rules in DISCIPLINES.items() if timed or not rules.timer_expired]
    names = _one_or_all({queue.rules for queue in queues}, compiled)
    kinds = [State(name, DISCIPLINES[name].state()) for name in names]
    has = [features.DISCIPLINES, features.TIMERS] if timed else [features.DISCIPLINES]
    return records_of(dict(enumerate(own)), len(own), [*kinds, *own], least=1024, has=has)


def any_has_timer(queues: Sequence[Queue]) -> bool:
    """Has one of these disciplines a timer? Such networks are compiled apart, with a leaf for each link of the row."""
    return any(DISCIPLINES[queue.rules].timer_expired for queue in queues)


def are_one(used: Collection[object]) -> bool:
    """Does a network use no more than one of a kind of rules? Then it is compiled with that alone, else with all."""
    return len(used) < 2


def _one_or_all(used: Collection[str], registered: Iterable[str]) -> Iterable[str]:
    """The names of the rules that are compiled for a network that uses some."""
    return used if are_one(used) else registered


def records_of(
    states: Mapping[int, State],
    rows: int,
    kinds: Sequence[State],
    least: int = 64,
    header: np.dtype[Any] | None = None,
    has: Sequence[Feature] = (),
) -> Array:
    """So many records with the fields of all these kinds of states, and a mark for the rules that each one follows.

    Those of sinks have a `header` of that type, all have the features that the network `has`.
    """
    marks = dict.fromkeys(mark(kind.rules) for kind in kinds)
    own = [] if header is None else [(HEADER, header)]
    columns = [*((name, "?") for name in marks), *_columns(kinds, least), *own, *(feature.field for feature in has)]
    records = np.zeros(rows, np.dtype(columns, align=True))
    for i, state in states.items():
        records[i][mark(state.rules)] = True
        _write(records[i], state)
    return records


def _columns(kinds: Sequence[State], least: int = 64) -> list[tuple[str, Any, tuple[int, ...]]]:
    """The fields of all these states, records next to last and arrays last: what is read together stands together.

    Raises TypeError if two of them have a field of the same name but not of the same type.
    """
    columns: dict[str, tuple[str, str, int]] = {}  # by name: whose, type, length of an array or 0
    for kind in kinds:
        for name, value in kind.values():
            length = 0 if type(value) in SCALARS else len(value)
            dtype = SCALARS.get(type(value)) or np.asarray(value).dtype.str
            rules, known, longest = columns.setdefault(name, (kind.rules, dtype, length))
            if known != dtype:
                raise TypeError(f"{name!r} of {kind.rules} is {dtype}, that of {rules} {known}: must be the same")
            columns[name] = (rules, dtype, max(longest, length))
    ordered = sorted(columns.items(), key=lambda column: (column[1][2] > 0, column[0]))
    plain = [(name, dtype, (_one_of_few(length, least),) if length else ()) for name, (_, dtype, length) in ordered]
    parts = {name: np.dtype(_columns([part], least), align=True) for kind in kinds for name, part in kind.parts()}
    scalars = [column for column in plain if not column[2]]
    return [*scalars, *((name, dtype, ()) for name, dtype in parts.items()), *plain[len(scalars) :]]


def _write(record: Any, state: State) -> None:
    """Write a state into a record."""
    for name, value in state.values():
        if type(value) in SCALARS:
            record[name] = value
        else:
            record[name][: len(value)] = value
    for name, part in state.parts():
        _write(record[name], part)
    if HEADER in (record.dtype.names or ()):
        _write_header(record[HEADER], state.state.header)


def _write_header(record: Any, header: Header) -> None:
    for option in header.rules.options:
        record[uses(option.name)] = any(option.name == name for name, _ in header.rules.leaves)
        if option.name in record.dtype.names:
            _write(record[option.name], State(option.name, header.said[option.name]))


def _one_of_few(length: int, least: int) -> int:
    """The next of 64, 1024, 16384, ...: an array may be longer than needed. Of a header, which is copied, it is not."""
    few = least or length
    while few < length:
        few *= 16
    return few
