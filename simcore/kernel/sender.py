"""A sender whose TCP is the kernel's: its application always has a few segments more to send."""

import socket
from dataclasses import dataclass
from typing import Final

from simcore.kernel.connection import Connection
from simcore.kernel.endpoint import Endpoint, Flow
from simcore.kernel.real_time import RealTime
from simcore.kernel.recorder import KernelRecorder
from simcore.kernel.segments import Segment
from simcore.kernel.windows import Observation, cause_of, observed
from simcore.process.clock import Timer
from simcore.process.port import Port
from simcore.rules.tcp.sender import FAST_RETRANSMIT, TIMED_OUT

# What the application writes ahead, in segments: as many as one ACK may release. It can't be taken back, so at the
# application's stop up to so many leave that the model would not send.
STOCK: Final = 4


@dataclass(frozen=True)
class SenderPlan:
    """What a sender is made from."""

    start_s: float
    stop_s: float
    segments: int  # that the application has in all
    window_packets: int  # that the receiver advertises


class KernelSender(Endpoint):
    """The sender of one flow; its segments go out through `port`."""

    is_receiver = False

    def __init__(
        self, env: RealTime, log: KernelRecorder, port: Port, flow: Flow, ends: Connection, plan: SenderPlan
    ) -> None:
        super().__init__(env, log, port, flow, ends.sender)
        self.client: socket.socket = ends.client
        self.segment = bytes(ends.payload_bytes)
        self.plan = plan
        self.left = plan.segments
        self.begun_bytes = 0  # of the segment that is being written
        self.highest_sent = -1
        self.last: Observation | None = None
        self.fast_retransmits, self.timeouts = 0, 0
        self.application_starts = Timer(env, self.inbox)
        self.application_stops = Timer(env, self.inbox)
        self.application_starts.start(plan.start_s)
        self.application_stops.start(plan.stop_s)

    def place(self, segment: Segment) -> tuple[int, bool]:
        """A segment's number, and whether it is a retransmission."""
        seq = self.flow.numbering.segment(segment)
        repeated = seq <= self.highest_sent
        self.highest_sent = max(seq, self.highest_sent)
        return seq, repeated

    def application_acts(self, event: Timer) -> None:
        """Start or stop."""
        if event is self.application_starts:
            self.host.connect(self.client)
        else:
            self.left = 0

    def application_goes_on(self) -> bool:
        """Write until a few segments wait to be sent."""
        seen = observed(self.client)
        self.note(seen)
        if not seen.is_established:
            return False
        missing = min(STOCK - seen.unsent_bytes // len(self.segment), self.left)
        return sum(self.write() for _ in range(missing)) > 0

    def write(self) -> bool:
        """Write a segment, or the rest of one; return whether there was room in the socket's buffer."""
        try:  # with PSH, without MSG_MORE, each segment would be acknowledged at once
            self.begun_bytes += self.client.send(self.segment[self.begun_bytes :], socket.MSG_MORE)
        except BlockingIOError:
            return False
        if self.begun_bytes == len(self.segment):
            self.begun_bytes = 0
            self.left -= 1
        return True

    def note(self, seen: Observation) -> None:
        """Enter into the log what the kernel did to the window, if anything."""
        if cause := cause_of(self.last, seen):
            self.fast_retransmits += cause == FAST_RETRANSMIT
            self.timeouts += cause == TIMED_OUT
            self.log.window_observed(self.env.now, self.flow.number, seen, cause, self.plan.window_packets)
        self.last = seen
