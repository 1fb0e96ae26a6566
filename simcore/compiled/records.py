"""The rules' state objects as records of numpy arrays, with the same fields under the same names.

Every type of record has to be compiled, which takes seconds. There are few of them therefore: arrays inside a record
have one of few lengths, and a record has the fields and marks of one variant alone or of all of them. Disciplines of
queues all have the same type of record. They and losses on purpose go together with records of all variants only. So
do a sender's extras, which few scenarios have: a mark tells the compiler that there are any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore import scenario as sc
from simcore.queues import Queue
from simcore.rules.disciplines import DISCIPLINES
from simcore.rules.sinks import SINKS
from simcore.rules.source import SourceState
from simcore.rules.sources import SOURCES
from simcore.rules.variants import VARIANTS
from simcore.setup import impairment_state, sink_state, source_state, tcp_state
from simcore.streams import RandomNumbers

Array = npt.NDArray[Any]

SCALARS: Final = {bool: "?", int: "i8", float: "f8"}

EXTRAS: Final = "extras"

# A network without TCP has the types of this flow's states.
NOBODY: Final = sc.TcpFlow(kind="tcp", variant="reno", packet_bytes=1, window_packets=1, start_s=0.0, stop_s=1.0)


class State(NamedTuple):
    """A rule's state object, and the name of the rules that it belongs to."""

    rules: str
    state: Any

    def values(self) -> list[tuple[str, Any]]:
        """Its fields by name."""
        return [(field.name, getattr(self.state, field.name)) for field in fields(self.state)]


def mark(rules: str) -> str:
    """The name of the field that says which rules a record follows."""
    return f"follows_{rules}"


def has_extras(scenario: sc.Scenario) -> bool:
    """Does a sender need what most do without: a send jitter, or ECN?"""
    return any(isinstance(flow, sc.TcpFlow) and (flow.send_jitter_ms or flow.ecn) for flow in scenario.flows)


def records_of_states(
    scenario: sc.Scenario, phases_s: Sequence[float], of_all_variants: bool
) -> tuple[Array, Array, Array]:
    """The senders', sinks' and sources' records in the order of the flows, empty where a flow has none."""
    profile, rows = scenario.profile, len(scenario.flows)
    tcp = {i: flow for i, flow in enumerate(scenario.flows) if isinstance(flow, sc.TcpFlow)}
    udp = {i: flow for i, flow in enumerate(scenario.flows) if not isinstance(flow, sc.TcpFlow)}
    phases = dict(zip(tcp, phases_s, strict=True))
    senders = {i: State(flow.variant, tcp_state(flow, profile, phases[i])) for i, flow in tcp.items()}
    sinks = {i: State(flow.sink, sink_state(flow, profile)) for i, flow in tcp.items()}
    sources = {i: State(flow.source, source_state(flow)) for i, flow in udp.items()}

    widest = max(tcp.values(), key=lambda flow: flow.window_packets, default=NOBODY)
    used = {flow.variant for flow in tcp.values()} or {NOBODY.variant}
    extras = has_extras(scenario)
    flows = [
        widest.model_copy(update={"variant": name})
        for name in (used if len(used) == 1 and not of_all_variants else VARIANTS)
    ]
    sender_kinds = [State(flow.variant, tcp_state(flow, profile, 0.0)) for flow in flows]
    sink_kinds = [State(name, sink_state(widest, profile)) for name in SINKS]
    if extras:
        sender_kinds.append(State(EXTRAS, sender_kinds[0].state))
        sink_kinds.append(State(EXTRAS, sink_kinds[0].state))
    return (
        _records(senders, rows, sender_kinds),
        _records(sinks, rows, sink_kinds),
        _records(sources, rows, [*sources.values(), *(State(name, SourceState()) for name in SOURCES)]),
    )


def records_of_streams(numbers: RandomNumbers) -> Array:
    """The streams of random numbers."""
    states = {i: State("stream", stream) for i, stream in enumerate(numbers.streams)}
    return _records(states, len(states), [*states.values()])


def records_of_impairments(scenario: sc.Scenario) -> Array:
    """What is lost or spared on purpose, in the order of the flows; no fields if there is nothing in all of them."""
    if not any(flow.is_impaired for flow in scenario.flows):
        return np.zeros(len(scenario.flows), [])
    states = {i: State("impairment", impairment_state(flow)) for i, flow in enumerate(scenario.flows)}
    return _records(states, len(states), [*states.values()], least=1024)


def records_of_queues(queues: Sequence[Queue]) -> tuple[Array, list[int]]:
    """The records of the ports' disciplines, and how many packets may stand in each; without any, one of no fields."""
    if not queues:
        return np.zeros(1, []), []
    own = [State(*queue) for queue in queues]
    blanks = [State(name, discipline.state()) for name, discipline in DISCIPLINES.items()]
    records = _records(dict(enumerate(own)), len(own), [*blanks, *own], least=1024)
    return records, [len(queue.state.behind) for queue in queues]


def _records(states: Mapping[int, State], rows: int, kinds: Sequence[State], least: int = 64) -> Array:
    """So many records with the fields of all these kinds of states, and a mark for the rules that each one follows."""
    columns: dict[str, Any] = {}
    lengths: dict[str, int] = {}
    for kind in kinds:
        columns[mark(kind.rules)] = "?"
        for name, value in kind.values():
            columns[name] = SCALARS.get(type(value)) or np.asarray(value).dtype
            if type(value) not in SCALARS:
                lengths[name] = max(lengths.get(name, 1), len(value))
    ordered = sorted(columns, key=lambda name: (name in lengths, name))  # what is read together stands together
    shapes = [
        (name, columns[name], (_one_of_few(lengths[name], least),) if name in lengths else ()) for name in ordered
    ]
    records = np.zeros(rows, np.dtype(shapes, align=True))
    for i, state in states.items():
        records[i][mark(state.rules)] = True
        for name, value in state.values():
            if name in lengths:
                records[i][name][: len(value)] = value
            else:
                records[i][name] = value
    return records


def _one_of_few(length: int, least: int) -> int:
    """The next of 64, 1024, 16384, ...: an array may be longer than needed."""
    few = least
    while few < length:
        few *= 16
    return few
