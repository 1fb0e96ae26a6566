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
    take_in(sink, seq)
    if sink.timer_pending:
        sink.timer_pending = False
        return STOP_TIMER | ACKNOWLEDGE
    if seq > 0 and sink.quick_acks > 0:  # Linux: tcp_incr_quickack(), while the sender is in slow start
        sink.quick_acks -= 1
    elif may_wait(sink, seq):
        sink.timer_pending = True
        return START_TIMER
    return ACKNOWLEDGE


def may_wait(sink: SinkState, seq: int) -> bool:
    """May the ACK of `seq` wait? Not while a gap remains open (ns-2: RFC2581_immediate_ack_)."""
    in_order = seq == sink.next_expected - 1 and sink.early_count == 0
    return in_order and not (seq == 0 and sink.syn_at_once)


def timer_expired(sink: SinkState) -> int:
    """No second segment came in time."""
    sink.timer_pending = False
    return ACKNOWLEDGE
