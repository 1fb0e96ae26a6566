"""A receiver whose TCP is the kernel's: its application reads whatever has come."""

import socket
from typing import Final

from simcore.kernel.connection import Connection
from simcore.kernel.endpoint import Endpoint, Flow
from simcore.kernel.real_time import RealTime
from simcore.kernel.recorder import KernelRecorder
from simcore.kernel.segments import Segment
from simcore.process.clock import Timer
from simcore.process.port import Port

LARGEST_READ: Final = 1 << 16  # bytes


class KernelReceiver(Endpoint):
    """The receiver of one flow; its ACKs go out through `port`."""

    is_receiver = True

    def __init__(self, env: RealTime, log: KernelRecorder, port: Port, flow: Flow, ends: Connection) -> None:
        super().__init__(env, log, port, flow, ends.receiver)
        self.listener = ends.listener
        self.window_bytes = ends.window_bytes
        self.connection: socket.socket | None = None
        self.room = bytearray(LARGEST_READ)

    def place(self, segment: Segment) -> tuple[int, bool]:
        """An ACK's number; no ACK counts as sent before."""
        return self.flow.numbering.acknowledged(segment.ack), False

    def note_told(self, uid: int, raw: bytes, segment: Segment) -> None:
        """Note the window of an ACK, and its SACK blocks; the first may be what came twice (DSACK, RFC 2883)."""
        self.log.packet_window[uid] = self.flow.numbering.window(raw, segment)
        for start, end in self.flow.numbering.blocks(raw, segment):
            self.log.block_told(uid, start, end)

    def application_acts(self, event: Timer) -> None:
        """It has no timers."""

    def application_goes_on(self) -> bool:
        """Accept the connection, and read all that has come in order: that may open the window."""
        if self.connection is None:
            self.connection = self._accepted()
        if self.connection is None:
            return False
        try:
            return self.connection.recv_into(self.room, 0, socket.MSG_TRUNC) > 0
        except BlockingIOError:
            return False

    def _accepted(self) -> socket.socket | None:
        try:
            connection, _ = self.listener.accept()
        except BlockingIOError:
            return None
        connection.setblocking(False)
        # Said again: the kernel forgets it when it sees how large segments are (Linux 6.6, tcp_measure_rcv_mss()).
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_WINDOW_CLAMP, self.window_bytes)
        return connection
