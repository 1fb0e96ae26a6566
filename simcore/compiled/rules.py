"""The questions that the loop asks of rules which differ from flow to flow, and of what only some networks have.

Each is answered by other functions than these: `simcore.compiled.dispatch` says which.
"""

from collections.abc import Callable
from typing import Any


class Question:
    """A name that stands for the functions which answer it. It is compiled, and never called from Python."""

    def __call__(self, *arguments: object) -> Any:
        """A call from Python: only compiled code has the types that decide."""
        raise TypeError("asked in compiled code only")


# (state, w, flow, leaf): a UDP source starts, or its next packet is due, where there is one.
source_due: Callable[[object, object, int, int], None] = Question()
# (state, stream): is the flow's packet to be lost or spared on purpose (see `simcore.rules.queues.impairment`)?
decision_on_packet: Callable[[object, object], int] = Question()
# (queue, port): has a port another discipline than drop-tail? Where none has, the type of `queue`, any one, says so.
has_discipline: Callable[[object, object], bool] = Question()
# (queue, w, p, uid, flow, seq, size, hop, header): offer a packet to port `p`'s discipline.
offer: Callable[[object, object, int, int, int, int, int, int, object], None] = Question()
# (queue, w, p): put the packet that the discipline of port `p` wants to be sent, if any, at the end of the ring.
fetch: Callable[[object, object, int], None] = Question()
# (port, transmission_s): how long is the transmitter busy with a packet, and a gap behind it if there is one to keep?
busy_s: Callable[[object, float], float] = Question()
# (port): has the queue that the port feeds told it to pause?
is_paused: Callable[[object], bool] = Question()
# (port, w, p): tell those who feed port `p` to pause, if they must.
queue_grew: Callable[[object, object, int], None] = Question()
# (port, w, p): tell those who feed port `p` to go on, if they may.
queue_shrank: Callable[[object, object, int], None] = Question()
# (port): is this the full interface of a host, which lets TCP keep its segment?
refuses_segment: Callable[[object], bool] = Question()
# (port): does TCP take a refusal of this interface for congestion?
tells_congestion: Callable[[object], bool] = Question()
# (state, w, flow, request): must the sending loop wait for a random delay?
must_wait: Callable[[object, object, int, int], bool] = Question()
# (header): does the network know any option? Else nobody asks what a header says.
has_options: Callable[[object], bool] = Question()
# (header): what a packet says to queues (see `simcore.rules.headers.ecn_bits`): nothing where nobody listens.
flags_of: Callable[[object], int] = Question()
# (header, packet, queue, w, slot, p): note that the packet in `slot` was marked, if it was.
tell_mark: Callable[[object, object, object, object, int, int], None] = Question()
# (header, source): copy a header; the translation itself knows how (see `simcore.compiled.copying`).
copy_header: Callable[[object, object], None] = Question()
# (row, w, flow): enter what a sender's rules record of their states; the type of `row`, any, says whether to.
note_state: Callable[[object, object, int], None] = Question()
# (row, w, p): the same of the discipline of port `p`.
note_queue: Callable[[object, object, int], None] = Question()
# (row, record): copy what is recorded; the translation itself knows how (see `simcore.compiled.copying`).
copy_recorded: Callable[[object, object], None] = Question()
# (queue, w): start the timers of the disciplines that have one; the type of `queue`, any one, says whether one has.
schedule_queue_timers: Callable[[object, object], None] = Question()
# (queue, w, leaf): is this leaf of the hosts the timer of a queue? Then its discipline is told.
queue_timer_rang: Callable[[object, object, int], bool] = Question()
