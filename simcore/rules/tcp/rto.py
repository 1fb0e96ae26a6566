"""The retransmission timeout: Jacobson's estimator in the integer arithmetic of ns-2, and Karn's back-off.

srtt is kept in eighths and rttvar in quarters of a clock tick (Jacobson, "Congestion Avoidance and Control", 1988,
appendix A; RFC 6298 gives the same gains in real numbers).
"""

from simcore.rules.recovery import recovery
from simcore.rules.tcp.sender import TcpState


def timeout_s(tcp: TcpState) -> float:
    """The retransmission timeout in seconds, with back-off and bounds (ns-2: rtt_timeout())."""
    timeout = min(max(tcp.rto_s, tcp.min_rto_s) * tcp.backoff, tcp.max_rto_s)
    return max(timeout, 2.0 * tcp.tick_s)


def timer_started(tcp: TcpState) -> float:
    """Note that the timer is started, anew or for the first time; return the seconds until it rings."""
    tcp.timer_pending = True
    return recovery.timer_s(tcp)


def round_trip_ended(tcp: TcpState, now: float) -> None:
    """Take the running measurement as a sample, now that its segment is acknowledged (ns-2: rtt_update()).

    The sender's clock ticks: what counts is the number of ticks between sending and now. `now - round_trip_s` is
    the sending time as ns-2 computes it, not the time itself: the last bit may differ.
    """
    tcp.timing = False
    if not (tcp.echoes.waits_for_timer and tcp.echoes.is_echo and tcp.echoes.agreed):
        tcp.backoff = 1
        tcp.echoes.waits_for_timer = False
    round_trip_s = now - tcp.timed_at_s
    since_tick_s = (now - round_trip_s + tcp.boot_s) % tcp.tick_s
    ticks = max(1, int((round_trip_s + since_tick_s) / tcp.tick_s))
    if tcp.srtt == 0:
        tcp.srtt = 8 * ticks
        tcp.rttvar = 2 * ticks
    else:
        error = ticks - (tcp.srtt >> 3)
        tcp.srtt = max(1, tcp.srtt + error)
        tcp.rttvar = max(1, tcp.rttvar + abs(error) - (tcp.rttvar >> 2))
    tcp.rto_s = (((tcp.rttvar << 3) + tcp.srtt) >> 3) * tcp.tick_s


def double(tcp: TcpState) -> None:
    """Double the timeout (RFC 6298, section 5.5), until it is the longest: the factor itself has bounds, too."""
    if tcp.backoff < 64 or timeout_s(tcp) < tcp.max_rto_s:
        tcp.backoff *= 2


def back_off(tcp: TcpState) -> None:
    """Double the timeout. After four doublings the estimate is no longer trusted."""
    double(tcp)
    if tcp.backoff > 8:
        tcp.rttvar += tcp.srtt >> 3
        tcp.srtt = 0
