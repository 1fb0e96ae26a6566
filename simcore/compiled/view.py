"""The world as kernels see it: arrays of records with named fields. `simcore.compiled.layout` makes it of numpy arrays.

A record of rules is like the object that the process model has; those below are the loop's own. Their fields are those
of the types in `layout`, of whatever width there: a test compares them. Some a network has only with a feature
(`simcore.compiled.features`).
"""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from simcore.compiled.tournament import Leaf
from simcore.rules.headers.header import Header
from simcore.rules.mrg32k3a import Stream
from simcore.rules.queues import impairment
from simcore.rules.queues.waiting import Waiting
from simcore.rules.receivers.sink import SinkState
from simcore.rules.sources.source import SourceState
from simcore.rules.tcp.sender import TcpState


class Run(Protocol):
    """Where the run has got to."""

    now: float
    now_id: int
    end_s: float
    id: int  # the last in the order of scheduling
    uid: int  # so many packets were made
    event: int  # rows of the tables
    update: int
    state: int
    discipline: int
    burst: int  # packets that one event may send
    row_ports: int  # the ports of the row of bottlenecks are the first ones
    spare_events: int
    window_interval_s: float
    recording: bool
    crowded: bool  # does a table or a ring run low?


class Port(Protocol):
    """A queue, its transmitter and the link behind it."""

    rate_bps: float
    delay_s: float
    limit: int
    free_s: float  # when the transmitter is free, and the order of that event
    free_id: int
    start: int  # its part of the ring
    mask: int
    arrived: int  # packets so far
    taken: int
    offered: int
    last_bytes: int
    last_transmission_s: float
    queue: int  # the record of its discipline, or NO_QUEUE
    standing: int  # that queue's part of the slots
    slots: int
    stream: int
    gap_s: float  # from here on with INTERFACES alone
    refuses_senders: bool
    tells_congestion: bool
    high: int
    low: int
    obeys: int
    is_paused: bool


class Packet(Protocol):
    """A packet in a ring, or in a slot of a discipline's queue."""

    arrival_s: float
    arrival_id: int
    uid: int
    seq: int
    flow: int
    bytes: int
    hop: int
    is_ack: bool
    header: Header


class Flow(Protocol):
    """What hosts know of a flow beside what its rules do, and its totals."""

    packet_bytes: int
    start_s: float
    stop_s: float
    is_tcp: bool
    data_bytes: int
    syn_bytes: int
    ack_bytes: int
    is_running: bool
    stream: int  # of its source, then of its losses and of its delays
    losses: int
    jitter: int
    next_seq: int
    deadline_s: float  # of the retransmission timer
    deadline_id: int
    sent: int
    dropped: int
    marked: int
    received: int
    received_bytes: int
    retransmitted: int
    last_kept_s: float
    entry_hop: int
    leaving_hop: int


class LoggedPacket(Protocol):
    """A row of the table of packets."""

    flow: int
    bytes: int
    seq: int
    is_ack: bool
    repeated: bool


class LoggedEvent(Protocol):
    """A row of the table of events on links."""

    s: float
    uid: int
    link: int
    kind: int


class LoggedUpdate(Protocol):
    """A row of the table of windows."""

    s: float
    cwnd: float
    ssthresh: float
    rto_s: float
    inflation: int
    flow: int
    cause: int


class RecordedRow(Protocol):
    """A row of what rules record of their states; what that is depends on the rules."""

    s: float


class RecordedState(RecordedRow, Protocol):
    """Of a sender's."""

    flow: int


class RecordedQueue(RecordedRow, Protocol):
    """Of a queue's."""

    link: int


class World(Protocol):
    """`simcore.compiled.layout.World`, whose arrays are these."""

    run: Sequence[Run]
    ports: Sequence[Port]
    ring: Sequence[Packet]
    flows: Sequence[Flow]
    tcp: Sequence[TcpState]
    sinks: Sequence[SinkState]
    sources: Sequence[SourceState]
    streams: Sequence[Stream]
    impairments: Sequence[impairment.State]
    queues: Sequence[Waiting]
    standing: Sequence[Packet]
    paths: npt.NDArray[Any]
    link_leaves: Sequence[Leaf]
    link_winner: MutableSequence[int]
    host_leaves: Sequence[Leaf]
    host_winner: MutableSequence[int]
    packets: Sequence[LoggedPacket]
    events: Sequence[LoggedEvent]
    updates: Sequence[LoggedUpdate]
    states: Sequence[RecordedState]
    disciplines: Sequence[RecordedQueue]
