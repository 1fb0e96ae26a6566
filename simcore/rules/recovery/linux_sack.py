"""Loss recovery of Linux with SACK: RACK tells what is lost, a probe finds a lost tail (RFC 8985).

Its rules are in `simcore.rules.linux`.
"""

from collections.abc import Mapping
from typing import Final

from simcore.rules.linux import ack, sacks
from simcore.rules.recovery import linux
from simcore.rules.tcp.sender import TcpState
from simcore.rules.why import Why

NAME: Final = "TCP of Linux, SACK"
SINCE: Final = 2021  # RFC 8985
STACK: Final = "linux"
STANDS_FOR: Final = ("sack",)
CONTROL: Final = "linux_reno"
SELECTIVE_ACKS: Final = True
RECORDED: Final = linux.RECORDED
EXPLANATIONS: Final[Mapping[str, Why]] = {
    **linux.EXPLANATIONS,
    "fast_retransmit": Why(
        "Fast retransmit",
        "A segment that was sent later has arrived, and the time for the missing one is over (RACK): it is sent again. "
        "cwnd goes to ssthresh little by little, as segments are delivered (proportional rate reduction).",
        "RFC 8985, section 6.2; RFC 6937; Linux: tcp_rack_mark_lost()",
    ),
}


State = linux.State
timer_expired, timer_s = linux.timer_expired, linux.timer_s
in_flight, is_recovering, losses = linux.in_flight, linux.is_recovering, linux.losses
may_send, next_segment, segment_sent = linux.may_send, linux.next_segment, linux.segment_sent


def arrays(window: int) -> dict[str, object]:
    """What the state begins with: its receiver tells what came early."""
    return linux.arrays(window) | {"selective": SELECTIVE_ACKS}


def ack_arrived(tcp: TcpState, state: State, number: int, now: float) -> int:
    """The same, and with it the blocks in `tcp`."""
    ack.begin(state)
    return ack.ack_arrived(tcp, state, number, sacks.blocks_taken_in(tcp, state, now), now)
