"""A random delay before the sending loop, which breaks phase effects (ns-2: overhead_, for a host that takes its time).

S. Floyd, V. Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", Internetworking: Research and Experience
3, 1992. What ns-2 does: one delay is drawn when the loop has something to do; until it has passed nothing more is
drawn, whatever arrives; then the loop sends all that the window allows by that time, as one burst. Segments that leave
outside the loop - fast retransmits, those of limited transmit - are not delayed. A timeout changes where the loop goes
on, but not when.
"""

from simcore.rules.mrg32k3a import Stream, uniform
from simcore.rules.tcp import SEND_NOW, TcpState


def delay_begins(tcp: TcpState, stream: Stream) -> float:
    """The sending loop has something to do: return the seconds that it waits, between zero and the flow's jitter."""
    tcp.held_back = True
    return tcp.send_jitter_s * uniform(stream)


def delay_ended(tcp: TcpState) -> int:
    """The delay has passed."""
    tcp.held_back = False
    return SEND_NOW
