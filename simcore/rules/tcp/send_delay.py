"""What keeps the sending loop from sending at once: a random delay before it, and the pace of a congestion control.

The send jitter breaks phase effects (ns-2: overhead_, for a host that takes its time). S. Floyd, V. Jacobson, "On
Traffic Phase Effects in Packet-Switched Gateways", Internetworking: Research and Experience 3, 1992. What ns-2 does:
one delay is drawn when the loop has something to do; until it has passed nothing more is drawn, whatever arrives; then
the loop sends all that the window allows by that time, as one burst. A timeout changes where the loop goes on, but not
when.

Pacing spreads what the window allows over a round trip (A. Aggarwal, S. Savage, T. Anderson, "Understanding the
Performance of TCP Pacing", INFOCOM 2000). The control is asked before each segment how long that has to wait. A segment
that has waited leaves without being asked for again: rounding could go on delaying it for ever.

Segments that leave outside the loop - fast retransmits, those of limited transmit - are not delayed.
"""

from simcore.rules.congestion import control
from simcore.rules.mrg32k3a import Stream, uniform
from simcore.rules.tcp.sender import SEND, SEND_NOW, TcpState


def delay_s(tcp: TcpState, request: int, stream: Stream, now: float) -> float:
    """The sending loop has a segment: return the seconds that it waits before that, and is held back for.

    The control's pace is kept by every segment; the jitter, between zero and the flow's, comes before a burst only.
    """
    wait_s = control.send_delay_s(tcp, now)
    if request == SEND and tcp.send_jitter_s > 0.0:
        wait_s = max(wait_s, tcp.send_jitter_s * uniform(stream))
    tcp.held_back = wait_s > 0.0
    return wait_s


def delay_ended(tcp: TcpState) -> int:
    """The delay has passed."""
    tcp.held_back = False
    return SEND_NOW
