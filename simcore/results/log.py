"""What happened in a run, as an engine tells it: packets made, events on the links, changes of the senders' windows.

The log is the only thing that an engine produces; the Dataset is derived from it (`simcore.results.dataset`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.rules.causes import USUAL

# Kinds of events, by their position in the letters of ns-2's trace.
EVENT_LETTERS: Final = "+-dr"
ENQUEUED: Final = 0
DEQUEUED: Final = 1
DROPPED: Final = 2
RECEIVED: Final = 3
MARKED: Final = 4  # congestion experienced: ns-2 traces no such event
KINDS: Final = 5

# The links of the bottleneck; those of the row behind it follow, and then those of hosts and the flows' own.
FORWARD: Final = 0
REVERSE: Final = 1


class Recording(NamedTuple):
    """What of a run is kept, its totals always.

    Attributes
    ----------
    packets : bool
        Every packet, ACK and event: about 130 bytes for a data packet with its ACK.
    window_interval_s : float
        Least time between two ordinary changes of one window, in s; each takes about 45 bytes. Cuts are always kept.
    states : bool
        What congestion controls, loss recoveries and queues name of their states (`simcore.rules.recorded`): that of a
        sender whenever it has taken in an ACK or its timer rang, that of a queue whenever a packet came.
    """

    packets: bool = True
    window_interval_s: float = 0.0
    states: bool = False


EVERYTHING: Final = Recording()
WINDOWS: Final = Recording(packets=False, window_interval_s=0.01)
TOTALS: Final = Recording(packets=False, window_interval_s=float("inf"))

Column = npt.NDArray[Any]  # numbers of one type


def is_worth_keeping(cause: int, since_last_s: float, recording_interval_s: float) -> bool:
    """Is a window's change recorded, so long after the last one that was?"""
    return cause not in USUAL or since_last_s >= recording_interval_s


class Route(NamedTuple):
    """The links that a flow's packets pass on the way out, and its ACKs on the way back.

    Between `entry` and `leaving`, links of `out`, a packet is in the row of bottlenecks; mostly both are one.
    """

    out: Sequence[int]
    back: Sequence[int]
    entry: int = FORWARD
    leaving: int = FORWARD

    def ways(self) -> tuple[Sequence[int], Sequence[int]]:
        """Out and back."""
        return self.out, self.back


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

    # By the names of their columns in the Dataset, where they were to be recorded
    states: Mapping[str, Column] = field(default_factory=dict, kw_only=True)  # of senders: `state_s`, `state_flow`, ...
    disciplines: Mapping[str, Column] = field(default_factory=dict, kw_only=True)  # of queues: `discipline_s`, ...

    # Only of an engine in real time
    packet_by_clock: Column | None = None  # made by a timer of its own, at a time read off the clock
    packet_clock_s: Column | None = None  # when its sender had sent it, or got the ACK: see `simcore.kernel`
    packet_window: Column | None = None  # ACK: the window that it tells of
    update_srtt_s: Column | None = None  # smoothed round-trip time
    sack_uid: Column | None = None  # a SACK block: of which ACK,
    sack_start: Column | None = None  # from which segment,
    sack_end: Column | None = None  # and before which one


class EngineUnavailableError(RuntimeError):
    """An engine can't run on this machine; the message is one line for a person, with what would allow it."""


class Outcome(NamedTuple):
    """What an engine has to say after a run, `log` as far as it was told to record."""

    log: Log
    totals: Mapping[str, npt.NDArray[np.int64]]  # per flow, by the names of `simcore.results.totals`
    remaining: Mapping[int, Sequence[int]]  # link -> uids of the packets that wait in its queue or travel on it
    until_s: float  # earlier than the scenario's end if the run was interrupted
    attributes: dict[str, Any] | None = None  # what the engine says of itself
