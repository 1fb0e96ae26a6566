"""The questions that the loop asks of rules which differ from flow to flow, and of what only some networks have.

Each is answered by other functions than these: `simcore.compiled.dispatch` says which.
"""

from collections.abc import Callable
from typing import Any


class Question:
    """A name that stands for the functions which answer it. It is compiled, and never called from Python."""

    def __call__(self, *arguments: Any) -> Any:
        """A call from Python: only compiled code has the types that decide."""
        raise TypeError("asked in compiled code only")


# (state, seq): tell the sink's rules of a segment.
segment_arrived: Callable[[Any, int], int] = Question()
# (state): tell the sink's rules that its timer rang.
sink_timer_expired: Callable[[Any], int] = Question()
# (state, stream, now): ask a UDP source that starts now when its first packet leaves.
first_packet_s: Callable[[Any, Any, float], float] = Question()
# (state, stream, now): ask a UDP source when the packet after the one that leaves now does.
next_packet_s: Callable[[Any, Any, float], float] = Question()
# (state, stream, slot, flow, now): tell a queue's discipline of a packet.
packet_came: Callable[[Any, Any, int, int, float], None] = Question()
# (state, now): ask a queue's discipline what to send.
next_departure: Callable[[Any, float], int] = Question()
# (state, stream): is the flow's packet to be lost or spared on purpose (see `simcore.rules.queues.impairment`)?
decision_on_packet: Callable[[Any, Any], int] = Question()
# (queue, port): has a port another discipline than drop-tail? Where none has, the type of `queue`, any one, says so.
has_discipline: Callable[[Any, Any], bool] = Question()
# (queue, w, p, uid, flow, seq, size, hop, ecn): offer a packet to port `p`'s discipline; return its place.
offer: Callable[[Any, Any, int, int, int, int, int, int, int], int] = Question()
# (queue, w, p): put the packet that the discipline of port `p` wants to be sent, if any, at the end of the ring.
fetch: Callable[[Any, Any, int], None] = Question()
# (port, transmission_s): how long is the transmitter busy with a packet, and a gap behind it if there is one to keep?
busy_s: Callable[[Any, float], float] = Question()
# (port): has the queue that the port feeds told it to pause?
is_paused: Callable[[Any], bool] = Question()
# (port, w, p): tell those who feed port `p` to pause, if they must.
queue_grew: Callable[[Any, Any, int], None] = Question()
# (port, w, p): tell those who feed port `p` to go on, if they may.
queue_shrank: Callable[[Any, Any, int], None] = Question()
# (port): is this the full interface of a host, which lets TCP keep its segment?
refuses_segment: Callable[[Any], bool] = Question()
# (port): does TCP take a refusal of this interface for congestion?
tells_congestion: Callable[[Any], bool] = Question()
# (state, w, flow, request): must the sending loop wait for a random delay?
must_wait: Callable[[Any, Any, int, int], bool] = Question()
# (packet): what a packet says of congestion (see `simcore.compiled.ecn`): nothing, where no flow uses ECN.
flags_of: Callable[[Any], int] = Question()
# (packet, flags): write that into a packet.
set_flags: Callable[[Any, int], None] = Question()
# (packet, queue, w, slot, p): note that the packet in `slot` was marked, if it was.
tell_mark: Callable[[Any, Any, Any, int, int], None] = Question()
# (state, w, flow, packet): tell a sender what an ACK says of marks.
read_echo: Callable[[Any, Any, int, Any], None] = Question()
# (state, seq): ask a sender what its segment says of congestion.
segment_flags: Callable[[Any, int], int] = Question()
# (state, flags): tell a sink what a segment says of congestion.
note_flags: Callable[[Any, int], None] = Question()
# (state): ask a sink what its ACK says of marks.
ack_flags: Callable[[Any], int] = Question()
# (record, source): copy the SACK blocks of an ACK from record to record, where there are any.
take_blocks: Callable[[Any, Any], None] = Question()
# (state, stream, now): tell a queue's discipline that its timer rang.
queue_timer_expired: Callable[[Any, Any, float], None] = Question()
# (queue, w): start the timers of the disciplines that have one; the type of `queue`, any one, says whether one has.
schedule_queue_timers: Callable[[Any, Any], None] = Question()
# (queue, w, leaf): is this leaf of the hosts the timer of a queue? Then its discipline is told.
queue_timer_rang: Callable[[Any, Any, int], bool] = Question()
