"""Which leaf of the hosts' tournament is whose: named, and nowhere else counted.

Each flow has three, one behind the other: its application, its sender's retransmission timer, its receiver's timer. The
timers of delays stand behind those of all flows, one each, where a flow may have a delay; those of queues behind these,
one for each link of the row, where a discipline has a timer.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from simcore.compiled.view import World

APPLICATION: Final = 0
SENDER_TIMER: Final = 1
RECEIVER_TIMER: Final = 2
KINDS: Final = 3
DELAY: Final = 3  # the kind of a timer behind those
QUEUE: Final = 4


def leaf_of(flow: int, kind: int) -> int:
    """The leaf of a flow's application, or of one of its two timers."""
    return KINDS * flow + kind


def leaf_of_delay(w: "World", flow: int) -> int:
    """The leaf of a flow's delay."""
    return KINDS * len(w.flows) + flow


def leaf_of_queue(w: "World", port: int) -> int:
    """The leaf of the timer of a port's queue; those of the row have even numbers."""
    return (KINDS + 1) * len(w.flows) + port // 2


def kind_of(w: "World", leaf: int) -> int:
    """Whose a leaf is."""
    if leaf < leaf_of_delay(w, 0):
        return leaf % KINDS
    return DELAY if leaf < leaf_of_queue(w, 0) else QUEUE


def flow_of(w: "World", leaf: int) -> int:
    """The flow that a leaf belongs to, if it is not a queue's."""
    return leaf // KINDS if leaf < leaf_of_delay(w, 0) else leaf - leaf_of_delay(w, 0)


def port_of(w: "World", leaf: int) -> int:
    """The port whose queue has this leaf."""
    return 2 * (leaf - leaf_of_queue(w, 0))


def count(flows: int, links: int, *, delays: bool, queues: bool) -> int:
    """How many leaves there are."""
    return (KINDS + delays) * flows + links * queues
