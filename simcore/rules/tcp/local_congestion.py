"""What a TCP sender does when its own host's interface queue is full: Linux 2.4's reaction.

The interface refuses the segment, which is not lost: it is sent later. Linux takes the refusal for a sign of
congestion and enters its state CWR: the threshold is cut as for a loss, and the window shrinks by a packet for every
second ACK until what was outstanding is acknowledged. Web100 counts this as SendStall; Net100 could switch it off
(J. Heffner's notes on Net100's sysctls, 2002).
"""

from simcore.rules.congestion import control
from simcore.rules.tcp.sender import ARM_TIMER, NOTHING, REDUCED, REFUSED, TcpState, window_was_cut


def segment_refused(state: TcpState, reacts: bool, now: float) -> int:
    """The interface had no room for a segment that the window allows; return what the sender is to do.

    While nothing is outstanding no ACK will come that sends it later, so the timer must.
    """
    is_recovering = state.highest_ack < state.recover
    if reacts and not state.interface.reducing and not is_recovering:
        window, outstanding = state.cwnd, state.highest_sent - state.highest_ack
        control.congestion_notified(state, now)
        window_was_cut(state)
        state.cwnd = max(1.0, min(window, float(outstanding + 1)))
        state.interface.reducing = True
        state.interface.reduced_until = state.highest_sent
        state.interface.spares_ack = True
        state.cause = REFUSED
    return ARM_TIMER if state.highest_sent == state.highest_ack and not state.timer_pending else NOTHING


def reduce(state: TcpState) -> None:
    """A new ACK arrived while the window is being reduced: `state.highest_ack` is already what it says."""
    if state.highest_ack >= state.interface.reduced_until:
        state.interface.reducing = False
        state.cwnd = min(state.cwnd, state.ssthresh)
    elif not state.interface.spares_ack:
        state.cwnd = max(state.ssthresh, state.cwnd - 1.0)
    state.interface.spares_ack = not state.interface.spares_ack
    state.cause = REDUCED
