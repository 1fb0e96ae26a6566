"""Timestamps, by the sections of RFC 7323."""

from dataclasses import replace

import numpy as np
import pytest

from simcore import ScenarioError, scenario_from, simulate
from simcore.network.states import sink_state, tcp_state
from simcore.rules.headers import header
from simcore.rules.receivers.sink import SinkState, take_in
from simcore.rules.tcp import acks
from simcore.rules.tcp.sender import TcpState
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import RFC
from tests.simcore.scenes import scene, tcp_flow

STAMPED = tcp_flow(options=["timestamps"])
FLOW = TcpFlow.model_validate(STAMPED | {"start_s": 0.0, "stop_s": 10.0})


def comes(sink: SinkState, seq: int, sent_s: float) -> None:
    """A segment arrives that was sent at a time."""
    segment = tcp_state(FLOW, RFC, 0.0).header
    segment.said["timestamps"].sent_s = sent_s
    header.segment_arrived(segment, sink.header, sink, seq, sent_s + 1.0)
    take_in(sink, seq)


def answer(sink: SinkState) -> float:
    """The time that the ACK tells which leaves now."""
    assert header.ack_leaves(sink.header, sink, 99.0) == 12  # appendix A
    return float(header.copied(sink.header).said["timestamps"].sent_s)


def test_an_ack_tells_when_its_segment_was_sent() -> None:
    sink = sink_state(FLOW, RFC)
    comes(sink, 0, 0.5)
    assert answer(sink) == 0.5
    comes(sink, 1, 0.7)
    assert answer(sink) == 0.7


def test_an_ack_for_two_segments_tells_of_the_first() -> None:
    """Section 4.3 (A): the sender is to know how long ACKs are held back."""
    sink = sink_state(FLOW, RFC)
    comes(sink, 0, 0.5)
    answer(sink)
    comes(sink, 1, 0.7)
    comes(sink, 2, 0.8)
    assert answer(sink) == 0.7


def test_behind_a_hole_the_last_segment_in_order_is_told_of_until_the_hole_is_filled() -> None:
    """Section 4.3 (B) and (C)."""
    sink = sink_state(FLOW, RFC)
    comes(sink, 0, 0.5)
    answer(sink)
    comes(sink, 2, 0.8)
    assert answer(sink) == 0.5
    comes(sink, 1, 1.9)
    assert answer(sink) == 1.9


def test_a_round_trip_is_known_even_of_a_segment_that_was_sent_twice() -> None:
    """Section 4.1; without timestamps Karn's rule forbids it."""
    tcp = sender_that_repeated()
    gets(tcp, 1, sent_s=4.0, now=4.25)
    assert tcp.srtt >> 3 == 25  # ticks of 10 ms


def test_an_old_ack_measures_nothing() -> None:
    tcp = sender_that_repeated()
    gets(tcp, 0, sent_s=4.0, now=4.25)
    assert tcp.srtt == 0


def sender_that_repeated() -> TcpState:
    """Segment 1 was sent twice, and nothing is measured."""
    tcp = tcp_state(FLOW, RFC, 0.0)
    tcp.highest_ack, tcp.highest_sent, tcp.next_seq, tcp.tick_s = 0, 1, 2, 0.01
    return tcp


def gets(tcp: TcpState, ack: int, sent_s: float, now: float) -> None:
    """An ACK that tells when its segment was sent."""
    own = tcp.header
    arrived = replace(own, said={"timestamps": replace(own.said["timestamps"], sent_s=sent_s)})
    header.ack_arrived(arrived, own, tcp, ack, now)
    acks.ack_arrived(tcp, ack, now)


@pytest.mark.parametrize("variant", ["reno", "sack", "cubic"])
def test_both_engines_stamp_alike_and_every_packet_is_twelve_bytes_longer(variant: str) -> None:
    flows = tcp_flow(variant=variant, options=["timestamps"]), tcp_flow(variant=variant)
    scenario = scene(*flows, profile="rfc")
    process, compiled = (simulate(scenario, engine) for engine in ("process", "compiled"))
    assert process.identical(compiled.assign_attrs(process.attrs))
    sizes = [process["packet_bytes"].values[process["packet_flow"].values == flow] for flow in (1, 2)]
    assert set(np.unique(sizes[0])) == {size + 12 for size in np.unique(sizes[1])}


def test_each_ack_of_new_data_moves_the_timeout_and_not_one_in_a_window() -> None:
    """The queue grows and falls; one sample a round trip sees less of that. The least timeout is out of the way."""
    counts = []
    for names in (["timestamps"], None):
        ds = simulate(scene(tcp_flow(window_packets=60, options=names), profile="rfc", min_rto_s=0.02))
        counts.append(np.count_nonzero(np.diff(ds["update_rto_s"].values)))
    assert counts[0] > 10 * counts[1] > 100


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"flows.0.options": ["stamps"]}, "flows.0.options: 'stamps' is not known; allowed: timestamps"),
        ({"flows.0.options": ["sack"]}, "flows.0.options: 'sack' is not known; allowed: timestamps"),
        ({"profile": "linux"}, "flows.0.options: 'timestamps' is not possible with the stack linux; must be left out"),
        ({"flows.0.options": ["timestamps", "timestamps"]}, "must name each once"),
    ],
)
def test_what_nobody_knows_is_refused(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(ScenarioError, match=problem.replace("[", r"\[")):
        scene(STAMPED, profile="rfc").changed(changes)


def test_a_file_with_options_is_read_again() -> None:
    scenario = scene(STAMPED, profile="rfc")
    assert scenario_from(scenario.to_mapping()) == scenario
