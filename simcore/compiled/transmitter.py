"""The transmitter of a port: it takes the packet that has waited longest in the ring, and sends it onto the link."""

from simcore.compiled import interfaces
from simcore.compiled.ring import has_discipline, new_id, record
from simcore.compiled.tournament import schedule
from simcore.compiled.view import World
from simcore.results.log import DEQUEUED


def transmit(w: World, p: int) -> None:
    """Take the first waiting packet. Two events follow, in this order: its arrival, and the end of its sending."""
    port, now = w.ports[p], w.run[0].now
    packet = w.ring[port.start + (port.taken & port.mask)]
    record(w, DEQUEUED, packet.uid, p)
    if packet.bytes != port.last_bytes:  # a division takes longer than all the rest of this function
        port.last_bytes = packet.bytes
        port.last_transmission_s = 8.0 * packet.bytes / port.rate_bps
    transmission_s = port.last_transmission_s
    packet.arrival_s = now + (transmission_s + port.delay_s)
    packet.arrival_id = new_id(w)
    if port.taken == port.arrived:
        schedule(w.link_leaves, w.link_winner, 2 * p + 1, packet.arrival_s, packet.arrival_id)
    port.taken += 1
    port.free_s = now + interfaces.busy_s(port, transmission_s)
    port.free_id = new_id(w)
    if port.taken < port.offered or has_discipline(w, port):
        schedule(w.link_leaves, w.link_winner, 2 * p, port.free_s, port.free_id)
    interfaces.queue_shrank(port, w, p)
