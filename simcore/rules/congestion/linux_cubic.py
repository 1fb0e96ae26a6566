"""CUBIC as Linux has it (net/ipv4/tcp_cubic.c), with its hybrid slow start.

Whole windows, time in jiffies of 4 ms, the cubic function in 1/1024 s. Slow start ends before the first loss when ACKs
come in a train as long as half of the shortest round trip, or when round trips get longer: Ha and Rhee, "Hybrid Slow
Start for High-Bandwidth and Long-Distance Networks", PFLDnet 2008. RFC 9406 has the second rule, with other numbers.
"""

from array import array
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules.congestion import cubic
from simcore.rules.congestion.linux_reno import counted_up, slow_start
from simcore.rules.recorded import Quantity, Recorded
from simcore.rules.tcp.sender import LEAST_SSTHRESH, TcpState, in_slow_start
from simcore.rules.why import Why

NAME: Final = "CUBIC of Linux"
SINCE: Final = 2015  # Linux 4.1
STACK: Final = "linux"
STANDS_FOR: Final = ("cubic",)
RECOVERY: Final = "linux_sack"
OWN_SLOW_START: Final = True

JIFFY_S: Final = 0.004  # CONFIG_HZ of 250
JIFFIES: Final = 250  # in a second
SCALE: Final = 1024  # of fractions: Linux, BICTCP_BETA_SCALE
# 64 times the cubic roots of 0 to 63, by hand (Linux: cubic_root(), v[])
FIRST_GUESSES: Final = (
    *(0, 54, 54, 54, 118, 118, 118, 118, 123, 129, 134, 138, 143, 147, 151, 156),
    *(157, 161, 164, 168, 170, 173, 176, 179, 181, 185, 187, 190, 192, 194, 197, 199),
    *(200, 202, 204, 206, 209, 211, 213, 215, 217, 219, 221, 222, 224, 225, 227, 229),
    *(231, 232, 234, 236, 237, 239, 240, 242, 244, 245, 246, 248, 250, 251, 252, 254),
)
SAME_WINDOW_JIFFIES: Final = JIFFIES // 32  # as long the increase is kept if cwnd has not changed
SLOW: Final = 20  # ACKs for a packet more, at most, before the first loss

LOW_WINDOW: Final = 16  # packets: below that slow start never ends early
TRAIN_S: Final = 0.002  # the longest gap within a train of ACKs
ACK_DELAY_S: Final = 0.001
SAMPLES: Final = 8  # of a round before its shortest round trip counts
LEAST_INCREASE_S: Final = 0.004
LARGEST_INCREASE_S: Final = 0.016

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "slow_start": Why(
        "Slow start",
        "cwnd grows by as many packets as the ACK tells of. It ends at ssthresh, or when the round trips of a window "
        "show a queue (hybrid slow start): ssthresh is then cwnd.",
        "Ha and Rhee 2008; Linux: hystart_update()",
    ),
    "congestion_avoidance": Why(
        "Congestion avoidance of CUBIC",
        "cwnd follows a cubic function of the time since the last loss, but is at least as large as Reno's.",
        "RFC 9438, sections 4.2 and 4.3; Linux: bictcp_update()",
    ),
}

RECORDED: Final[Recorded] = {
    "origin": Quantity("plateau of the cubic function (Linux: bic_origin_point)", "packets"),
    "reno_window": Quantity("what a Reno with the same decrease would have (Linux: tcp_cwnd)", "packets"),
    "least_rtt_s": Quantity("shortest round trip so far (Linux: delay_min)", "s"),
}


@dataclass(slots=True, kw_only=True)
class State:
    """What it goes by, and what it remembers. Times in jiffies, unless the name says otherwise."""

    guesses: MutableSequence[int]  # FIRST_GUESSES
    beta: int  # of 1024: what a loss leaves of the window; 717
    fast_convergence: bool
    friendly: int  # eighths of the window, in ACKs, for a packet more of a Reno with that decrease (beta_scale); 15
    cube: int  # of 1024 packets / s^3: the cubic function's factor (10 bic_scale); 410
    cube_factor: int  # 1024^4 / cube

    counted: int = 0  # segments acknowledged since cwnd grew
    interval: int = 0  # segments for a packet more (Linux: cnt)
    last_max: int = 0
    last_cwnd: int = 0
    last_time: int = 0
    origin: int = 0  # packets: the plateau
    until_origin: int = 0  # 1/1024 s (Linux: bic_K)
    epoch: int = -1  # when the cubic function began; negative: it begins with the next ACK
    acked: int = 0
    reno_window: int = 0
    least_rtt_s: float = 0.0

    # Hybrid slow start
    found: bool = False
    round_end: int = -1
    round_start_s: float = 0.0
    last_ack_s: float = 0.0
    round_rtt_s: float = 1e9
    samples: int = 0


Settings = cubic.Settings


def initial_state(settings: Settings, window: int) -> State:
    """Before the first ACK, in Linux' whole numbers (cubictcp_register())."""
    beta, cube = round(settings.beta * SCALE), max(1, round(settings.c * SCALE))
    return State(
        guesses=array("q", FIRST_GUESSES),
        beta=beta,
        fast_convergence=settings.fast_convergence,
        friendly=8 * (SCALE + beta) // 3 // max(1, SCALE - beta),
        cube=cube,
        cube_factor=(1 << 40) // cube,
    )


def jiffies(tcp: TcpState, now: float) -> int:
    """The time on Linux' coarse clock."""
    return int((now + tcp.boot_s) / JIFFY_S)


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Grow cwnd for `tcp.newly_delivered` segments (Linux: cubictcp_cong_avoid())."""
    left = slow_start(tcp) if in_slow_start(tcp) else tcp.newly_delivered
    if left > 0:
        adapt_interval(tcp, state, left, jiffies(tcp, now))
        counted_up(tcp, state, state.interval, left)


def adapt_interval(tcp: TcpState, state: State, acknowledged: int, time: int) -> None:
    """How many segments a packet more takes now (Linux: bictcp_update())."""
    cwnd = int(tcp.cwnd)
    state.acked += acknowledged
    if state.last_cwnd == cwnd and time - state.last_time <= SAME_WINDOW_JIFFIES:
        return
    if state.epoch < 0 or time != state.last_time:
        state.last_cwnd = cwnd
        state.last_time = time
        if state.epoch < 0:
            begin_epoch(state, cwnd, acknowledged, time)
        follow_function(state, cwnd, time)
    be_friendly(state, cwnd)
    state.interval = max(state.interval, 2)


def begin_epoch(state: State, cwnd: int, acknowledged: int, time: int) -> None:
    """A cubic function begins."""
    state.epoch = time
    state.acked = acknowledged
    state.reno_window = cwnd
    state.until_origin = cubic_root(state, state.cube_factor * (state.last_max - cwnd)) if state.last_max > cwnd else 0
    state.origin = max(state.last_max, cwnd)


def cubic_root(state: State, number: int) -> int:
    """Near the cubic root of a number above 63, as Linux has it: a step of Newton's method from a rough guess.

    It is up to 0.2 % off, and its last division is one by 3.003: a window later or earlier by that is seen.
    """
    thirds, rest = -1, number  # of the number of bits
    while rest > 7:
        rest >>= 3
        thirds += 1
    guess = ((state.guesses[number >> (3 * thirds)] + 10) << thirds) >> 6
    return ((2 * guess + number // (guess * (guess - 1))) * 341) >> 10


def follow_function(state: State, cwnd: int, time: int) -> None:
    """Aim at what the cubic function says of the time one shortest round trip from now."""
    ahead = int(state.least_rtt_s / JIFFY_S + 0.999999)
    since = ((time - state.epoch + ahead) << 10) // JIFFIES - state.until_origin
    target = state.origin
    distance = int(float(state.cube) * abs(since) * abs(since) * abs(since) / 2.0**40)
    target += -distance if since < 0 else distance
    state.interval = cwnd // (target - cwnd) if target > cwnd else 100 * cwnd
    if state.last_max == 0:
        state.interval = min(state.interval, SLOW)


def be_friendly(state: State, cwnd: int) -> None:
    """At least as quick as a Reno that loses as much of its window."""
    segments = (cwnd * state.friendly) >> 3
    while state.acked > segments:
        state.acked -= segments
        state.reno_window += 1
    if state.reno_window > cwnd:
        state.interval = min(state.interval, cwnd // (state.reno_window - cwnd))


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """717/1024 of cwnd; below the last largest window there is more room left (Linux: cubictcp_recalc_ssthresh())."""
    cwnd = int(tcp.cwnd)
    state.counted = 0
    state.epoch = -1
    converges = state.fast_convergence and cwnd < state.last_max
    state.last_max = cwnd * (SCALE + state.beta) // (2 * SCALE) if converges else cwnd
    tcp.ssthresh = float(max(cwnd * state.beta // SCALE, LEAST_SSTHRESH))


def timer_expired(tcp: TcpState, state: State, now: float) -> None:
    """The same, and all else is forgotten (Linux: bictcp_reset())."""
    loss_detected(tcp, state, now)
    state.last_max = 0
    state.interval = 0
    state.last_cwnd = 0
    state.last_time = 0
    state.least_rtt_s = 0.0
    state.found = False
    begin_round(tcp, state, now)


def segment_timed(tcp: TcpState, state: State, rtt_s: float, now: float) -> None:
    """An ACK told of a round trip (Linux: cubictcp_acked())."""
    if tcp.highest_ack == 0:  # the SYN's: a control begins after it, tcp_init_transfer()
        return
    if state.epoch >= 0 and jiffies(tcp, now) - state.epoch < JIFFIES:
        return
    state.least_rtt_s = rtt_s if state.least_rtt_s == 0.0 else min(state.least_rtt_s, rtt_s)
    if not state.found and in_slow_start(tcp):
        look_for_queue(tcp, state, rtt_s, now)


def begin_round(tcp: TcpState, state: State, now: float) -> None:
    """A round begins: it ends when all that is sent now is acknowledged (Linux: bictcp_hystart_reset())."""
    state.round_start_s = now
    state.last_ack_s = now
    state.round_end = tcp.highest_sent
    state.round_rtt_s = 1e9
    state.samples = 0


def look_for_queue(tcp: TcpState, state: State, rtt_s: float, now: float) -> None:
    """Hybrid slow start: does a queue build up (Linux: hystart_update())? Rounds begin in small windows, too."""
    if tcp.highest_ack > state.round_end:
        begin_round(tcp, state, now)
    if tcp.cwnd < LOW_WINDOW:
        return
    if now - state.last_ack_s <= TRAIN_S:
        state.last_ack_s = now
        if now - state.round_start_s > (state.least_rtt_s + ACK_DELAY_S) / 2.0:
            state.found = True
    state.round_rtt_s = min(state.round_rtt_s, rtt_s)
    if state.samples < SAMPLES:
        state.samples += 1
    elif state.round_rtt_s > state.least_rtt_s + increase_s(state.least_rtt_s):
        state.found = True
    if state.found:
        tcp.ssthresh = tcp.cwnd


def increase_s(least_rtt_s: float) -> float:
    """By how much longer the round trips of a round are where a queue builds up (Linux: HYSTART_DELAY_THRESH())."""
    return min(max(least_rtt_s / 8.0, LEAST_INCREASE_S), LARGEST_INCREASE_S)
