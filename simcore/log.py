"""What happened in a run, as an engine tells it: packets made, events on the links, changes of the senders' windows.

The log is the only thing that an engine produces; the Dataset is derived from it (`simcore.dataset`).
"""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from simcore.rules.tcp import TcpState

# Kinds of events, by their position in the letters of ns-2's trace.
EVENT_LETTERS: Final = "+-dr"
ENQUEUED: Final = 0
DEQUEUED: Final = 1
DROPPED: Final = 2
RECEIVED: Final = 3

# The links of the bottleneck; those of the flows' own have higher numbers.
FORWARD: Final = 0
REVERSE: Final = 1


class Route(NamedTuple):
    """The links that a flow's packets pass on the way out, and its ACKs on the way back."""

    out: Sequence[int]
    back: Sequence[int]


class Log:
    """Columns that grow by one entry a packet, an event or a change. Times in seconds, sizes in bytes.

    A packet's uid is its position in the packet columns, given in order of creation as in ns-2.
    """

    def __init__(self) -> None:
        self.routes: dict[int, Route] = {}  # by flow

        self.packet_flow = array("i")  # 1, 2, ... in the order of the scenario
        self.packet_seq = array("q")  # data: sequence number; ACK: the highest one acknowledged
        self.packet_bytes = array("i")
        self.packet_is_ack = array("B")
        self.packet_repeated = array("B")  # a retransmission

        self.event_s = array("d")
        self.event_kind = array("B")
        self.event_uid = array("q")
        self.event_link = array("H")

        self.update_s = array("d")
        self.update_flow = array("i")
        self.update_cwnd = array("d")
        self.update_ssthresh = array("d")
        self.update_inflation = array("q")
        self.update_rto_s = array("d")
        self.update_cause = array("B")

    def packet_made(self, flow: int, seq: int, size_bytes: int, *, is_ack: bool, repeated: bool) -> int:
        """Enter a new packet; return its uid."""
        uid = len(self.packet_flow)
        self.packet_flow.append(flow)
        self.packet_seq.append(seq)
        self.packet_bytes.append(size_bytes)
        self.packet_is_ack.append(is_ack)
        self.packet_repeated.append(repeated)
        return uid

    def event(self, now: float, kind: int, uid: int, link: int) -> None:
        """Enter what happened to packet `uid` on a link."""
        self.event_s.append(now)
        self.event_kind.append(kind)
        self.event_uid.append(uid)
        self.event_link.append(link)

    def window_changed(self, now: float, flow: int, tcp: TcpState, rto_s: float) -> None:
        """Enter a sender's window after a rule changed it."""
        self.update_s.append(now)
        self.update_flow.append(flow)
        self.update_cwnd.append(tcp.cwnd)
        self.update_ssthresh.append(tcp.ssthresh)
        self.update_inflation.append(tcp.inflation)
        self.update_rto_s.append(rto_s)
        self.update_cause.append(tcp.cause)
