"""Queue, transmitter and link: what happens to a packet between two hosts."""

from simcore.compiled import disciplined, interfaces
from simcore.compiled.ring import append, dropped, has_discipline, is_idle, record, write
from simcore.compiled.tournament import NEVER, schedule
from simcore.compiled.transmitter import transmit
from simcore.compiled.view import Packet, World
from simcore.results.log import ENQUEUED, RECEIVED
from simcore.rules.headers.header import Header
from simcore.rules.queues import droptail, impairment


def put(w: World, p: int, uid: int, flow: int, seq: int, size: int, hop: int, is_ack: bool, header: Header) -> None:
    """Offer a packet to port `p`; an idle transmitter takes it at once."""
    port = w.ports[p]
    packet = w.ring[port.start + (port.offered & port.mask)]
    record(w, ENQUEUED, uid, p)
    waiting = port.offered - port.taken
    decision, is_full = impairment.QUEUE, droptail.refuses(waiting, port.limit)
    if not is_ack and hop == w.flows[flow].entry_hop:
        w.flows[flow].sent += 1
        decision = impairment.packet_came(w.impairments[flow], w.streams[w.flows[flow].losses])
    if decision != impairment.LOSE and has_discipline(w, port):
        disciplined.offer(w.queues[port.queue], w, p, uid, flow, seq, size, hop, header)
        return
    if decision == impairment.LOSE or (is_full and decision != impairment.SPARE):
        dropped(w, uid, flow, p)
        return
    write(packet, uid, flow, seq, size, hop, is_ack, header)
    append(w, port)
    idle = is_idle(w, port)
    if idle and not interfaces.is_paused(port):
        transmit(w, p)
    elif not idle and waiting == 0:
        schedule(w.link_leaves, w.link_winner, 2 * p, port.free_s, port.free_id)
    interfaces.queue_grew(port, w, p)


def transmitter_freed(w: World, p: int) -> None:
    """A packet has been sent: take the next one. Nobody is told of it while none waits (see `is_idle`)."""
    port = w.ports[p]
    if has_discipline(w, port) and not interfaces.is_paused(port):
        disciplined.fetch(w.queues[port.queue], w, p)
    if port.taken < port.offered and not interfaces.is_paused(port):
        transmit(w, p)
    if w.link_leaves[2 * p].id == w.run[0].now_id:  # nothing more waits
        schedule(w.link_leaves, w.link_winner, 2 * p, NEVER, 0)


def first_arrived(w: World, p: int) -> Packet:
    """Take the packet that reaches the far end of port `p`'s link now, and schedule the arrival behind it."""
    port = w.ports[p]
    packet = w.ring[port.start + (port.arrived & port.mask)]
    record(w, RECEIVED, packet.uid, p)
    flow = w.flows[packet.flow]
    if not packet.is_ack and packet.hop == flow.leaving_hop:
        flow.received += 1
        flow.received_bytes += packet.bytes
    port.arrived += 1
    if port.arrived < port.taken:
        following = w.ring[port.start + (port.arrived & port.mask)]
        schedule(w.link_leaves, w.link_winner, 2 * p + 1, following.arrival_s, following.arrival_id)
    else:
        schedule(w.link_leaves, w.link_winner, 2 * p + 1, NEVER, 0)
    return packet
