"""The receivers' acknowledgement rules by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simcore.rules import delayed_ack, sink


@dataclass(frozen=True)
class Sink:
    """What an engine needs of a sink. Events return what the receiver is to do (flags of `simcore.rules.sink`)."""

    segment_arrived: Callable[[sink.SinkState, int], int]  # (sink, seq)
    timer_expired: Callable[[sink.SinkState], int]  # (sink)


SINKS: Final = {
    "immediate": Sink(sink.segment_arrived, sink.timer_expired),
    "delayed": Sink(delayed_ack.segment_arrived, delayed_ack.timer_expired),
}
