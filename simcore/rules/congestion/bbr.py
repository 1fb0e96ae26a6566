"""BBR, version 1: the window and the pace follow a model of the path, its bandwidth and its shortest round trip.

N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, "BBR: Congestion-Based Congestion Control", ACM Queue
14(5), 2016; draft-cardwell-iccrg-bbr-congestion-control-00; Linux: net/ipv4/tcp_bbr.c, whose functions are named.
Bandwidths in segments per second. Left out are the rules against policers (lt_bw), and the phase that Linux draws.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.rules import windowed_maximum
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.recovery import recovery
from simcore.rules.tcp import delivery_rate
from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, SLOW_START, UNCHANGED, TcpState
from simcore.rules.why import Why

NAME: Final = "BBR"
SINCE: Final = 2016
RECOVERY: Final = "sack"
OWN_SLOW_START: Final = True
RECOVERIES: Final = ("sack",)  # it needs to know which segments have arrived
RECORDED: Final[Recorded] = {
    "bandwidth": Quantity("largest delivery rate of ten round trips", "segments/s"),
    "least_rtt_s": Quantity("shortest round trip of ten seconds", "s"),
    "mode": Quantity("0 startup, 1 drain, 2 probing the bandwidth, 3 probing the round trip", "1"),
    "pacing_gain": Quantity("the pace, as a multiple of the bandwidth", "1"),
}
EXPLANATIONS: Final[Mapping[str, Why]] = {
    "slow_start": Why(
        "Startup of BBR",
        "The pace is 2.89 times the bandwidth that ACKs have shown, and cwnd grows by what they tell of, until the "
        "bandwidth has grown by less than a quarter in three round trips.",
        "Cardwell et al. 2016; Linux: bbr_check_full_bw_reached()",
    ),
    "congestion_avoidance": Why(
        "BBR follows its model",
        "cwnd is at most twice what fits into the path: the largest bandwidth of ten round trips by the shortest round "
        "trip of ten seconds. The pace cycles around that bandwidth.",
        "Cardwell et al. 2016; Linux: bbr_set_cwnd()",
    ),
}

STARTUP: Final = 0
DRAIN: Final = 1
PROBE_BANDWIDTH: Final = 2
PROBE_ROUND_TRIP: Final = 3

HIGH_GAIN: Final = 739 / 256  # 2 / ln 2, as Linux has it in 1/256
DRAIN_GAIN: Final = 88 / 256
WINDOW_GAIN: Final = 2.0
CYCLE: Final = 8  # phases of a round trip each: more, less, and six times as much as the bandwidth
FIRST_PHASE: Final = 2
PACING_MARGIN: Final = 0.99
BANDWIDTH_ROUNDS: Final = CYCLE + 2
ROUND_TRIP_WINDOW_S: Final = 10.0
PROBE_S: Final = 0.2
LEAST_WINDOW: Final = 4
INITIAL_WINDOW: Final = 10  # Linux: TCP_INIT_CWND
FULL_GROWTH: Final = 1.25
FULL_ROUNDS: Final = 3
BURST: Final = 2  # segments that Linux sends at once at such rates: bbr_tso_segs_goal()
AGGREGATION_ROUNDS: Final = 5
LONGEST_AGGREGATION_S: Final = 0.1
GUESSED_RTT_S: Final = 0.001  # before the first


@dataclass(slots=True, kw_only=True)
class State(delivery_rate.Sampler):
    """The model, and where its probing stands."""

    bandwidth: float = 0.0
    least_rtt_s: float = -1.0  # negative: none yet
    least_rtt_at_s: float = 0.0

    # The largest, second and third largest bandwidth of the last rounds, and their rounds (Linux: struct minmax)
    first_rate: float = 0.0
    first_round: int = 0
    second_rate: float = 0.0
    second_round: int = 0
    third_rate: float = 0.0
    third_round: int = 0

    mode: int = STARTUP
    pacing_gain: float = HIGH_GAIN
    pace: float = 0.0  # segments per second
    next_send_s: float = 0.0
    rounds: int = 0
    round_ends: int = 0  # when a segment is delivered before which so many were
    round_begins: bool = False
    full_rate: float = 0.0
    full_rounds: int = 0
    is_full: bool = False  # has startup found the bandwidth?
    phase: int = 0
    phase_since_s: float = 0.0
    probe_ends_s: float = -1.0  # negative: the window is not small enough yet
    probe_round_seen: bool = False
    saved_window: float = 0.0
    was_recovering: bool = False
    conserves: bool = False  # in the first round of a recovery: a segment for each that is delivered
    losses: int = 0  # that recovery has counted
    newly_lost: int = 0
    flight_before: int = 0  # the ACK

    # What ACKs that come in bunches tell of beyond the bandwidth: the most of some round trips, twice
    aggregated: float = 0.0
    aggregated_before: float = 0.0
    aggregation_rounds: int = 0
    epoch_s: float = 0.0
    epoch_delivered: float = 0.0


arrays = delivery_rate.sampler_arrays


def segment_sent(tcp: TcpState, state: State, seq: int, now: float) -> None:
    """Note it for the samples; the next one leaves at the pace."""
    delivery_rate.segment_sent(tcp, state, seq, now)
    if state.pace > 0.0:
        state.next_send_s = max(state.next_send_s, now) + 1.0 / state.pace


def send_delay_s(tcp: TcpState, state: State, now: float) -> float:
    """Until the pace allows the next one."""
    return max(0.0, state.next_send_s - now)


def sets_window(tcp: TcpState, state: State) -> bool:
    """In recovery, too (Linux: cong_control)."""
    return True


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """All is done when the ACK has been taken in."""


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """A loss by itself says nothing of the path. Linux: bbr_ssthresh()."""
    save_window(tcp, state)


def timer_expired(tcp: TcpState, state: State, now: float) -> None:
    """What startup found may be wrong (Linux: bbr_set_state())."""
    save_window(tcp, state)
    state.full_rate = 0.0
    state.was_recovering = True


def save_window(tcp: TcpState, state: State) -> None:
    """Remember what is to be restored (Linux: bbr_save_cwnd())."""
    if not state.was_recovering and state.mode != PROBE_ROUND_TRIP:
        state.saved_window = tcp.cwnd
    else:
        state.saved_window = max(state.saved_window, tcp.cwnd)


def ack_arrived(tcp: TcpState, state: State, ack: int, now: float) -> None:
    """Take the sample, before recovery forgets the segments."""
    state.flight_before = recovery.in_flight(tcp)
    delivery_rate.ack_arrived(tcp, state, ack, now)


def ack_taken_in(tcp: TcpState, state: State, now: float) -> None:
    """Bring the model up to date, then the pace and the window (Linux: bbr_main())."""
    if tcp.highest_ack <= 0:
        begin(tcp, state, now)
        return
    lost = recovery.losses(tcp)
    state.newly_lost = lost - state.losses
    state.losses = lost
    update_model(tcp, state, now)
    set_pace(state, state.bandwidth * state.pacing_gain)
    set_window(tcp, state)


def begin(tcp: TcpState, state: State, now: float) -> None:
    """The connection is there: the first pace is the initial window in a round trip (Linux: bbr_init())."""
    state.least_rtt_s = state.rtt_s
    state.least_rtt_at_s = now
    state.epoch_s = now
    state.round_ends = state.delivered
    state.pace = HIGH_GAIN * PACING_MARGIN * tcp.cwnd / (state.rtt_s if state.rtt_s > 0.0 else GUESSED_RTT_S)


def update_model(tcp: TcpState, state: State, now: float) -> None:
    """Linux: bbr_update_model()."""
    update_bandwidth(state)
    update_aggregation(tcp, state, now)
    if state.mode == PROBE_BANDWIDTH and is_phase_over(state, now):
        next_phase(state)
    check_startup(state)
    check_drain(tcp, state, now)
    update_least_rtt(tcp, state, now)
    update_pacing_gain(state)


def update_bandwidth(state: State) -> None:
    """The largest sample of ten round trips, each as long as until what was sent in it is delivered."""
    state.round_begins = False
    sample = delivery_rate.rate(state, state.least_rtt_s)
    if sample <= 0.0:
        return
    if state.prior_delivered >= state.round_ends:
        state.round_ends = state.delivered
        state.rounds += 1
        state.round_begins = True
        state.conserves = False
    windowed_maximum.take_in(state, state.rounds, BANDWIDTH_ROUNDS, sample)
    state.bandwidth = state.first_rate


def update_aggregation(tcp: TcpState, state: State, now: float) -> None:
    """What came beyond the bandwidth since ACKs last fell behind it (Linux: bbr_update_ack_aggregation())."""
    if state.newly_delivered <= 0 or state.prior_delivered < 0:
        return
    if state.round_begins:
        state.aggregation_rounds += 1
        if state.aggregation_rounds >= (AGGREGATION_ROUNDS if state.is_full else 1):
            state.aggregation_rounds = 0
            state.aggregated_before = state.aggregated
            state.aggregated = 0.0
    expected = float(int(state.bandwidth * (now - state.epoch_s)))
    if state.epoch_delivered <= expected:
        state.epoch_delivered = 0.0
        state.epoch_s = now
        expected = 0.0
    state.epoch_delivered += state.newly_delivered
    state.aggregated = max(state.aggregated, min(state.epoch_delivered - expected, tcp.cwnd))


def fits(state: State, gain: float) -> int:
    """So many times what fits into the path, with room for what is sent at once (Linux: bbr_inflight())."""
    return rounded(state, product(state, gain))


def product(state: State, gain: float) -> int:
    """The bandwidth by the round trip by the gain, rounded up (Linux: bbr_bdp())."""
    if state.least_rtt_s < 0.0:
        return INITIAL_WINDOW
    exact = state.bandwidth * state.least_rtt_s * gain
    return int(exact) + (exact > int(exact))


def rounded(state: State, segments: int) -> int:
    """Room for three bursts, an even number, and more while the bandwidth is probed (bbr_quantization_budget())."""
    budget = (segments + 3 * BURST + 1) // 2 * 2
    return budget + 2 if state.mode == PROBE_BANDWIDTH and state.phase == 0 else budget


def in_network(state: State, flight: int, now: float) -> int:
    """What will be in the network when the next segment leaves (Linux: bbr_packets_in_net_at_edt())."""
    later = flight + BURST if state.pacing_gain > 1.0 else flight
    return max(0, later - int(state.bandwidth * max(0.0, state.next_send_s - now)))


def is_phase_over(state: State, now: float) -> bool:
    """A round trip is; more is also sent until it has come through, less until the queue is gone."""
    is_full_length = state.delivered_s - state.phase_since_s > state.least_rtt_s
    if state.pacing_gain == 1.0:
        return is_full_length
    flight = in_network(state, state.flight_before, now)
    if state.pacing_gain > 1.0:
        return is_full_length and (state.newly_lost > 0 or flight >= fits(state, state.pacing_gain))
    return is_full_length or flight <= fits(state, 1.0)


def next_phase(state: State) -> None:
    """Linux: bbr_advance_cycle_phase()."""
    state.phase = (state.phase + 1) % CYCLE
    state.phase_since_s = state.delivered_s


def check_startup(state: State) -> None:
    """Has the bandwidth stopped growing? Linux: bbr_check_full_bw_reached()."""
    if state.is_full or not state.round_begins:
        return
    if state.bandwidth >= FULL_GROWTH * state.full_rate:
        state.full_rate = state.bandwidth
        state.full_rounds = 0
        return
    state.full_rounds += 1
    state.is_full = state.full_rounds >= FULL_ROUNDS


def check_drain(tcp: TcpState, state: State, now: float) -> None:
    """After startup the queue that it made is drained, then the bandwidth is probed."""
    if state.mode == STARTUP and state.is_full:
        state.mode = DRAIN
    if state.mode == DRAIN and in_network(state, recovery.in_flight(tcp), now) <= fits(state, 1.0):
        probe_bandwidth(state)


def probe_bandwidth(state: State) -> None:
    """Linux: bbr_reset_probe_bw_mode()."""
    state.mode = PROBE_BANDWIDTH
    state.phase = FIRST_PHASE - 1
    next_phase(state)


def update_least_rtt(tcp: TcpState, state: State, now: float) -> None:
    """The shortest round trip of ten seconds; if none was as short, the queue is emptied for a moment to see it."""
    is_old = now > state.least_rtt_at_s + ROUND_TRIP_WINDOW_S
    if state.rtt_s >= 0.0 and (state.rtt_s < state.least_rtt_s or state.least_rtt_s < 0.0 or is_old):
        state.least_rtt_s = state.rtt_s
        state.least_rtt_at_s = now
    if is_old and state.mode != PROBE_ROUND_TRIP:
        state.mode = PROBE_ROUND_TRIP
        save_window(tcp, state)
        state.probe_ends_s = -1.0
    if state.mode == PROBE_ROUND_TRIP:
        probe_round_trip(tcp, state, now)


def probe_round_trip(tcp: TcpState, state: State, now: float) -> None:
    """For 0.2 s and a round trip no more than four segments are under way."""
    if state.probe_ends_s < 0.0:
        if recovery.in_flight(tcp) <= LEAST_WINDOW:
            state.probe_ends_s = now + PROBE_S
            state.probe_round_seen = False
            state.round_ends = state.delivered
        return
    state.probe_round_seen = state.probe_round_seen or state.round_begins
    if state.probe_round_seen and now > state.probe_ends_s:
        state.least_rtt_at_s = now
        tcp.cwnd = max(tcp.cwnd, state.saved_window)
        if state.is_full:
            probe_bandwidth(state)
        else:
            state.mode = STARTUP


def update_pacing_gain(state: State) -> None:
    """Linux: bbr_update_gains()."""
    state.pacing_gain = 1.0
    if state.mode == STARTUP:
        state.pacing_gain = HIGH_GAIN
    elif state.mode == DRAIN:
        state.pacing_gain = DRAIN_GAIN
    elif state.mode == PROBE_BANDWIDTH and state.phase < 2:
        state.pacing_gain = 1.25 if state.phase == 0 else 0.75


def window_gain(state: State) -> float:
    """So many times what fits into the path may be under way."""
    if state.mode == PROBE_ROUND_TRIP:
        return 1.0
    return WINDOW_GAIN if state.mode == PROBE_BANDWIDTH else HIGH_GAIN


def set_pace(state: State, rate: float) -> None:
    """A hundredth below the rate, so that no queue builds up; in startup it never falls (bbr_set_pacing_rate())."""
    pace = PACING_MARGIN * rate
    if state.is_full or pace > state.pace:
        state.pace = pace


def set_window(tcp: TcpState, state: State) -> None:
    """Linux: bbr_set_cwnd()."""
    if state.newly_delivered > 0 and not follow_recovery(tcp, state):
        target = fits_with_aggregation(state)
        if state.is_full:
            tcp.cwnd = min(tcp.cwnd + state.newly_delivered, target)
        elif tcp.cwnd < target or state.delivered < INITIAL_WINDOW:
            tcp.cwnd += state.newly_delivered
        tcp.cwnd = max(tcp.cwnd, float(LEAST_WINDOW))
    if state.mode == PROBE_ROUND_TRIP:
        tcp.cwnd = min(tcp.cwnd, float(LEAST_WINDOW))
    if tcp.cause == UNCHANGED:  # else recovery has told what happened
        tcp.cause = CONGESTION_AVOIDANCE if state.is_full else SLOW_START


def fits_with_aggregation(state: State) -> float:
    """The window: what fits, and what ACKs that come in bunches need (Linux: bbr_ack_aggregation_cwnd())."""
    extra = 0.0
    if state.is_full:
        extra = min(max(state.aggregated, state.aggregated_before), state.bandwidth * LONGEST_AGGREGATION_S)
    return float(rounded(state, product(state, window_gain(state)) + int(extra)))


def follow_recovery(tcp: TcpState, state: State) -> bool:
    """In the first round of a recovery only as much leaves as arrives; afterwards the window is what it was.

    Linux: bbr_set_cwnd_to_recover_or_restore().
    """
    recovers = recovery.is_recovering(tcp)
    if state.newly_lost > 0:
        tcp.cwnd = max(tcp.cwnd - state.newly_lost, 1.0)
    if recovers and not state.was_recovering:
        state.conserves = True
        state.round_ends = state.delivered
        tcp.cwnd = float(recovery.in_flight(tcp) + state.newly_delivered)
    elif state.was_recovering and not recovers:
        tcp.cwnd = max(tcp.cwnd, state.saved_window)
        state.conserves = False
    state.was_recovering = recovers
    if state.conserves:
        tcp.cwnd = max(tcp.cwnd, float(recovery.in_flight(tcp) + state.newly_delivered))
    return state.conserves
