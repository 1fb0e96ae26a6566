"""What only some ports have: a gap between packets, a queue that refuses senders, PAUSE frames.

Networks without them are compiled as if there were no such thing (see `simcore.compiled.features`).
"""

from simcore.compiled.ring import is_idle, new_id
from simcore.compiled.tournament import schedule
from simcore.compiled.view import Port, World
from simcore.rules.queues import droptail, pause


def busy_s(port: Port, transmission_s: float) -> float:
    """How long the transmitter is busy with a packet."""
    return max(transmission_s, port.gap_s)


def transmission_only_s(port: Port, transmission_s: float) -> float:
    """The same where no port has a gap to keep."""
    return transmission_s


def is_paused(port: Port) -> bool:
    """Has the queue that the port feeds told it to pause?"""
    return port.is_paused


def queue_grew(port: Port, w: World, p: int) -> None:
    """Tell those who feed port `p` to pause, if they must."""
    if pause.must_begin(port.offered - port.taken, port.high):
        for feeder in w.ports:
            if feeder.obeys == p:
                feeder.is_paused = True


def queue_shrank(port: Port, w: World, p: int) -> None:
    """Tell those who feed port `p` to go on, if they may."""
    if port.high > 0 and pause.may_end(port.offered - port.taken, port.low):
        for i in range(len(w.ports)):
            if w.ports[i].obeys == p and w.ports[i].is_paused:
                resume(w, i)


def resume(w: World, p: int) -> None:
    """The pause of port `p` is over: its idle transmitter looks for work, behind what is due now already."""
    port = w.ports[p]
    port.is_paused = False
    if is_idle(w, port):
        port.free_s, port.free_id = w.run[0].now, new_id(w)
        schedule(w.link_leaves, w.link_winner, 2 * p, port.free_s, port.free_id)


def refuses_segment(port: Port) -> bool:
    """Is this the full interface of a host, which lets TCP keep its segment?"""
    return port.refuses_senders and droptail.refuses(port.offered - port.taken, port.limit)


def tells_congestion(port: Port) -> bool:
    """Does TCP take a refusal of this interface for congestion?"""
    return port.tells_congestion
