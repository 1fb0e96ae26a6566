"""HyStart++, by the sections of RFC 9406: stories of one sender, then whole runs."""

from math import inf, nextafter
from typing import Any

import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from simcore import Recording, Scenario, metrics, simulate
from simcore.network.states import tcp_state
from simcore.rules.causes import CAUSES
from simcore.rules.recovery import loss
from simcore.rules.slow_start import hystart_pp
from simcore.rules.tcp import acks, ecn, sender
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import RFC
from tests.examples import examples
from tests.simcore.scenes import bottleneck, scene, tcp_flow

BASE_S = 0.0625  # its eighth, and what that adds to it, are exact
LONG_S = BASE_S + BASE_S / 8
ENGINES = ("process", "compiled")


class Story:
    """A sender past its handshake, with ten segments of initial window."""

    def __init__(self, window: int = 1000, slow_start: str = "hystart_pp", variant: str = "sack") -> None:
        flow = tcp_flow(variant=variant, window_packets=window, slow_start=slow_start, start_s=0.0)
        self.tcp: Any = tcp_state(TcpFlow.model_validate(flow), RFC, 0.0)
        self.state = self.tcp.slow_start_state
        self.tcp.data_end = sender.ENDLESS
        self.sends(1)
        acks.new_ack_arrived(self.tcp, 0, 1.0)
        assert self.tcp.cwnd == 10.0

    def sends(self, count: int) -> None:
        """So many segments leave, at time 0."""
        for seq in range(self.tcp.next_seq, self.tcp.next_seq + count):
            sender.segment_sent(self.tcp, None, seq, 0.0)
        self.tcp.next_seq += count

    def gets(self, rtt_s: float, segments: int = 1) -> float:
        """An ACK for so many further segments comes; by how much does the window open?"""
        before = self.tcp.cwnd
        acks.new_ack_arrived(self.tcp, self.tcp.highest_ack + segments, rtt_s)
        return float(self.tcp.cwnd - before)

    def round(self, *rtts_s: float) -> None:
        """A round with an ACK for each of its segments, which are all under way before the first comes."""
        self.sends(len(rtts_s))
        for rtt_s in rtts_s:
            self.gets(rtt_s)

    def enters_css(self) -> None:
        """By a round of longer round trips, whose eighth segment is acknowledged last."""
        self.round(*[BASE_S] * 8)
        self.round(*[LONG_S] * 8)
        assert self.state.is_conservative


@pytest.mark.parametrize(("samples", "enters"), [(7, False), (8, True)])
def test_eight_round_trips_of_a_round_tell_of_a_queue(samples: int, enters: bool) -> None:
    """Section 4.2: rttSampleCount >= N_RTT_SAMPLE."""
    story = Story()
    story.round(*[BASE_S] * 8)
    story.round(*[1.0] * samples)
    assert story.state.is_conservative == enters


@pytest.mark.parametrize(
    ("base_s", "thresh_s"),
    [(0.015625, 0.004), (0.03125, 0.004), (BASE_S, BASE_S / 8), (0.125, 0.125 / 8), (0.25, 0.016)],
    ids=["MIN_RTT_THRESH", "just MIN_RTT_THRESH", "an eighth", "just an eighth", "MAX_RTT_THRESH"],
)
def test_round_trips_are_longer_from_a_threshold_on(base_s: float, thresh_s: float) -> None:
    """Section 4.2: RttThresh = max(MIN_RTT_THRESH, min(lastRoundMinRTT / MIN_RTT_DIVISOR, MAX_RTT_THRESH))."""
    long_s = base_s + thresh_s
    for rtt_s, enters in ((nextafter(long_s, 0.0), False), (long_s, True)):
        story = Story()
        story.round(*[base_s] * 8)
        story.round(*[rtt_s] * 8)
        assert story.state.is_conservative == enters


def test_the_shortest_round_trip_of_a_round_counts() -> None:
    """Section 4.2: currentRoundMinRTT. Packets of a burst wait for each other."""
    story = Story()
    story.round(*[BASE_S] * 8)
    story.round(*[1.0] * 6, nextafter(LONG_S, 0.0), *[1.0] * 20)
    assert not story.state.is_conservative


def test_a_round_is_compared_with_the_one_before_it_not_with_the_first() -> None:
    """Section 4.2: lastRoundMinRTT. A queue that grows slowly is not seen."""
    story = Story()
    for number in range(20):
        story.round(*[BASE_S + 0.0039 * number] * 8)
    assert not story.state.is_conservative


def test_the_first_round_has_none_before_it_and_the_handshake_is_no_round() -> None:
    story = Story()
    story.round(*[2.0] * 30)  # the SYN took a second
    assert (story.state.is_conservative, story.state.last_round_min_rtt_s) == (False, hystart_pp.INFINITY_S)


def test_a_round_ends_when_the_segment_is_acknowledged_that_was_sent_first_in_it() -> None:
    """Section 4.2: windowEnd is SND.NXT at the round's beginning."""
    story = Story()
    story.round(*[BASE_S] * 10)
    assert (story.state.window_end, story.state.rtt_sample_count) == (11, 10)
    story.sends(10)
    story.gets(BASE_S)
    assert (story.state.window_end, story.state.rtt_sample_count) == (21, 1)


@pytest.mark.parametrize(("segments", "opened"), [(1, 1.0), (2, 2.0), (8, 8.0), (9, 8.0)])
def test_the_window_opens_by_what_is_acknowledged_but_no_more_than_l_at_once(segments: int, opened: float) -> None:
    """Section 4.2: cwnd + min(N, L * SMSS); in CSS a quarter of it."""
    story = Story()
    story.sends(segments)
    assert story.gets(BASE_S, segments) == opened
    assert story.tcp.cause == sender.SLOW_START
    story = Story()
    story.enters_css()
    story.sends(segments)
    assert story.gets(LONG_S, segments) == opened / 4
    assert CAUSES[story.tcp.cause] == "conservative_slow_start"


def test_the_ack_that_tells_of_the_queue_still_opens_it_by_a_packet() -> None:
    """Section 4.2: the window is updated before round trips are compared."""
    story = Story()
    story.round(*[BASE_S] * 8)
    story.round(*[LONG_S] * 7)
    story.sends(1)
    story.state.window_end += 1
    assert (story.gets(LONG_S), story.state.is_conservative) == (1.0, True)


def test_css_lasts_five_rounds_and_the_one_in_which_it_began_counts() -> None:
    """Section 4.2: CSS_ROUNDS; ssthresh is then cwnd, and the control goes on."""
    story = Story()
    story.enters_css()
    for _ in range(4):
        story.round(*[LONG_S] * 8)
        assert story.tcp.ssthresh == 1000.0
    story.sends(2)
    before = story.tcp.cwnd
    assert story.gets(LONG_S) == 0.25
    assert story.tcp.ssthresh == story.tcp.cwnd == before + 0.25
    assert story.gets(LONG_S) == pytest.approx(1.0 / story.tcp.ssthresh)
    assert story.tcp.cause == sender.CONGESTION_AVOIDANCE


@pytest.mark.parametrize(("rtt_s", "resumes"), [(LONG_S, False), (nextafter(LONG_S, 0.0), True)])
def test_slow_start_resumes_when_round_trips_fall_below_those_at_its_exit(rtt_s: float, resumes: bool) -> None:
    """Section 4.2: currentRoundMinRTT < cssBaselineMinRtt means that the exit was spurious."""
    story = Story()
    story.enters_css()
    story.round(*[rtt_s] * 8)
    assert story.state.is_conservative == (not resumes)
    story.sends(1)
    assert story.gets(rtt_s) == (1.0 if resumes else 0.25)


def test_less_than_eight_round_trips_do_not_resume_it() -> None:
    story = Story()
    story.enters_css()
    story.round(*[BASE_S] * 7)
    assert story.state.is_conservative


def test_after_jitter_the_five_rounds_begin_anew() -> None:
    """Section 4.2: slow start is resumed with HyStart++."""
    story = Story()
    story.enters_css()
    for _ in range(3):
        story.round(*[LONG_S] * 8)
    story.round(*[BASE_S] * 8)
    story.round(*[LONG_S] * 8)
    assert (story.state.is_conservative, story.state.css_rounds) == (True, 0)


@pytest.mark.parametrize("congested", [loss.detected, ecn.congestion_echoed], ids=["loss", "mark"])
def test_a_loss_and_a_mark_end_it_for_good(congested: Any) -> None:
    """Sections 4.2 and 4.3: later slow starts are standard ones, in which an ACK for two opens by one."""
    story = Story()
    story.enters_css()
    story.sends(40)
    congested(story.tcp, 1.0)
    assert story.tcp.ssthresh == 20.0
    story.tcp.cwnd = 1.0  # as after a timeout
    assert (story.gets(LONG_S, 2), story.gets(LONG_S, 2)) == (1.0, 1.0)
    assert story.state.is_over


def test_at_ssthresh_slow_start_ends_as_ever() -> None:
    """The first ssthresh is the receiver's window."""
    story = Story(window=12)
    story.round(BASE_S, BASE_S, BASE_S)
    assert (story.tcp.cwnd, story.state.is_over) == (12.0 + 1.0 / 12.0, True)


def test_a_segment_that_was_sent_twice_is_no_sample() -> None:
    """RFC 6298, section 3: Karn."""
    story = Story()
    story.sends(2)
    sender.segment_sent(story.tcp, None, 1, 0.5)
    story.gets(1.0)
    assert story.state.rtt_sample_count == 0
    story.gets(1.0)
    assert story.state.rtt_sample_count == 1


def test_an_ack_for_two_segments_is_one_sample() -> None:
    story = Story()
    story.sends(8)
    for _ in range(4):
        story.gets(BASE_S, 2)
    assert story.state.rtt_sample_count == 4


@examples(100)
@given(st.lists(st.tuples(st.integers(1, 12), st.floats(0.0, 1.0)), min_size=1, max_size=200), st.integers(1, 12))
def test_it_never_opens_the_window_further_than_what_is_acknowledged(
    told: list[tuple[int, float]], flight: int
) -> None:
    """A quarter of that at least, as long as slow start lasts; and it ends at cwnd, or at the first ssthresh."""
    story = Story(window=600)
    for segments, rtt_s in told:
        story.sends(max(0, segments + flight - sender.outstanding(story.tcp)))
        was_over, opened = story.state.is_over, story.gets(rtt_s, segments)
        if not story.state.is_over and not was_over:
            assert min(segments, 8) / 4 <= opened <= min(segments, 8)
            assert story.tcp.ssthresh == 600.0
        else:
            assert story.tcp.ssthresh <= min(600.0, story.tcp.cwnd)


def first_window(slow_start: str | None, variant: str = "sack", **changes: object) -> Scenario:
    """100 packets fit into the pipe and 300 into the queue; the receiver takes more."""
    flow = tcp_flow(variant=variant, window_packets=2000, stop_s=3, slow_start=slow_start)
    link = bottleneck(rate_mbps=20, delay_ms=20, buffer_packets=300)
    return scene(flow, profile="rfc", end_s=3, bottleneck=link, **changes)


def losses(scenario: Scenario) -> int:
    """Packets that are dropped in the first second: at the end of the first slow start."""
    ds = simulate(scenario, "compiled")
    return int(((ds["event_kind"] == 2) & (ds["event_s"] < 1.0)).sum())


@pytest.mark.parametrize("variant", ["reno", "newreno", "sack", "cubic"])
def test_the_first_slow_start_loses_fewer_packets_in_a_large_buffer(variant: str) -> None:
    assert 0 < losses(first_window("hystart_pp", variant)) < losses(first_window(None, variant)) / 3


@pytest.mark.parametrize("variant", ["tahoe", "reno", "newreno", "sack", "cubic", "highspeed", "westwood"])
def test_both_engines_have_it_with_every_control(variant: str) -> None:
    runs = [simulate(first_window("hystart_pp", variant), engine, Recording(states=True)) for engine in ENGINES]
    xr.testing.assert_identical(*(run.drop_attrs() for run in runs))
    assert {0.0, 1.0} == set(metrics.sender_state(runs[0], 1, "hystart_pp_is_conservative").values)


ENGINES = ("process", "compiled")


def test_flows_of_one_network_may_differ_in_it() -> None:
    """Beside controls with slow starts of their own, and the same sender without it."""
    flows = [
        tcp_flow(variant=variant, window_packets=300, slow_start=named, sink="delayed")
        for variant, named in [
            ("sack", "hystart_pp"), ("sack", None), ("vegas", None), ("bbr", None), ("cubic", "hystart_pp"),
            ("reno", "standard"),
        ]
    ]  # fmt: skip
    link = bottleneck(rate_mbps=20, delay_ms=20, buffer_packets=300)
    runs = [simulate(scene(*flows, bottleneck=link, end_s=4), engine).drop_attrs() for engine in ENGINES]
    xr.testing.assert_identical(*runs)
    assert runs[0]["received"].values[0] != runs[0]["received"].values[1]


def test_standard_is_what_a_flow_has_that_names_none() -> None:
    named, unnamed = (simulate(first_window(name), "compiled").drop_attrs() for name in ("standard", None))
    xr.testing.assert_identical(named, unnamed)


def test_infinity_is_longer_than_any_run() -> None:
    assert 1e6 < hystart_pp.INFINITY_S < inf  # a run's `end_s`
