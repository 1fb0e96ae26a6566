"""What happened in a run, as an engine tells it: packets made, events on the links, changes of the senders' windows.

The log is the only thing that an engine produces; the Dataset is derived from it (`simcore.dataset`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

# Kinds of events, by their position in the letters of ns-2's trace.
EVENT_LETTERS: Final = "+-dr"
ENQUEUED: Final = 0
DEQUEUED: Final = 1
DROPPED: Final = 2
RECEIVED: Final = 3

# The links of the bottleneck; those of the flows' own have higher numbers.
FORWARD: Final = 0
REVERSE: Final = 1

Column = Any  # numbers of one type: an array.array that grows, or a numpy array


class Route(NamedTuple):
    """The links that a flow's packets pass on the way out, and its ACKs on the way back."""

    out: Sequence[int]
    back: Sequence[int]


@dataclass
class Log:
    """Columns with one entry a packet, an event or a change. Times in seconds, sizes in bytes, windows in packets.

    A packet's uid is its position in the packet columns, given in order of creation as in ns-2.
    """

    routes: dict[int, Route]  # by flow, which counts from 1 in the order of the scenario

    packet_flow: Column
    packet_seq: Column  # data: sequence number; ACK: the highest one acknowledged
    packet_bytes: Column
    packet_is_ack: Column
    packet_repeated: Column  # a retransmission

    event_s: Column
    event_kind: Column
    event_uid: Column
    event_link: Column

    update_s: Column
    update_flow: Column
    update_cwnd: Column
    update_ssthresh: Column
    update_inflation: Column
    update_rto_s: Column
    update_cause: Column
