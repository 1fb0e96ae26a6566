"""The receiver: cumulative ACKs of whatever arrives, in whatever order, at once."""

from hypothesis import given
from hypothesis import strategies as st

from simcore.network.states import sink_state
from simcore.rules.receivers import immediate
from simcore.rules.receivers.sink import ACKNOWLEDGE, SinkState
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_27


def new_sink(window: int = 20) -> SinkState:
    flow = TcpFlow(kind="tcp", variant="reno", packet_bytes=1000, window_packets=window, start_s=0, stop_s=10)
    return sink_state(flow, NS_2_27)


def acks(state: SinkState, *arrivals: int) -> list[int]:
    """The ACK numbers that an immediate sink answers with."""
    numbers = []
    for seq in arrivals:
        assert immediate.segment_arrived(state, seq) == ACKNOWLEDGE
        numbers.append(state.next_expected - 1)
    return numbers


def test_segments_in_order_are_acknowledged_one_by_one() -> None:
    assert acks(new_sink(), 0, 1, 2) == [0, 1, 2]


def test_nothing_is_acknowledged_before_the_first_segment() -> None:
    assert acks(new_sink(), 1, 2, 0) == [-1, -1, 2]


def test_behind_a_gap_every_segment_repeats_the_ack_and_the_missing_one_acknowledges_all() -> None:
    assert acks(new_sink(), 0, 2, 3, 4, 1, 5) == [0, 0, 0, 0, 4, 5]


def test_of_two_gaps_filling_the_first_acknowledges_up_to_the_second() -> None:
    assert acks(new_sink(), 0, 2, 4, 1, 3) == [0, 0, 0, 2, 4]


def test_what_came_before_is_acknowledged_again_and_forgotten() -> None:
    assert acks(new_sink(), 0, 1, 1, 0, 2) == [0, 1, 1, 1, 2]
    assert acks(new_sink(), 0, 2, 2, 1, 1) == [0, 0, 0, 2, 2]


def test_a_whole_window_may_come_before_its_first_segment_many_times_over() -> None:
    state = new_sink(window=3)
    for first in range(0, 60, 3):
        assert acks(state, first + 2, first + 1, first) == [first - 1, first - 1, first + 2]


@given(window=st.integers(1, 12), arrivals=st.lists(st.integers(0, 23), max_size=200))
def test_a_sink_that_keeps_ranges_is_a_sink_with_a_set(window: int, arrivals: list[int]) -> None:
    state, seen, in_order = new_sink(window), set[int](), -1
    for offset in arrivals:  # from a window before to a window ahead, as a sender's segments may be
        seq = max(0, in_order + 1 - window + offset % (2 * window))
        seen.add(seq)
        while in_order + 1 in seen:
            in_order += 1
        assert acks(state, seq) == [in_order]
