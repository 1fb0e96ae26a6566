"""The window of CUBIC (RFC 9438). Windows in packets, times in seconds."""

from typing import Final

from simcore.rules.tcp import TcpState

C: Final = 0.4  # packets / s^3; section 5
BETA: Final = 0.7  # what a loss leaves of the window; section 4.6
FRIENDLY: Final = 3.0 * (1.0 - BETA) / (1.0 + BETA)  # the increase of a Reno with that decrease; section 4.3
FASTEST: Final = 1.5  # the window grows by at most half in a round trip; section 4.2


def grow(tcp: TcpState, now: float) -> None:
    """Congestion avoidance for one new ACK (section 4.2)."""
    if tcp.epoch_s < 0.0:
        begin_epoch(tcp, now)
    round_trip_s = tcp.srtt / 8.0 * tcp.tick_s
    elapsed_s = now - tcp.epoch_s
    target = min(max(window_after(tcp, elapsed_s + round_trip_s), tcp.cwnd), FASTEST * tcp.cwnd)
    # Section 4.3: once the estimate is back at the window of the last loss, it grows like Reno itself.
    tcp.reno_window += (FRIENDLY if tcp.reno_window < tcp.window_at_loss else 1.0) / tcp.cwnd
    if window_after(tcp, elapsed_s) < tcp.reno_window:
        tcp.cwnd = max(tcp.cwnd, tcp.reno_window)
    else:
        tcp.cwnd += (target - tcp.cwnd) / tcp.cwnd


def begin_epoch(tcp: TcpState, now: float) -> None:
    """Congestion avoidance begins: the plateau is reached `plateau_s` from now (section 4.2, equation 2)."""
    tcp.epoch_s = now
    tcp.reno_window = tcp.cwnd
    tcp.plateau = max(tcp.plateau, tcp.cwnd)
    tcp.plateau_s = ((tcp.plateau - tcp.cwnd) / C) ** (1.0 / 3.0)


def window_after(tcp: TcpState, elapsed_s: float) -> float:
    """W_cubic (section 4.2, equation 1)."""
    since_plateau_s = elapsed_s - tcp.plateau_s
    return C * since_plateau_s * since_plateau_s * since_plateau_s + tcp.plateau


def cut(tcp: TcpState, in_use: float) -> float:
    """Reduce the window after a loss (sections 4.6 and 4.7); return what ssthresh is to be, in packets.

    Fast convergence: a window that is cut below its last plateau leaves more room to newcomers.
    """
    tcp.plateau = in_use * (1.0 + BETA) / 2.0 if in_use < tcp.plateau else in_use
    tcp.window_at_loss = in_use
    tcp.epoch_s = -1.0
    tcp.cwnd = BETA * in_use
    return tcp.cwnd
