"""A port whose queue follows a discipline of `simcore.rules.queues.registry`.

Its packets stand in slots of their own. Only the one that is sent next goes on to the port's ring.
"""

from simcore.compiled import inside, interfaces, marks
from simcore.compiled.layout import NO_QUEUE
from simcore.compiled.leaves import QUEUE, kind_of, leaf_of_queue, port_of
from simcore.compiled.ring import append, dropped, is_idle, new_id, write
from simcore.compiled.tournament import NEVER, schedule
from simcore.compiled.transmitter import transmit
from simcore.compiled.view import World
from simcore.rules.headers.header import Header
from simcore.rules.queues import discipline, waiting
from simcore.rules.queues.fifo import NOBODY
from simcore.rules.queues.waiting import Waiting


def offer(queue: Waiting, w: World, p: int, uid: int, flow: int, seq: int, size: int, hop: int, header: Header) -> None:
    """Offer a packet; an idle transmitter takes one at once."""
    now = w.run[0].now
    slot = waiting.packet_came(queue, size, now, marks.flags_of(header))
    port = w.ports[p]
    packet = w.standing[port.standing + slot]
    write(packet, uid, flow, seq, size, hop, False, header)
    discipline.arrived(queue, w.streams[port.stream], slot, flow, now)
    tell_drops(queue, w, p)
    marks.tell_mark(packet.header, packet, queue, w, slot, p)
    inside.note_queue(w, p)
    if is_idle(w, port) and not interfaces.is_paused(port):
        fetch(queue, w, p)
        if port.taken < port.offered:
            transmit(w, p)


def fetch(queue: Waiting, w: World, p: int) -> None:
    """Put the packet that is to be sent now, if there is one, at the end of the ring."""
    slot = discipline.next_departure(queue, w.run[0].now)
    tell_drops(queue, w, p)
    if slot == NOBODY:
        return
    port = w.ports[p]
    source = w.standing[port.standing + slot]
    marks.tell_mark(source.header, source, queue, w, slot, p)
    waiting.set_free(queue, slot)
    packet = w.ring[port.start + (port.offered & port.mask)]
    write(packet, source.uid, source.flow, source.seq, source.bytes, source.hop, source.is_ack, source.header)
    append(w, port)


def schedule_timers(w: World) -> None:
    """Before the run, after the applications: start the queues' timers, link by link."""
    for p in range(0, w.run[0].row_ports, 2):
        if w.ports[p].queue != NO_QUEUE:
            start_timer(w, p)


def start_timer(w: World, p: int) -> None:
    """Let the timer of port `p`'s discipline ring when that has asked for it."""
    due, leaf = w.queues[w.ports[p].queue].timer_s, leaf_of_queue(w, p)
    schedule(w.host_leaves, w.host_winner, leaf, due if due > w.run[0].now else NEVER, new_id(w))


def timer_rang(w: World, leaf: int) -> bool:
    """Is this leaf the timer of a queue? Then tell the discipline, and start it again."""
    if kind_of(w, leaf) != QUEUE:
        return False
    p = port_of(w, leaf)
    port = w.ports[p]
    discipline.timer_expired(w.queues[port.queue], w.streams[port.stream], w.run[0].now)
    tell_drops(w.queues[port.queue], w, p)
    start_timer(w, p)
    return True


def tell_drops(queue: Waiting, w: World, p: int) -> None:
    """Enter into the log what the discipline dropped."""
    slot = waiting.next_dropped(queue)
    while slot != NOBODY:
        packet = w.standing[w.ports[p].standing + slot]
        dropped(w, packet.uid, packet.flow, p)
        waiting.set_free(queue, slot)
        slot = waiting.next_dropped(queue)
