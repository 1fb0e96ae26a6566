"""Standard slow start: each ACK of new data opens the window by a packet (RFC 5681, section 3.1), as ns-2 has it."""

from typing import Final

from simcore.rules.congestion import control
from simcore.rules.tcp.sender import SLOW_START, TcpState, in_slow_start

NAME: Final = "slow start"
SINCE: Final = 1988
ABOUT: Final = "each ACK of new data opens the window by a packet, until ssthresh (RFC 5681)"


def data_acknowledged(tcp: TcpState, state: object, now: float) -> None:
    """Below ssthresh grow by the segment acknowledged (equation 2)."""
    if in_slow_start(tcp):
        tcp.cwnd += 1.0
        tcp.cause = SLOW_START
    else:
        control.data_acknowledged(tcp, now)
