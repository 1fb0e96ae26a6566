"""Round-trip times and the timeout, as Linux estimates them (tcp_rtt_estimator(), tcp_set_rto()).

RFC 6298, section 2, but every ACK of new data gives a sample, and what is added to the smoothed round trip, four times
the deviation, never falls below the least timeout: 200 ms more than a round trip, even where that never varies. It
grows at once, and shrinks by a quarter of the difference once a round trip.

srtt is kept in eighths and the deviation in quarters of a tick, which is a microsecond in Linux.
"""

from simcore.rules.congestion import control
from simcore.rules.linux.connection import NEVER_S, Connection
from simcore.rules.tcp.sender import TcpState


def begin(state: Connection) -> None:
    """An ACK is about to be taken in: forget which segments the last one told of."""
    state.first_acked_s = NEVER_S
    state.last_acked_s = NEVER_S
    state.first_sacked_s = NEVER_S
    state.last_sacked_s = NEVER_S


def note_acked(state: Connection, sent_s: float) -> None:
    """The ACK covers a segment that was sent once, at `sent_s`."""
    state.last_acked_s = sent_s
    if state.first_acked_s == NEVER_S:
        state.first_acked_s = sent_s


def note_sacked(state: Connection, sent_s: float) -> None:
    """A SACK block tells of a segment that was sent once, at `sent_s`."""
    state.last_sacked_s = sent_s
    if state.first_sacked_s == NEVER_S:
        state.first_sacked_s = sent_s


def end(tcp: TcpState, state: Connection, now: float) -> bool:
    """All is noted: take the sample, if there is one; was there (Linux: tcp_ack_update_rtt())?"""
    first_s = state.first_sacked_s if state.first_acked_s == NEVER_S else state.first_acked_s
    last_s = state.last_acked_s if state.last_sacked_s == NEVER_S else state.last_sacked_s
    if first_s == NEVER_S:
        return False
    latest_s = now - last_s
    state.least_rtt_s = latest_s if state.least_rtt_s == NEVER_S else min(state.least_rtt_s, latest_s)
    take_sample(tcp, state, int((now - first_s) / tcp.tick_s + 0.5))
    control.round_trip_measured(tcp, now - first_s, now)
    control.segment_timed(tcp, latest_s, now)
    return True


def take_sample(tcp: TcpState, state: Connection, ticks: int) -> None:
    """Estimate anew; whatever the timeout was backed off to is forgotten."""
    least = int(tcp.min_rto_s / tcp.tick_s)
    if tcp.srtt == 0:
        tcp.srtt = max(1, 8 * ticks)
        state.deviation = 2 * ticks
        state.variance = max(state.deviation, least)
        state.deviation_max = state.variance
        state.variance_seq = tcp.highest_sent
    else:
        smooth(tcp, state, ticks, least)
    tcp.rto_s = ((tcp.srtt >> 3) + state.variance) * tcp.tick_s
    tcp.backoff = 1


def smooth(tcp: TcpState, state: Connection, ticks: int, least: int) -> None:
    """Let the sample move the averages."""
    error = ticks - (tcp.srtt >> 3)
    tcp.srtt = max(1, tcp.srtt + error)
    change = abs(error) - (state.deviation >> 2)
    if error < 0 and change > 0:
        change >>= 3  # a round trip that got shorter says little of those to come
    state.deviation += change
    if state.deviation > state.deviation_max:
        state.deviation_max = state.deviation
        state.variance = max(state.variance, state.deviation_max)
    if tcp.highest_ack > state.variance_seq:
        if state.deviation_max < state.variance:
            state.variance -= (state.variance - state.deviation_max) >> 2
        state.variance_seq = tcp.highest_sent
        state.deviation_max = least
