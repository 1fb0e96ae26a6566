"""The calls that the loop makes to rules that differ from flow to flow.

Each is a placeholder: `simcore.compiled.jit` compiles it to a chain of ifs over the marks that a record's type has,
and to a plain call where there is only one.
"""

from typing import Any


def ack_arrived(state: Any, ack: int, now: float) -> int:
    """Tell the sender's variant of an ACK."""
    raise NotImplementedError


def timer_expired(state: Any, now: float) -> int:
    """Tell the sender's variant that its timer rang."""
    raise NotImplementedError


def may_send(state: Any) -> bool:
    """Ask the sender's variant whether the sending loop has something to do."""
    raise NotImplementedError


def next_segment(state: Any) -> int:
    """Ask the sender's variant what to send."""
    raise NotImplementedError


def segment_sent(state: Any, seq: int, now: float) -> bool:
    """Tell the sender's variant what was sent; must the timer be started?"""
    raise NotImplementedError


def segment_arrived(state: Any, seq: int) -> int:
    """Tell the sink's rules of a segment."""
    raise NotImplementedError


def sink_timer_expired(state: Any) -> int:
    """Tell the sink's rules that its timer rang."""
    raise NotImplementedError


def first_packet_s(state: Any, stream: Any, now: float) -> float:
    """Ask a UDP source that starts now when its first packet leaves."""
    raise NotImplementedError


def next_packet_s(state: Any, stream: Any, now: float) -> float:
    """Ask a UDP source when the packet after the one that leaves now does."""
    raise NotImplementedError


def packet_came(state: Any, stream: Any, slot: int, flow: int, now: float) -> None:
    """Tell a queue's discipline of a packet."""
    raise NotImplementedError


def next_departure(state: Any, now: float) -> int:
    """Ask a queue's discipline what to send."""
    raise NotImplementedError


def decision_on_packet(state: Any, stream: Any) -> int:
    """Is the flow's packet to be lost or spared on purpose (see `simcore.rules.impairment`)?"""
    raise NotImplementedError


def has_discipline(queue: Any, port: Any) -> bool:
    """Has a port another discipline than plain drop-tail? Where none has, the type of `queue`, any one, says so."""
    raise NotImplementedError


def offer(queue: Any, w: Any, p: int, uid: int, flow: int, seq: int, size: int, hop: int, ecn: int) -> int:
    """Offer a packet to the discipline of port `p`; return its place among those that stand."""
    raise NotImplementedError


def fetch(queue: Any, w: Any, p: int) -> None:
    """Put the packet that the discipline of port `p` wants to be sent, if any, at the end of the ring."""
    raise NotImplementedError


def busy_s(port: Any, transmission_s: float) -> float:
    """How long the transmitter is busy with a packet: longer than its transmission if there is a gap to keep."""
    raise NotImplementedError


def is_paused(port: Any) -> bool:
    """Has the queue that the port feeds told it to pause?"""
    raise NotImplementedError


def queue_grew(port: Any, w: Any, p: int) -> None:
    """Tell those who feed port `p` to pause, if they must."""
    raise NotImplementedError


def queue_shrank(port: Any, w: Any, p: int) -> None:
    """Tell those who feed port `p` to go on, if they may."""
    raise NotImplementedError


def refuses_segment(port: Any) -> bool:
    """Is this the full interface of a host, which lets TCP keep its segment?"""
    raise NotImplementedError


def tells_congestion(port: Any) -> bool:
    """Does TCP take a refusal of this interface for congestion?"""
    raise NotImplementedError


def hold_back(state: Any, w: Any, flow: int) -> bool:
    """Must the sending loop wait for a random delay? Never, where the record's type says that no flow has a jitter."""
    raise NotImplementedError


def flags_of(packet: Any) -> int:
    """What a packet says of congestion (see `simcore.compiled.ecn`): nothing, where no flow uses ECN."""
    raise NotImplementedError


def set_flags(packet: Any, flags: int) -> None:
    """Write that into a packet."""
    raise NotImplementedError


def tell_mark(packet: Any, queue: Any, w: Any, slot: int, p: int) -> None:
    """Note that the packet in `slot` was marked, if it was."""
    raise NotImplementedError


def read_echo(state: Any, w: Any, flow: int, packet: Any) -> None:
    """Tell a sender what an ACK says of marks."""
    raise NotImplementedError


def segment_flags(state: Any, seq: int) -> int:
    """Ask a sender what its segment says of congestion."""
    raise NotImplementedError


def note_flags(state: Any, flags: int) -> None:
    """Tell a sink what a segment says of congestion."""
    raise NotImplementedError


def ack_flags(state: Any) -> int:
    """Ask a sink what its ACK says of marks."""
    raise NotImplementedError


def take_blocks(record: Any, source: Any) -> None:
    """Copy the SACK blocks of an ACK from record to record, where there are any (see `simcore.compiled.jit`)."""
    raise NotImplementedError
