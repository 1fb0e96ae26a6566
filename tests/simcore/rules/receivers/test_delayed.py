"""Delayed ACKs: every second segment, or after a tenth of a second; at once as soon as anything is missing."""

import pytest

from simcore import simulate
from simcore.network.states import sink_state
from simcore.rules.receivers.registry import SINKS
from simcore.rules.receivers.sink import ACKNOWLEDGE, START_TIMER, STOP_TIMER, SinkState
from simcore.scenario.profiles import NS_2_27, NS_2_35, Profile
from simcore.scenario.scenario import TcpFlow
from tests.simcore.scenes import scene, sent_at, tcp_flow

DELAYED = SINKS["delayed"]
FLOW = TcpFlow(kind="tcp", variant="reno", packet_bytes=1000, window_packets=20, start_s=0, stop_s=10, sink="delayed")
SECOND = STOP_TIMER | ACKNOWLEDGE


def answers(state: SinkState, *arrivals: int) -> list[int]:
    return [DELAYED.segment_arrived(state, seq) for seq in arrivals]


def connected(profile: Profile = NS_2_35) -> SinkState:
    """A sink that has acknowledged the SYN."""
    state = sink_state(FLOW, profile)
    if DELAYED.segment_arrived(state, 0) == START_TIMER:
        DELAYED.timer_expired(state)
    return state


def test_every_second_segment_in_order_is_acknowledged() -> None:
    assert answers(connected(), 1, 2, 3, 4) == [START_TIMER, SECOND, START_TIMER, SECOND]


def test_a_lone_segment_is_acknowledged_when_the_timer_rings_and_the_count_begins_anew() -> None:
    state = connected()
    assert answers(state, 1) == [START_TIMER]
    assert DELAYED.timer_expired(state) == ACKNOWLEDGE
    assert answers(state, 2, 3) == [START_TIMER, SECOND]


@pytest.mark.parametrize(("profile", "syn"), [(NS_2_27, START_TIMER), (NS_2_35, ACKNOWLEDGE)])
def test_the_syn_waits_in_2004_and_is_acknowledged_at_once_since_2010(profile: Profile, syn: int) -> None:
    assert answers(sink_state(FLOW, profile), 0) == [syn]


def test_an_early_segment_is_acknowledged_at_once_and_takes_a_waiting_ack_along() -> None:
    assert answers(connected(), 2, 4) == [ACKNOWLEDGE, ACKNOWLEDGE]
    assert answers(connected(), 1, 3) == [START_TIMER, SECOND]


def test_what_goes_into_a_gap_is_acknowledged_at_once_whether_it_closes_the_gap_or_not() -> None:
    state = connected()
    assert answers(state, 4, 1, 2, 3) == [ACKNOWLEDGE] * 4
    assert state.next_expected == 5


def test_with_the_gap_closed_acks_wait_again() -> None:
    assert answers(connected(), 2, 1, 3) == [ACKNOWLEDGE, ACKNOWLEDGE, START_TIMER]


def test_an_old_segment_is_acknowledged_at_once() -> None:
    state = connected()
    answers(state, 1, 2)
    assert answers(state, 1) == [ACKNOWLEDGE]


def test_with_a_window_of_one_every_ack_is_a_tenth_of_a_second_late() -> None:
    """A segment and its ACK travel 24.32 ms: 1040 and 40 bytes at 2 Mb/s, and twice 10 ms."""
    flow = tcp_flow(window_packets=1, sink="delayed", stop_s=0.5)
    times = {seq: round(s - 0.1, 5) for s, seq in sent_at(simulate(scene(flow, profile="ns-2.35", end_s=0.6)))}
    assert times == {0: 0.0, 1: 0.02032, 2: 0.02032 + 0.12432, 3: 0.02032 + 2 * 0.12432, 4: 0.02032 + 3 * 0.12432}
