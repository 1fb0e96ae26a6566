"""The random delay of a sender with a send jitter. Its timers have the leaves behind those of the flows, one a flow."""

from typing import Any

from simcore.compiled import rules
from simcore.compiled.layout import World
from simcore.compiled.ports import new_id
from simcore.compiled.tournament import NEVER, schedule
from simcore.rules import send_jitter


def hold_back(state: Any, w: World, flow: int) -> bool:
    """Must the sending loop wait? The delay begins if the loop has something to do and does not wait already."""
    if state.send_jitter_s == 0.0:
        return False
    if not state.held_back and rules.may_send(state):
        due = w.run[0].now + send_jitter.delay_begins(state, w.streams[w.flows[flow].jitter])
        schedule(w.host_leaves, w.host_winner, leaf_of(w, flow), due, new_id(w))
    return True


def delay_ended(state: Any, w: World, flow: int) -> int:
    """The loop has waited for long enough; return what the sender is to do."""
    schedule(w.host_leaves, w.host_winner, leaf_of(w, flow), NEVER, 0)
    return send_jitter.delay_ended(state)


def leaf_of(w: World, flow: int) -> int:
    """Where the timer of a flow's delay is."""
    return 3 * len(w.flows) + flow
