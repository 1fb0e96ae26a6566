"""Linux's sender in short stories: growth, reduction, timeouts, RACK and probes of the tail."""

import pytest

from simcore.rules.congestion import cubic, linux_cubic
from simcore.rules.linux.connection import LOSS
from simcore.rules.tcp import rto
from simcore.scenario.profiles import LINUX
from tests.engines import assert_same
from tests.simcore.rules.linux.script import LinuxSender
from tests.simcore.scenes import scene, tcp_flow


def test_the_initial_window_is_ten() -> None:
    assert LinuxSender().sent == [*range(1, 11)]


def test_an_ack_for_two_opens_the_window_as_two_acks_do() -> None:
    one, two = LinuxSender(), LinuxSender()
    assert one.acked(1, 2) == two.acked(2) == [11, 12, 13, 14]


def test_slow_start_stops_at_ssthresh_and_what_is_left_is_counted() -> None:
    sender = LinuxSender()
    sender.state.ssthresh = 12.0
    sender.acked(5)
    assert (sender.state.cwnd, sender.state.control_state.counted) == (12.0, 3)
    sender.acked(13)
    assert (sender.state.cwnd, sender.state.control_state.counted) == (12.0, 11)
    sender.acked(14)
    assert (sender.state.cwnd, sender.state.control_state.counted) == (13.0, 0)


@pytest.mark.parametrize(("duplicates", "sent"), [(2, [11, 12]), (3, [11, 12, 1])])
def test_two_duplicates_release_new_segments_and_the_third_a_repair(duplicates: int, sent: list[int]) -> None:
    assert LinuxSender().acked(*[0] * duplicates) == sent


def test_cwnd_goes_down_as_segments_are_delivered() -> None:
    """RFC 6937: of 10 packets 5 are left, and every second duplicate ACK releases one."""
    sender = LinuxSender()
    sender.state.ssthresh = 10.0
    sender.acked(0, 0, 0)
    assert sender.state.ssthresh == 5.0
    assert [sender.acked(0, after_s=0.0) for _ in range(4)] == [[], [13], [], [14]]
    sender.acked(12, 13)  # 12 was the last before the loss was noticed
    assert sender.state.cwnd == 5.0


def test_ssthresh_is_half_of_cwnd_and_not_of_what_is_under_way() -> None:
    sender = LinuxSender(window=100)
    sender.state.cwnd = 40.0
    sender.acked(0, 0, 0)
    assert sender.state.ssthresh == 20.0


def test_a_partial_ack_tells_of_the_next_loss() -> None:
    sender = LinuxSender()
    sender.acked(*[0] * 6)
    assert sender.acked(3) == []  # ssthresh is under way
    assert sender.acked(3) == [4]


def test_duplicates_of_the_ack_that_would_end_recovery_begin_no_other() -> None:
    sender = LinuxSender()
    sender.acked(0, 0, 0)
    sender.acked(12)
    assert sender.state.recovery_state.ca_state == 3
    sender.acked(12, 12, 12, 12)
    assert sender.state.ssthresh == 5.0
    sender.acked(13)
    assert sender.state.recovery_state.ca_state == 0


def test_the_timeout_is_a_round_trip_and_at_least_200_ms() -> None:
    sender = LinuxSender()
    assert rto.timeout_s(sender.state) == pytest.approx(0.3)
    for number in (10, 30, 60):
        sender.acked(number)
    assert rto.timeout_s(sender.state) == pytest.approx(0.3)  # RFC 6298 alone would be at 0.14


def test_after_a_timeout_everything_is_lost_and_slow_start_begins() -> None:
    sender = LinuxSender()
    assert sender.timer_rings() == [1]
    assert (sender.state.cwnd, sender.state.ssthresh) == (1.0, 5.0)
    assert sender.timer_rings() == [1]
    assert sender.state.backoff == 4
    assert sender.acked(1) == [2, 3]


def test_a_syn_is_not_backed_off_four_times() -> None:
    """Linux 6.5: tcp_syn_linear_timeouts."""
    sender = LinuxSender(connects=False)
    for _ in range(6):
        assert sender.timer_rings() == [0]
    assert sender.now == 7.0  # after five times 1 s, and 2 s
    assert sender.timer_at_s == 11.0
    assert sender.acked(0) == [1]


def test_three_sacked_segments_tell_of_a_loss() -> None:
    sender = LinuxSender("sack")
    assert sender.acked(0, blocks=(2, 4)) == [11, 12]
    assert sender.acked(0, after_s=0.0, blocks=(2, 5)) == [1]


def test_fewer_wait_for_a_quarter_of_a_round_trip() -> None:
    """RFC 8985, section 6.2: and 8 ms of Linux' own."""
    sender = LinuxSender("sack")
    sender.acked(0, blocks=(2, 3))
    assert sender.timer_at_s - sender.now == pytest.approx(0.1 / 4 + 0.008)
    assert sender.timer_rings()[0] == 1


def test_a_repair_that_is_lost_is_noticed() -> None:
    """Segment 11 leaves after the repair of 1: when it arrives first, the repair is lost."""
    sender = LinuxSender("sack")
    sender.acked(0, blocks=(2, 5))
    sender.acked(0, after_s=0.01, blocks=(2, 11))
    assert max(sender.sent) >= 11
    assert sender.acked(0, blocks=(2, 12))[0] == 1


def test_a_probe_leaves_after_two_round_trips_if_the_profile_has_it() -> None:
    """RFC 8985, section 7.2."""
    sender = LinuxSender("sack", window=10, profile=LINUX)
    assert sender.timer_at_s - sender.now == pytest.approx(0.2 + 0.008)
    assert sender.timer_rings() == [10]
    without = LinuxSender("sack", window=10)
    assert without.timer_at_s - without.now == pytest.approx(0.3)


def test_a_probe_that_repaired_a_loss_reduces_the_window() -> None:
    """RFC 8985, section 7.4: an ACK beyond what was sent before the probe, and none that tells of it twice."""
    sender = LinuxSender("sack", window=10, profile=LINUX)
    sender.acked(9)
    assert sender.timer_rings() == [19]
    sender.acked(19)
    before = sender.state.cwnd
    sender.acked(20)
    assert sender.state.ssthresh == before // 2


@pytest.mark.parametrize(("is_clamped", "largest"), [(True, 10.0), (False, 20.0)])
def test_cwnd_grows_beyond_the_receivers_window_unless_the_route_forbids_it(is_clamped: bool, largest: float) -> None:
    """Slow start has no end before the first loss, but at twice what is outstanding: tcp_is_cwnd_limited()."""
    sender = LinuxSender(window=10, profile=LINUX.model_copy(update={"cwnd_clamped": is_clamped}))
    for number in range(1, 100):
        sender.acked(number, after_s=0.01)
    assert sender.state.cwnd == largest


def test_the_window_of_cubic_falls_to_seven_tenths() -> None:
    sender = LinuxSender("cubic", window=100)
    sender.state.cwnd = 100.0
    sender.acked(0, blocks=(2, 5))
    assert sender.state.ssthresh == 70.0  # 717/1024


def test_a_round_of_hybrid_slow_start_begins_in_a_small_window_too() -> None:
    """Linux 6.14: below 16 packets it only looks for no queue; the next round begins after the segments of this one."""
    sender = LinuxSender("cubic", window=1000)
    rounds = sender.state.control_state
    sender.acked(1)
    assert (rounds.round_end, rounds.samples) == (10, 0)
    sender.acked(10)
    assert (rounds.round_end, rounds.samples) == (10, 0)
    sender.acked(11)
    assert (rounds.round_end, rounds.samples) == (30, 1)


def test_a_timeout_in_recovery_makes_cubic_forget_but_cuts_nothing() -> None:
    """Linux: tcp_enter_loss() asks for ssthresh once for a window, and tells the control of the state in any case."""
    sender = LinuxSender("cubic")
    sender.state.cwnd = 100.0
    sender.acked(0, blocks=(2, 5))
    assert (sender.state.ssthresh, sender.state.control_state.last_max) == (70.0, 100)
    while sender.state.recovery_state.ca_state != LOSS:
        sender.timer_rings()
    assert (sender.state.ssthresh, sender.state.control_state.last_max) == (70.0, 0)


@pytest.mark.parametrize(("packets", "root"), [(1, 1388), (2, 1750), (8, 2777), (100, 6451), (10**6, 138877)])
def test_the_cubic_root_is_as_far_off_as_linux(packets: int, root: int) -> None:
    state = linux_cubic.initial_state(cubic.Settings(), window=1)
    number = state.cube_factor * packets
    assert linux_cubic.cubic_root(state, number) == root
    assert abs(root**3 / number - 1) < 3 * 0.00195  # its comment says 0.195 % on average


@pytest.mark.parametrize(("round_trip_s", "ends"), [(0.11, False), (0.13, True)])
def test_slow_start_of_cubic_ends_when_round_trips_get_longer_by_an_eighth(round_trip_s: float, ends: bool) -> None:
    sender = LinuxSender("cubic", window=1000)
    for _ in range(2):
        sender.acked(sender.state.highest_sent)
    before = sender.state.ssthresh
    assert sender.state.cwnd == 40.0
    sent = [*range(sender.state.highest_ack + 1, sender.state.highest_sent + 1)]
    for i, number in enumerate(sent[:20]):
        sender.acked(number, after_s=round_trip_s if i == 0 else 0.003)
    assert (sender.state.ssthresh < before) == ends


def test_thousands_of_timeouts_at_the_longest_are_the_same_in_both_engines() -> None:
    """Found by a campaign at the bounds: the factor was doubled each time, until no number could hold it."""
    flow = tcp_flow(variant="cubic", packet_bytes=100, window_packets=1, start_s=0.0, stop_s=0.5)
    dataset = assert_same(scene(flow, profile="linux", max_rto_s=5e-324, end_s=0.003))
    assert dataset["timeouts"].item() > 1024
