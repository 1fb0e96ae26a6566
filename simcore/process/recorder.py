"""How the process model writes its log: a column grows by one at every packet, event or change."""

from array import array
from collections import defaultdict
from typing import Protocol

from simcore.results.log import Log, Recording, is_worth_keeping


class Window(Protocol):
    """What the log has of a sender's state: windows in packets, and the rule that changed them."""

    @property
    def cwnd(self) -> float: ...
    @property
    def ssthresh(self) -> float: ...
    @property
    def inflation(self) -> int: ...
    @property
    def cause(self) -> int: ...


class Recorder(Log):
    """The log in the making. Packets and events are always recorded: they are what the totals are counted from."""

    def __init__(self, recording: Recording) -> None:
        self.interval_s = recording.window_interval_s
        self.last_kept_s: defaultdict[int, float] = defaultdict(lambda: float("-inf"))  # by flow
        super().__init__(
            routes={},
            packet_flow=array("i"),
            packet_seq=array("q"),
            packet_bytes=array("i"),
            packet_is_ack=array("B"),
            packet_repeated=array("B"),
            event_s=array("d"),
            event_kind=array("B"),
            event_uid=array("q"),
            event_link=array("H"),
            update_s=array("d"),
            update_flow=array("i"),
            update_cwnd=array("d"),
            update_ssthresh=array("d"),
            update_inflation=array("q"),
            update_rto_s=array("d"),
            update_cause=array("B"),
        )

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

    def window_changed(self, now: float, flow: int, tcp: Window, rto_s: float) -> None:
        """Enter a sender's window after a rule changed it, if it is to be kept."""
        if not is_worth_keeping(tcp.cause, now - self.last_kept_s[flow], self.interval_s):
            return
        self.last_kept_s[flow] = now
        self.update_s.append(now)
        self.update_flow.append(flow)
        self.update_cwnd.append(tcp.cwnd)
        self.update_ssthresh.append(tcp.ssthresh)
        self.update_inflation.append(tcp.inflation)
        self.update_rto_s.append(rto_s)
        self.update_cause.append(tcp.cause)
