"""The bottleneck's queue when it follows a discipline of `simcore.rules.disciplines`.

Its packets stand in slots of their own. Only the one that is sent next goes on to the port's ring.
"""

from typing import Any

from simcore.compiled import rules
from simcore.compiled.layout import World
from simcore.compiled.ports import record, transmit
from simcore.log import DROPPED, FORWARD
from simcore.rules import waiting
from simcore.rules.fifo import NOBODY


def offer(queue: Any, w: World, uid: int, flow: int, seq: int, size: int, hop: int, ecn: int) -> int:
    """Offer a packet; an idle transmitter takes one at once. The packet's slot is returned, even if refused."""
    now = w.run[0].now
    slot = waiting.packet_came(queue, size, now, ecn)
    packet = w.standing[slot]
    packet.uid = uid
    packet.flow = flow
    packet.seq = seq
    packet.bytes = size
    packet.hop = hop
    packet.is_ack = False
    rules.set_flags(packet, ecn)
    rules.packet_came(queue, w.stream[0], slot, flow, now)
    tell_drops(queue, w)
    rules.tell_mark(packet, queue, w, slot)
    port = w.ports[FORWARD]
    if port.idle:
        fetch(queue, w)
        if port.taken < port.offered:
            transmit(w, FORWARD)
    return slot


def fetch(queue: Any, w: World) -> None:
    """Put the packet that is to be sent now, if there is one, at the end of the ring."""
    slot = rules.next_departure(queue, w.run[0].now)
    tell_drops(queue, w)
    if slot == NOBODY:
        return
    rules.tell_mark(w.standing[slot], queue, w, slot)
    waiting.set_free(queue, slot)
    port, source = w.ports[FORWARD], w.standing[slot]
    packet = w.ring[port.start + (port.offered & port.mask)]
    packet.uid = source.uid
    packet.flow = source.flow
    packet.seq = source.seq
    packet.bytes = source.bytes
    packet.hop = source.hop
    packet.is_ack = source.is_ack
    rules.set_flags(packet, rules.flags_of(source))
    port.offered += 1
    if port.offered - port.arrived + w.run[0].burst > port.mask:
        w.run[0].crowded = True


def tell_drops(queue: Any, w: World) -> None:
    """Enter into the log what the discipline dropped."""
    slot = waiting.next_dropped(queue)
    while slot != NOBODY:
        packet = w.standing[slot]
        record(w, DROPPED, packet.uid, FORWARD)
        w.flows[packet.flow].dropped += 1
        waiting.set_free(queue, slot)
        slot = waiting.next_dropped(queue)
