"""What queues read and write of a packet's header, compiled only where one of them may mark it."""

from simcore.compiled.ring import record
from simcore.compiled.view import Packet, World
from simcore.results.log import MARKED
from simcore.rules.headers.header import Header
from simcore.rules.queues.waiting import Waiting


def flags_of(header: Header) -> int:
    """What a packet says to queues (flags of `simcore.rules.headers.ecn_bits`)."""
    return header.flags


def tell_mark(header: Header, packet: Packet, queue: Waiting, w: World, slot: int, p: int) -> None:
    """Write a mark that the packet in `slot` has got into its header, into its flow's total and into the log."""
    if header.flags != queue.ecn[slot]:
        header.flags = queue.ecn[slot]
        w.flows[packet.flow].marked += 1
        record(w, MARKED, packet.uid, p)
