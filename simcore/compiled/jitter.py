"""The delays of senders with a send jitter or a pace."""

from simcore.compiled.leaves import leaf_of_delay
from simcore.compiled.ring import new_id
from simcore.compiled.tournament import NEVER, schedule
from simcore.compiled.view import World
from simcore.rules.recovery import recovery
from simcore.rules.tcp import send_delay
from simcore.rules.tcp import sender as tcp


def must_wait(state: tcp.TcpState, w: World, flow: int, request: int) -> bool:
    """Must the sending loop wait? Its delay begins if there is something to send, and none runs yet."""
    if request == tcp.SEND_NOW:
        return False
    if not state.held_back and recovery.may_send(state):
        now = w.run[0].now
        wait_s = send_delay.delay_s(state, request, w.streams[w.flows[flow].jitter], now)
        if state.held_back:
            schedule(w.host_leaves, w.host_winner, leaf_of_delay(w, flow), now + wait_s, new_id(w))
    return state.held_back


def delay_ended(state: tcp.TcpState, w: World, flow: int) -> int:
    """The loop has waited for long enough; return what the sender is to do."""
    schedule(w.host_leaves, w.host_winner, leaf_of_delay(w, flow), NEVER, 0)
    return send_delay.delay_ended(state)
