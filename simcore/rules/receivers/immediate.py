"""The immediate ACK (ns-2: TCPSink): every segment is answered at once by one cumulative ACK, in order or not."""

from typing import Final

from simcore.rules.receivers.sink import ACKNOWLEDGE, SinkState, take_in

NAME: Final = "every segment at once"
ABOUT: Final = "an ACK for every segment (ns-2: TCPSink)"
SINCE: Final = 1981  # RFC 793


def segment_arrived(sink: SinkState, seq: int) -> int:
    """Segment `seq` arrived: acknowledge at once."""
    take_in(sink, seq)
    return ACKNOWLEDGE
