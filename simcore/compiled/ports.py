"""Queue, transmitter and link: what happens to a packet between two hosts.

The packets of a port stand in one ring: in flight (`arrived` to `taken`), then waiting (`taken` to `offered`). The
numbers only grow; a packet's place is its number modulo the ring's length.
"""

from simcore.compiled import rules
from simcore.compiled.layout import Row, World
from simcore.compiled.tournament import NEVER, schedule
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, RECEIVED
from simcore.rules.queues import droptail, impairment


def new_id(w: World) -> int:
    """The next number in the order of scheduling."""
    run = w.run[0]
    run.id += 1
    return run.id  # type: ignore[no-any-return]


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


def put(w: World, p: int, uid: int, flow: int, seq: int, size: int, hop: int, is_ack: bool, header: Row) -> None:
    """Offer a packet to port `p`; an idle transmitter takes it at once."""
    port = w.ports[p]
    packet = w.ring[port.start + (port.offered & port.mask)]
    record(w, ENQUEUED, uid, p)
    waiting = port.offered - port.taken
    decision, is_full = impairment.QUEUE, droptail.refuses(waiting, port.limit)
    if not is_ack and hop == w.flows[flow].entry_hop:
        w.flows[flow].sent += 1
        decision = rules.decision_on_packet(w.impairments[flow], w.streams[w.flows[flow].losses])
    if decision != impairment.LOSE and rules.has_discipline(w.queues[0], port):
        rules.offer(w.queues[port.queue], w, p, uid, flow, seq, size, hop, header)
        return
    if decision == impairment.LOSE or (is_full and decision != impairment.SPARE):
        dropped(w, uid, flow, p)
        return
    write(packet, uid, flow, seq, size, hop, is_ack, header)
    append(w, port)
    idle = is_idle(w, port)
    if idle and not rules.is_paused(port):
        transmit(w, p)
    elif not idle and waiting == 0:
        schedule(w.link_leaves, w.link_winner, 2 * p, port.free_s, port.free_id)
    rules.queue_grew(port, w, p)


def write(packet: Row, uid: int, flow: int, seq: int, size: int, hop: int, is_ack: bool, header: Row) -> None:
    """Write a packet into its place."""
    packet.uid = uid
    packet.flow = flow
    packet.seq = seq
    packet.bytes = size
    packet.hop = hop
    packet.is_ack = is_ack
    rules.copy_header(packet.header, header)


def append(w: World, port: Row) -> None:
    """The packet at the end of a port's ring waits from now on; the ring must have room for those to come."""
    port.offered += 1
    if port.offered - port.arrived + w.run[0].burst > port.mask:
        w.run[0].crowded = True


def is_idle(w: World, port: Row) -> bool:
    """Has the last packet been sent, in the order of events? While nothing waits, no event tells."""
    run = w.run[0]
    return port.free_s < run.now or (port.free_s == run.now and port.free_id < run.now_id)  # type: ignore[no-any-return]


def dropped(w: World, uid: int, flow: int, p: int) -> None:
    """Enter a drop into the log. Those of data in the row of bottlenecks count; its ports of data are the even ones."""
    record(w, DROPPED, uid, p)
    if p < w.run[0].row_ports and p % 2 == 0:
        w.flows[flow].dropped += 1


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
    port.free_s = now + rules.busy_s(port, transmission_s)
    port.free_id = new_id(w)
    if port.taken < port.offered or rules.has_discipline(w.queues[0], port):
        schedule(w.link_leaves, w.link_winner, 2 * p, port.free_s, port.free_id)
    rules.queue_shrank(port, w, p)


def transmitter_freed(w: World, p: int) -> None:
    """A packet has been sent: take the next one. Nobody is told of it while none waits (see `is_idle`)."""
    port = w.ports[p]
    if rules.has_discipline(w.queues[0], port) and not rules.is_paused(port):
        rules.fetch(w.queues[port.queue], w, p)
    if port.taken < port.offered and not rules.is_paused(port):
        transmit(w, p)
    if w.link_leaves[2 * p].id == w.run[0].now_id:  # nothing more waits
        schedule(w.link_leaves, w.link_winner, 2 * p, NEVER, 0)


def first_arrived(w: World, p: int) -> Row:
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
