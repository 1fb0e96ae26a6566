"""What a sender does about an echo of a mark (RFC 3168, section 6.1.2), as ns-2.35 has it.

How ends agree on ECN, mark and echo is in `simcore.rules.headers.ecn`.
"""

from simcore.rules.congestion import control
from simcore.rules.tcp import rto
from simcore.rules.tcp.sender import CONGESTION_ECHOED, ECHOED, TIMEOUT, TcpState, window_was_cut


def echo_arrived(tcp: TcpState, is_echo: bool, ack: int, now: float) -> None:
    """An ACK that echoes a mark, or not, is about to be taken in: is that news?

    Section 6.1.2: react once for a window of data. ns-2 also reacts to the first echo after a timeout.
    """
    tcp.echoes.is_echo = is_echo
    if is_echo and (ack > tcp.recover or tcp.last_action == TIMEOUT):
        congestion_echoed(tcp, now)


def congestion_echoed(tcp: TcpState, now: float) -> None:
    """Reduce the window, as after a single loss.

    Section 6.1.2: if the window is one segment already, the sender must wait for longer; ns-2 backs the timer off
    from the second such echo on.
    """
    tcp.recover = tcp.highest_sent
    tcp.last_action = ECHOED
    if tcp.cwnd > 1.0:
        tcp.echoes.waits_for_timer = False
    elif tcp.echoes.waits_for_timer:
        rto.back_off(tcp)
    else:
        tcp.echoes.waits_for_timer = True
    control.congestion_notified(tcp, now)
    window_was_cut(tcp)
    tcp.cause = CONGESTION_ECHOED


def lets_window_open(tcp: TcpState) -> bool:
    """May the new ACK that is being taken in open the window? Not if it echoes a mark (section 6.1.2)."""
    return not (tcp.echoes.agreed and tcp.echoes.is_echo)


def new_ack_taken_in(tcp: TcpState) -> None:
    """The first new ACK with an echo, as a rule the SYN's, agrees to use ECN; one without an echo ends the wait."""
    if tcp.echoes.is_echo:
        tcp.echoes.agreed = True
    elif tcp.echoes.agreed:
        tcp.echoes.waits_for_timer = False
