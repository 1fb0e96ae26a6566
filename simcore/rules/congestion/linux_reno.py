"""Reno as Linux has it (net/ipv4/tcp_cong.c): whole windows, and what is acknowledged counts, not how many ACKs come.

What is acknowledged is counted in segments (RFC 3465 counts bytes): an ACK for two opens the window as two ACKs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, LEAST_SSTHRESH, SLOW_START, TcpState, in_slow_start
from simcore.rules.why import Why

NAME: Final = "Reno of Linux"
SINCE: Final = 2014  # Linux 3.15 counts what is acknowledged in congestion avoidance as well
STACK: Final = "linux"
STANDS_FOR: Final = ("standard",)
RECOVERY: Final = "linux"
OWN_SLOW_START: Final = True  # it counts what is acknowledged, too

EXPLANATIONS: Final[Mapping[str, Why]] = {
    "slow_start": Why(
        "Slow start",
        "cwnd is below ssthresh: it grows by as many packets as the ACK tells of, but not beyond ssthresh.",
        "RFC 3465; Linux: tcp_slow_start()",
    ),
    "congestion_avoidance": Why(
        "Congestion avoidance",
        "Acknowledged packets are counted; when there are as many as cwnd has, cwnd grows by one.",
        "RFC 3465; Linux: tcp_cong_avoid_ai()",
    ),
}


@dataclass(slots=True)
class State:
    """What it remembers."""

    counted: int = 0  # segments acknowledged since cwnd grew (Linux: snd_cwnd_cnt)


class Counts(Protocol):
    """What a control of Linux remembers in any case."""

    counted: int


def data_acknowledged(tcp: TcpState, state: State, now: float) -> None:
    """Grow cwnd for `tcp.newly_delivered` segments."""
    left = slow_start(tcp) if in_slow_start(tcp) else tcp.newly_delivered
    if left > 0:
        counted_up(tcp, state, int(tcp.cwnd), left)


def slow_start(tcp: TcpState) -> int:
    """Grow by what is acknowledged, up to ssthresh; return how much of it is left (Linux: tcp_slow_start())."""
    before = tcp.cwnd
    tcp.cwnd = min(before + tcp.newly_delivered, tcp.ssthresh)
    tcp.cause = SLOW_START
    return tcp.newly_delivered - int(tcp.cwnd - before)


def counted_up(tcp: TcpState, state: Counts, segments: int, acknowledged: int) -> None:
    """One packet more for so many `segments` that were acknowledged (Linux: tcp_cong_avoid_ai())."""
    if state.counted >= segments:  # they were counted while cwnd was larger
        state.counted = 0
        tcp.cwnd += 1.0
    state.counted += acknowledged
    tcp.cwnd += float(state.counted // segments)
    state.counted %= segments
    tcp.cause = CONGESTION_AVOIDANCE


def loss_detected(tcp: TcpState, state: State, now: float) -> None:
    """Half of cwnd, whatever is under way; cwnd itself is the recovery's (Linux: tcp_reno_ssthresh())."""
    state.counted = 0
    tcp.ssthresh = float(max(int(tcp.cwnd) >> 1, LEAST_SSTHRESH))
