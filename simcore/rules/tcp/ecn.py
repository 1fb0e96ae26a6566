"""The sender's side of explicit congestion notification (RFC 3168, section 6.1), as ns-2.35 has it.

Routers mark packets instead of dropping them, receivers echo the marks, and a sender takes an echo for a loss that
needs no repair. ns-2 departs from the standard in that segments sent again may be marked as well (section 6.1.5).
"""

from simcore.rules.congestion import control
from simcore.rules.tcp import rto
from simcore.rules.tcp.ecn_bits import CAPABLE, ECHO, REDUCED
from simcore.rules.tcp.sender import CONGESTION_ECHOED, ECHOED, TIMEOUT, TcpState, window_was_cut


def segment_flags(tcp: TcpState, seq: int) -> int:
    """What segment `seq`, which is about to be sent, says.

    The SYN offers ECN and may not be marked (section 6.1.1; ns-2 leaves out its CWR). The first segment after the
    window was reduced tells that, whatever reduced it (section 6.1.2).
    """
    if not tcp.ecn:
        return 0
    told = REDUCED if tcp.was_reduced else 0
    tcp.was_reduced = False
    return told | (ECHO if seq == 0 else CAPABLE)


def ack_arrived(tcp: TcpState, ack: int, flags: int, now: float) -> None:
    """An ACK arrived, and is about to be taken in: does it echo a mark, and is that news?

    Section 6.1.2: react once for a window of data. ns-2 also reacts to the first echo after a timeout.
    """
    tcp.is_echo = tcp.ecn and (flags & ECHO) > 0
    if tcp.is_echo and (ack > tcp.recover or tcp.last_action == TIMEOUT):
        congestion_echoed(tcp, now)


def congestion_echoed(tcp: TcpState, now: float) -> None:
    """Reduce the window, as after a single loss.

    Section 6.1.2: if the window is one segment already, the sender must wait for longer; ns-2 backs the timer off
    from the second such echo on.
    """
    tcp.recover = tcp.highest_sent
    tcp.last_action = ECHOED
    if tcp.cwnd > 1.0:
        tcp.waits_for_timer = False
    elif tcp.waits_for_timer:
        rto.back_off(tcp)
    else:
        tcp.waits_for_timer = True
    control.congestion_notified(tcp, now)
    window_was_cut(tcp)
    tcp.cause = CONGESTION_ECHOED


def lets_window_open(tcp: TcpState) -> bool:
    """May the new ACK that is being taken in open the window? Not if it echoes a mark (section 6.1.2)."""
    return not (tcp.ecn_agreed and tcp.is_echo)


def new_ack_taken_in(tcp: TcpState) -> None:
    """The first new ACK with an echo, as a rule the SYN's, agrees to use ECN; one without an echo ends the wait."""
    if tcp.is_echo:
        tcp.ecn_agreed = True
    elif tcp.ecn_agreed:
        tcp.waits_for_timer = False
