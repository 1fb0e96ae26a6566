"""How the process model writes its log: a table grows by one row at every packet, event or change."""

from collections import defaultdict
from collections.abc import Iterable
from math import nan
from typing import Final, Protocol

from simcore.network.inside import columns_of_queues, columns_of_senders
from simcore.results.log import Column, Log, Recording, Route, is_worth_keeping
from simcore.results.row import Row
from simcore.rules.recorded import Recorded
from simcore.scenario.scenario import Scenario

PACKET: Final = Row("packet", flow="i", seq="q", bytes="i", is_ack="B", repeated="B")
EVENT: Final = Row("event", s="d", kind="B", uid="q", link="H")
UPDATE: Final = Row("update", s="d", flow="i", cwnd="d", ssthresh="d", inflation="q", rto_s="d", cause="B")


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


class Recorder:
    """The log in the making. Packets and events are always recorded: they are what the totals are counted from."""

    def __init__(self, recording: Recording) -> None:
        self.interval_s = recording.window_interval_s
        self.last_kept_s: defaultdict[int, float] = defaultdict(lambda: float("-inf"))  # by flow
        self.routes: dict[int, Route] = {}  # by flow
        self.packet_count = 0
        self.packets, self.events, self.updates = bytearray(), bytearray(), bytearray()
        self.states: States | None = None
        self.disciplines: States | None = None

    def record_states(self, scenario: Scenario) -> None:
        """From now on, enter what the rules of senders and queues record of their states."""
        self.states = States("state", "flow", columns_of_senders(scenario))
        self.disciplines = States("discipline", "link", columns_of_queues(scenario))

    def packet_made(self, flow: int, seq: int, size_bytes: int, *, is_ack: bool, repeated: bool) -> int:
        """Enter a new packet; return its uid."""
        uid = self.packet_count
        self.packet_count += 1
        self.packets += PACKET.pack(flow, seq, size_bytes, is_ack, repeated)
        return uid

    def event(self, now: float, kind: int, uid: int, link: int) -> None:
        """Enter what happened to packet `uid` on a link."""
        self.events += EVENT.pack(now, kind, uid, link)

    def window_changed(self, now: float, flow: int, tcp: Window, rto_s: float) -> bool:
        """Enter a sender's window after a rule changed it, if it is to be kept; was it?"""
        if not is_worth_keeping(tcp.cause, now - self.last_kept_s[flow], self.interval_s):
            return False
        self.last_kept_s[flow] = now
        self.updates += UPDATE.pack(now, flow, tcp.cwnd, tcp.ssthresh, tcp.inflation, rto_s, tcp.cause)
        return True

    def log(self) -> Log:
        """What was entered, as columns."""
        return Log(
            self.routes,
            **PACKET.columns(self.packets),
            **EVENT.columns(self.events),
            **UPDATE.columns(self.updates),
            states=self.states.columns() if self.states else {},
            disciplines=self.disciplines.columns() if self.disciplines else {},
        )


class States:
    """What the rules of senders, or of queues, record of their states: a row whenever one is noted."""

    def __init__(self, table: str, owner: str, columns: Iterable[str]) -> None:
        self.names = [*columns]
        self.row = Row(table, s="d", **{owner: "i"}, **dict.fromkeys(self.names, "d"))
        self.rows = bytearray()

    def note(self, now: float, owner: int, states: Iterable[tuple[str, Recorded, object]]) -> None:
        """Enter what some rules, each with its name and its state, record; what others would is NaN."""
        values = {f"{name}_{field}": getattr(state, field) for name, recorded, state in states for field in recorded}
        self.rows += self.row.pack(now, owner, *(values.get(name, nan) for name in self.names))

    def columns(self) -> dict[str, Column]:
        """What was noted."""
        return self.row.columns(self.rows)
