"""Round-trip times and the timeout, as Linux estimates them (tcp_rtt_estimator(), tcp_set_rto()).

RFC 6298, section 2, but every ACK of new data gives a sample, and what is added to the smoothed round trip, four times
the deviation, never falls below the least timeout: 200 ms more than a round trip, even where that never varies. It
grows at once, and shrinks by a quarter of the difference once a round trip.

srtt is kept in eighths and the deviation in quarters of a tick, which is a microsecond in Linux.
"""

from simcore.rules.congestion import control
from simcore.rules.linux.connection import NEVER_S, Connection
from simcore.rules.tcp.sender import TcpState


def begin(own: Connection) -> None:
    """An ACK is about to be taken in: forget which segments the last one told of."""
    own.first_acked_s = NEVER_S
    own.last_acked_s = NEVER_S
    own.first_sacked_s = NEVER_S
    own.last_sacked_s = NEVER_S


def note_acked(own: Connection, sent_s: float) -> None:
    """The ACK covers a segment that was sent once, at `sent_s`."""
    own.last_acked_s = sent_s
    if own.first_acked_s == NEVER_S:
        own.first_acked_s = sent_s


def note_sacked(own: Connection, sent_s: float) -> None:
    """A SACK block tells of a segment that was sent once, at `sent_s`."""
    own.last_sacked_s = sent_s
    if own.first_sacked_s == NEVER_S:
        own.first_sacked_s = sent_s


def end(tcp: TcpState, own: Connection, now: float) -> bool:
    """All is noted: take the sample, if there is one; was there (Linux: tcp_ack_update_rtt())?"""
    first_s = own.first_sacked_s if own.first_acked_s == NEVER_S else own.first_acked_s
    last_s = own.last_acked_s if own.last_sacked_s == NEVER_S else own.last_sacked_s
    if first_s == NEVER_S:
        return False
    latest_s = now - last_s
    own.least_rtt_s = latest_s if own.least_rtt_s == NEVER_S else min(own.least_rtt_s, latest_s)
    take_sample(tcp, own, int((now - first_s) / tcp.tick_s + 0.5))
    control.round_trip_measured(tcp, now - first_s, now)
    control.segment_timed(tcp, latest_s, now)
    return True


def take_sample(tcp: TcpState, own: Connection, ticks: int) -> None:
    """Estimate anew; whatever the timeout was backed off to is forgotten."""
    least = int(tcp.min_rto_s / tcp.tick_s)
    if tcp.srtt == 0:
        tcp.srtt = max(1, 8 * ticks)
        own.deviation = 2 * ticks
        own.variance = max(own.deviation, least)
        own.deviation_max = own.variance
        own.variance_seq = tcp.highest_sent
    else:
        smooth(tcp, own, ticks, least)
    tcp.rto_s = ((tcp.srtt >> 3) + own.variance) * tcp.tick_s
    tcp.backoff = 1


def smooth(tcp: TcpState, own: Connection, ticks: int, least: int) -> None:
    """Let the sample move the averages."""
    error = ticks - (tcp.srtt >> 3)
    tcp.srtt = max(1, tcp.srtt + error)
    change = abs(error) - (own.deviation >> 2)
    if error < 0 and change > 0:
        change >>= 3  # a round trip that got shorter says little of those to come
    own.deviation += change
    if own.deviation > own.deviation_max:
        own.deviation_max = own.deviation
        own.variance = max(own.variance, own.deviation_max)
    if tcp.highest_ack > own.variance_seq:
        if own.deviation_max < own.variance:
            own.variance -= (own.variance - own.deviation_max) >> 2
        own.variance_seq = tcp.highest_sent
        own.deviation_max = least
