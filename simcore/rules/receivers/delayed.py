"""The delayed ACK (ns-2: TCPSink/DelAck; RFC 5681, section 4.2): every second segment in order, or after a while.

A segment that comes early, late or into a gap is acknowledged at once.
"""

from typing import Final

from simcore.rules.receivers.sink import ACKNOWLEDGE, START_TIMER, STOP_TIMER, SinkState, take_in

NAME: Final = "every second segment"
ABOUT: Final = "an ACK for every second segment, or after ack_delay_s (RFC 5681, section 4.2; ns-2: TCPSink/DelAck)"
SINCE: Final = 1982  # RFC 813


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived: hold the ACK back if it is the next in order and none is held back already."""
    if is_slow_start_likely(sink, seq):
        sink.quick_acks = max(sink.quick_acks, sink.quick_again)
    take_in(sink, seq)
    to_do = ACKNOWLEDGE
    if sink.timer_pending:
        sink.timer_pending = False
        to_do += STOP_TIMER
    if seq > 0 and sink.quick_acks > 0:  # Linux: tcp_incr_quickack(), while the sender is in slow start
        sink.quick_acks -= 1
    elif to_do == ACKNOWLEDGE and may_wait(sink, seq):
        sink.timer_pending = True
        return START_TIMER
    return to_do


def is_slow_start_likely(sink: SinkState, seq: int) -> bool:
    """Did `seq` come twice, or after a pause longer than a timeout? Then the sender's window is probably small.

    Linux: tcp_data_queue(), tcp_event_data_recv(). The receiver's own timeout is that of the handshake's round trip.
    """
    if seq != sink.next_expected:
        return 0 < seq < sink.next_expected
    pause_s = sink.arrived_s - sink.in_order_s
    sink.in_order_s = sink.arrived_s
    if seq == 1:
        sink.timeout_s = pause_s + max(2.0 * pause_s, sink.least_timeout_s)
    return seq > 1 and pause_s > sink.timeout_s


def may_wait(sink: SinkState, seq: int) -> bool:
    """May the ACK of `seq` wait? Not while a gap remains open (ns-2: RFC2581_immediate_ack_)."""
    if seq > 0 and sink.push_every > 0 and seq % sink.push_every == 0:
        return False
    in_order = seq == sink.next_expected - 1 and sink.early_count == 0
    return in_order and not (seq == 0 and sink.syn_at_once)


def timer_expired(sink: SinkState) -> int:
    """No second segment came in time."""
    sink.timer_pending = False
    return ACKNOWLEDGE
