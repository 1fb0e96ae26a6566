"""Loss recovery of Linux where the receiver does not tell by SACK: NewReno's (RFC 6582) with rate reduction (RFC 6937).

Its rules are in `simcore.rules.linux`.
"""

from collections.abc import Mapping
from typing import Final

from simcore.rules.linux import ack, connection, sending, timers
from simcore.rules.tcp.sender import TcpState
from simcore.rules.why import Why

NAME: Final = "TCP of Linux"
SINCE: Final = 2013  # Linux 3.2 has rate reduction, RFC 6937 is of 2013
STACK: Final = "linux"
STANDS_FOR: Final = ("reno", "newreno")
CONTROL: Final = "linux_reno"
RECORDED: Final = connection.RECORDED
EXPLANATIONS: Final[Mapping[str, Why]] = {
    "fast_retransmit": Why(
        "Fast retransmit",
        "A loss is told by duplicate ACKs: the lost segment is sent again, and ssthresh becomes what the congestion "
        "control says. cwnd goes there little by little, as segments are delivered (proportional rate reduction).",
        "RFC 6937; Linux: tcp_enter_recovery()",
    ),
    "deflation": Why(
        "Proportional rate reduction",
        "cwnd becomes what is under way and what may be sent: ssthresh / cwnd of what was delivered since the loss, or "
        "as much as was delivered once no more than ssthresh is under way.",
        "RFC 6937, section 3; Linux: tcp_cwnd_reduction()",
    ),
    "recovery_end": Why(
        "Recovery ends",
        "All that was outstanding at the loss is acknowledged: cwnd becomes ssthresh.",
        "RFC 6937, section 3; Linux: tcp_end_cwnd_reduction()",
    ),
    "timeout": Why(
        "Timeout",
        "No ACK came in time: what is outstanding counts as lost. cwnd becomes what is still under way, and a segment "
        "more; what was lost is sent again as cwnd allows.",
        "RFC 6298, section 5; Linux: tcp_enter_loss()",
    ),
}


State = connection.Connection
arrays = connection.arrays
timer_expired, timer_s = timers.timer_expired, timers.timer_s
in_flight, is_recovering, losses = connection.in_flight, connection.is_recovering, connection.losses
may_send, next_segment, segment_sent = sending.may_send, sending.next_segment, sending.segment_sent


def ack_arrived(tcp: TcpState, state: State, number: int, now: float) -> int:
    """A cumulative ACK for all segments up to and including `number` arrived at time `now`."""
    ack.begin(state)
    return ack.ack_arrived(tcp, state, number, False, now)
