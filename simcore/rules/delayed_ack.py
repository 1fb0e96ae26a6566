"""The delayed ACK (ns-2: TCPSink/DelAck; RFC 5681, section 4.2): every second segment in order, or after a while.

A segment out of order, or one that fills a gap, is acknowledged at once.
"""

from simcore.rules.sink import ACKNOWLEDGE, START_TIMER, STOP_TIMER, SinkState, take_in


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived: hold the ACK back if it is the next in order and none is held back already."""
    take_in(sink, seq)
    if sink.timer_pending:
        sink.timer_pending = False
        return STOP_TIMER | ACKNOWLEDGE
    if seq == sink.next_expected - 1:
        sink.timer_pending = True
        return START_TIMER
    return ACKNOWLEDGE


def timer_expired(sink: SinkState) -> int:
    """No second segment came in time."""
    sink.timer_pending = False
    return ACKNOWLEDGE
