"""Queues, sinks and sources are told and asked by one function each, whichever rules they follow."""

import pytest

from simcore.network.queues import queues_of
from simcore.network.states import sink_state, source_state
from simcore.rules.mrg32k3a import seeded
from simcore.rules.queues import discipline, waiting
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.receivers import sink
from simcore.rules.receivers.sink import ACKNOWLEDGE, START_TIMER, STOP_TIMER, SinkState
from simcore.rules.sources import source
from simcore.rules.sources.source import SourceState
from simcore.scenario.flows import TcpFlow, UdpFlow
from tests.simcore.scenes import scene, tcp_flow, udp_flow

WITH_A_STATE = [name for name in DISCIPLINES if name != "droptail"]


def new_sink(name: str) -> SinkState:
    scenario = scene(tcp_flow(sink=name))
    (flow,) = scenario.flows
    assert isinstance(flow, TcpFlow)
    return sink_state(flow, scenario.profile)


def new_source(**settings: object) -> SourceState:
    common = {"kind": "udp", "packet_bytes": 1000, "start_s": 0.1, "stop_s": 10}
    (flow,) = scene(common | settings).flows
    assert isinstance(flow, UdpFlow)
    return source_state(flow)


def test_a_sink_answers_by_its_own_rules() -> None:
    at_once, delayed = new_sink("immediate"), new_sink("delayed")
    assert [sink.segment_arrived(at_once, seq) for seq in range(3)] == [ACKNOWLEDGE] * 3
    assert [sink.segment_arrived(delayed, seq) for seq in range(2)] == [START_TIMER, STOP_TIMER | ACKNOWLEDGE]


def test_a_sinks_timer_is_its_own() -> None:
    delayed = new_sink("delayed")
    assert sink.segment_arrived(delayed, 0) == START_TIMER
    assert sink.timer_expired(delayed) == ACKNOWLEDGE
    assert not delayed.timer_pending


def test_a_source_answers_by_its_own_rules() -> None:
    steady, listed = new_source(source="cbr", rate_mbps=1), new_source(source="replay", times_s=[2.0, 5.0])
    stream = seeded(1)
    assert source.first_packet_s(steady, stream, 1.0) == 1.0
    assert source.next_packet_s(steady, stream, 1.0) == 1.0 + 0.008
    assert source.first_packet_s(listed, stream, 1.0) == 2.0
    assert source.next_packet_s(listed, stream, 2.0) == 5.0


@pytest.mark.parametrize("name", WITH_A_STATE)
def test_a_packet_that_came_to_an_empty_queue_is_the_next_to_leave(name: str) -> None:
    (made,) = queues_of(scene(udp_flow(), bottleneck={"rate_mbps": 2, "delay_ms": 10, "queue": name}))
    assert made is not None
    queue, stream = made.state, seeded(1)
    assert discipline.next_departure(queue, 0.0) == NOBODY
    slot = waiting.packet_came(queue, 1000, 0.0)
    discipline.arrived(queue, stream, slot, 0, 0.0)
    discipline.timer_expired(queue, stream, 0.0)  # a discipline without a timer does nothing
    assert discipline.next_departure(queue, 0.0) == slot
