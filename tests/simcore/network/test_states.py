"""What engines build a network from: the states at t = 0."""

import pytest

from simcore.network.states import segment_bytes, sink_state, tcp_state
from simcore.rules.receivers.sink import take_in
from simcore.rules.recovery import recovery
from simcore.rules.tcp.sender import NO_SEGMENT
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_27

FLOW = TcpFlow(kind="tcp", variant="reno", packet_bytes=1000, window_packets=7, start_s=0, stop_s=10)


def test_a_sender_begins_with_one_packet_the_window_as_its_threshold_and_nothing_sent() -> None:
    state = tcp_state(FLOW, NS_2_27, boot_s=0.003)
    assert (state.cwnd, state.ssthresh, state.window) == (1.0, 7.0, 7)
    assert (state.highest_ack, state.highest_sent, state.next_seq, state.recover) == (-1, -1, 0, 0)
    assert (state.boot_s, state.backoff, state.srtt, state.rttvar) == (0.003, 1, 0, 12)
    assert recovery.next_segment(state) == NO_SEGMENT


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("min_rto_s", 0.3),
        ("max_rto_s", 17.0),
        ("tick_s", 0.05),
        ("whole_packet_cut", False),
        ("recovery_exit_marked", True),
        ("limited_transmit", False),
    ],
)
def test_a_sender_takes_its_facts_from_the_profile(field: str, value: float) -> None:
    profile = NS_2_27.model_copy(update={field: value})
    assert getattr(tcp_state(FLOW, profile, boot_s=0.0), field) == value


def test_a_sender_takes_its_first_timeout_and_initial_window_from_the_profile() -> None:
    profile = NS_2_27.model_copy(update={"initial_rto_s": 4.5, "initial_window_packets": 3})
    state = tcp_state(FLOW, profile, boot_s=0.0)
    assert (state.rto_s, state.initial_window) == (4.5, 3.0)


def test_a_sink_has_room_for_every_second_segment_of_a_window() -> None:
    state = sink_state(FLOW, NS_2_27)
    for seq in (2, 4, 6, 8):
        take_in(state, seq)
    assert (state.early_count, state.next_expected, state.delay_s) == (4, 0, 0.1)


@pytest.mark.parametrize(("variant", "sizes"), [("reno", (1040, 40)), ("sack", (1040, 40)), ("vegas", (1000, 1000))])
def test_packets_have_headers_and_a_syn_has_nothing_else_except_with_vegas(
    variant: str, sizes: tuple[int, int]
) -> None:
    assert segment_bytes(FLOW.model_copy(update={"variant": variant}), NS_2_27) == sizes
