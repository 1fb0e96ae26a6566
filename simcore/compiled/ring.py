"""What ports of all kinds share: the ring that their packets stand in, the log, and whether the transmitter is idle.

The packets of a port stand in one ring: in flight (`arrived` to `taken`), then waiting (`taken` to `offered`). The
numbers only grow; a packet's place is its number modulo the ring's length.
"""

from simcore.compiled.intrinsics import copy_header
from simcore.compiled.layout import NO_QUEUE
from simcore.compiled.view import Packet, Port, World
from simcore.results.log import DROPPED
from simcore.rules.headers.header import Header


def new_id(w: World) -> int:
    """The next number in the order of scheduling."""
    run = w.run[0]
    run.id += 1
    return run.id


def record(w: World, kind: int, uid: int, link: int) -> None:
    """Enter an event into the log."""
    run = w.run[0]
    if run.recording:
        row = w.events[run.event]
        row.s = run.now
        row.kind = kind
        row.uid = uid
        row.link = link
        run.event += 1
        if run.event + run.spare_events > len(w.events):
            run.crowded = True


def write(packet: Packet, uid: int, flow: int, seq: int, size: int, hop: int, is_ack: bool, header: Header) -> None:
    """Write a packet into its place."""
    packet.uid = uid
    packet.flow = flow
    packet.seq = seq
    packet.bytes = size
    packet.hop = hop
    packet.is_ack = is_ack
    copy_header(packet.header, header)


def append(w: World, port: Port) -> None:
    """The packet at the end of a port's ring waits from now on; the ring must have room for those to come."""
    port.offered += 1
    if port.offered - port.arrived + w.run[0].burst > port.mask:
        w.run[0].crowded = True


def is_idle(w: World, port: Port) -> bool:
    """Has the last packet been sent, in the order of events? While nothing waits, no event tells."""
    run = w.run[0]
    return port.free_s < run.now or (port.free_s == run.now and port.free_id < run.now_id)


def dropped(w: World, uid: int, flow: int, p: int) -> None:
    """Enter a drop into the log. Those of data in the row of bottlenecks count; its ports of data are the even ones."""
    record(w, DROPPED, uid, p)
    if p < w.run[0].row_ports and p % 2 == 0:
        w.flows[flow].dropped += 1


def has_discipline(w: World, port: Port) -> bool:
    """Has a port a queue of its own, which follows a discipline?"""
    return port.queue != NO_QUEUE
