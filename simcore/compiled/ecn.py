"""Explicit congestion notification in the compiled engine, compiled only where a flow uses it.

Packets then have the field `ecn` (flags of `simcore.rules.tcp.ecn_bits`).
"""

from simcore.compiled.hosts import note_change
from simcore.compiled.layout import Row, World
from simcore.compiled.ports import record
from simcore.results.log import MARKED
from simcore.rules.tcp import ecn


def flags_of(packet: Row) -> int:
    """What a packet says of congestion."""
    return packet.ecn  # type: ignore[no-any-return]


def set_flags(packet: Row, flags: int) -> None:
    """Write that into a packet."""
    packet.ecn = flags


def tell_mark(packet: Row, queue: Row, w: World, slot: int, p: int) -> None:
    """Write a mark that the packet in `slot` has got onto the packet, into its flow's total and into the log."""
    if packet.ecn != queue.ecn[slot]:
        packet.ecn = queue.ecn[slot]
        w.flows[packet.flow].marked += 1
        record(w, MARKED, packet.uid, p)


def read_echo(state: Row, w: World, flow: int, packet: Row) -> None:
    """Tell a sender what an ACK says of marks, and note what it did about that."""
    ecn.ack_arrived(state, packet.seq, packet.ecn, w.run[0].now)
    note_change(w, flow, state)
