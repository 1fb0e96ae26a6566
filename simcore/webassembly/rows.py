"""The flows' records in the universal types. Each is made once: most settings of a page differ in something else."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore.compiled.records import HEADER, State, records_of, records_of_senders
from simcore.network.states import impairment_state, sink_state, source_state, tcp_state
from simcore.rules.congestion.registry import CONTROLS
from simcore.scenario.flows import Flow, TcpFlow, UdpFlow
from simcore.scenario.losses import Impaired
from simcore.scenario.profiles import Profile
from simcore.scenario.reach import usable_window
from simcore.scenario.scenario import Scenario
from simcore.webassembly.types import kinds, typed

Array = npt.NDArray[Any]
Names = tuple[str, ...]  # of the controls that are registered now: the types depend on them

KEPT: Final = 512  # records, of up to 70 kB
# What a sender's and a receiver's states know nothing of: when a flow runs, its way, and what it loses there.
ELSEWHERE: Final = {
    name: None for name in (*Flow.model_fields, *Impaired.model_fields) if name != "packet_bytes"
} | {"start_s": 0.0, "stop_s": 1.0}  # fmt: skip


def states_of(scenario: Scenario, phases_s: Sequence[float], special: bool = True) -> tuple[Array, Array, Array]:
    """The senders', sinks' and sources' records in the order of the flows, empty where a flow has none."""
    tcp, sinks, sources = ([b""] * len(scenario.flows) for _ in range(3))
    names, profile = tuple(CONTROLS), scenario.profile
    for i, flow in enumerate(scenario.flows):
        if isinstance(flow, TcpFlow):
            window, alone = usable_window(scenario, flow), flow.model_copy(update=ELSEWHERE)
            tcp[i] = _sender(names, alone, profile, window)
            sinks[i] = _sink(names, alone, profile, window)
        else:
            sources[i] = _source(names, flow)
    senders = _records(tcp, "tcp")
    senders["boot_s"][[i for i, row in enumerate(tcp) if row]] = phases_s  # all else is alike in senders that are alike
    return senders, _records(sinks, "sinks"), _records(sources, "sources")


def impairments_of(scenario: Scenario, special: bool) -> Array:
    """What is lost or spared on purpose, in the order of the flows."""
    said = [{name: getattr(flow, name) for name in Impaired.model_fields} for flow in scenario.flows]
    return _records([_impairment(tuple(CONTROLS), Impaired.model_construct(**each)) for each in said], "impairments")


def _records(rows: Iterable[bytes], name: str) -> Array:
    """An array of its own of these records; one of zeros for each that is missing."""
    dtype = kinds()[name]
    return np.frombuffer(bytearray(b"".join(row or bytes(dtype.itemsize) for row in rows)), dtype)


@lru_cache(KEPT)
def _sender(names: Names, flow: TcpFlow, profile: Profile, window: int) -> bytes:
    state = tcp_state(flow, profile, 0.0, window)
    return _typed(records_of_senders({0: state}, 1, state, True, profile.stack), "tcp")


@lru_cache(KEPT)
def _sink(names: Names, flow: TcpFlow, profile: Profile, window: int) -> bytes:
    return _alone(State(flow.sink, sink_state(flow, profile, window)), "sinks", header=kinds()["sinks"][HEADER])


@lru_cache(KEPT)
def _source(names: Names, flow: UdpFlow) -> bytes:
    return _alone(State(flow.source, source_state(flow)), "sources")


@lru_cache(KEPT)
def _impairment(names: Names, said: Impaired) -> bytes:
    return _alone(State("impairment", impairment_state(said)), "impairments", 1024)


def _alone(state: State, name: str, least: int = 64, header: np.dtype[Any] | None = None) -> bytes:
    return _typed(records_of({0: state}, 1, [state], least, header), name)


def _typed(record: Array, name: str) -> bytes:
    return typed(record, kinds()[name], name).tobytes()
