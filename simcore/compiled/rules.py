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


def take_blocks(record: Any, source: Any) -> None:
    """Copy the SACK blocks of an ACK from record to record, where there are any (see `simcore.compiled.jit`)."""
    raise NotImplementedError
