"""Delayed ACKs: every second segment, or after a tenth of a second; at once as soon as anything is missing."""

import pytest

from simcore import simulate
from simcore.network.states import sink_state
from simcore.rules.receivers import sink
from simcore.rules.receivers.sink import ACKNOWLEDGE, START_TIMER, STOP_TIMER, SinkState
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import LINUX_NEAREST, NS_2_27, NS_2_35, Profile
from tests.simcore.scenes import scene, sent_at, tcp_flow

FLOW = TcpFlow(kind="tcp", variant="reno", packet_bytes=1000, window_packets=20, start_s=0, stop_s=10, sink="delayed")
SECOND = STOP_TIMER | ACKNOWLEDGE


def answers(state: SinkState, *arrivals: int) -> list[int]:
    return [sink.segment_arrived(state, seq) for seq in arrivals]


def connected(profile: Profile = NS_2_35) -> SinkState:
    """A sink that has acknowledged the SYN."""
    state = sink_state(FLOW, profile)
    if sink.segment_arrived(state, 0) == START_TIMER:
        sink.timer_expired(state)
    return state


def test_every_second_segment_in_order_is_acknowledged() -> None:
    assert answers(connected(), 1, 2, 3, 4) == [START_TIMER, SECOND, START_TIMER, SECOND]


def test_a_lone_segment_is_acknowledged_when_the_timer_rings_and_the_count_begins_anew() -> None:
    state = connected()
    assert answers(state, 1) == [START_TIMER]
    assert sink.timer_expired(state) == ACKNOWLEDGE
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


def told(state: SinkState, *arrivals: tuple[float, int]) -> str:
    """What a sink does with segments that come at these times: a for acknowledges, h for holds back."""
    said = ""
    for state.arrived_s, seq in arrivals:
        said += "a" if sink.segment_arrived(state, seq) & ACKNOWLEDGE else "h"
    return said


def in_order(first: int, last: int, begin_s: float = 0.02) -> list[tuple[float, int]]:
    return [(begin_s + 0.004 * (seq - first), seq) for seq in range(first, last + 1)]


def started() -> SinkState:
    """A sink of Linux with a window of 20 after its quick start: 22 // 2 segments, and the pushed 12th."""
    state = sink_state(FLOW, LINUX_NEAREST)
    assert told(state, (0.0, 0), *in_order(1, 12)) == "a" * 13
    return state


def test_linux_acknowledges_at_once_at_the_start_and_what_is_pushed() -> None:
    """Of the pairs after 12 the second one is acknowledged, but 36 = 3 * 12 is a first one; 24 is a second one."""
    assert told(started(), *in_order(13, 23, 0.1)) == "ha" * 5 + "h"
    state = started()
    assert told(state, *in_order(13, 34, 0.1), (0.19, 36), (0.194, 35)) == "ha" * 11 + "aa"
    assert told(state, *in_order(37, 47, 0.2), (0.25, 48), (0.254, 49)) == "ha" * 5 + "h" + "a" + "h"


def test_after_a_segment_that_came_twice_ten_are_acknowledged_at_once() -> None:
    state = started()
    assert told(state, (0.1, 12)) == "a"  # the first of the ten
    assert told(state, *in_order(13, 23, 0.2)) == "a" * 9 + "ha"


def test_so_are_ten_after_a_pause_that_is_longer_than_the_handshakes_timeout() -> None:
    """The round trip of the handshake is 20 ms: 20 + 200 ms. The tenth of them is the one after the pause itself."""
    last_s = 0.02 + 0.004 * 11
    assert told(started(), *in_order(13, 15, last_s + 0.219)) == "hah"
    assert told(started(), *in_order(13, 24, last_s + 0.221)) == "a" * 10 + "ha"


def test_ns_2_knows_none_of_this() -> None:
    state = connected()
    assert told(state, *in_order(1, 12)) == "ha" * 6
    assert told(state, (0.2, 3), *in_order(13, 14, 9.0)) == "aha"
