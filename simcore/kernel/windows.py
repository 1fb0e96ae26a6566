"""A sender's window as the kernel tells it (TCP_INFO), and what probably changed it.

The kernel does not say which rule changed a window. The cause is inferred from two observations in a row.
"""

import socket
import struct
from dataclasses import dataclass
from typing import Final, NamedTuple

from simcore.rules.tcp import sender as tcp

# Linux, include/uapi/linux/tcp.h: enum tcp_ca_state
OPEN, DISORDER, REDUCED, RECOVERY, LOSS = range(5)
ESTABLISHED: Final = 1  # of the connection: net/tcp_states.h
INFO_BYTES: Final = 148  # of struct tcp_info, up to tcpi_notsent_bytes (Linux 4.6)
UNLIMITED: Final = 0x7FFFFFFF  # ssthresh before the first loss: TCP_INFINITE_SSTHRESH


class Observation(NamedTuple):
    """What the kernel says of a sender: windows in packets, times in seconds."""

    is_established: bool
    state: int  # OPEN ... LOSS
    backoff: int  # how often the timeout was doubled
    rto_s: float
    srtt_s: float
    ssthresh: int
    cwnd: int
    unsent_bytes: int  # what the application has written and TCP not yet sent


def observed(connection: socket.socket) -> Observation:
    """Ask the kernel."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
    (rto_us,) = struct.unpack_from("=I", info, 8)
    srtt_us, _, ssthresh, cwnd = struct.unpack_from("=4I", info, 68)
    (unsent,) = struct.unpack_from("=I", info, 144)
    return Observation(info[0] == ESTABLISHED, info[1], info[4], rto_us * 1e-6, srtt_us * 1e-6, ssthresh, cwnd, unsent)


def cause_of(before: Observation | None, after: Observation) -> int:
    """The rule that probably made this change; UNCHANGED if there is none."""
    if before is None:
        return tcp.STARTED
    if after.is_established > before.is_established:
        return tcp.OPENED
    if (after.state == LOSS != before.state) or after.backoff > before.backoff:
        return tcp.TIMED_OUT
    if after.state != before.state:
        return _cause_of_state(before.state, after.state) or _cause_of_size(before, after)
    return _cause_of_size(before, after)


def _cause_of_state(before: int, after: int) -> int:
    if after == RECOVERY:
        return tcp.FAST_RETRANSMIT
    if after == REDUCED:
        return tcp.CONGESTION_ECHOED
    return tcp.RECOVERY_ENDED if before in (RECOVERY, LOSS) else tcp.UNCHANGED


def _cause_of_size(before: Observation, after: Observation) -> int:
    if (after.cwnd, after.ssthresh) == (before.cwnd, before.ssthresh):
        return tcp.UNCHANGED
    if after.state == RECOVERY and after.ssthresh < before.ssthresh:  # one recovery ended, another began: in one ACK
        return tcp.FAST_RETRANSMIT
    if after.cwnd < before.cwnd or after.state in (REDUCED, RECOVERY):
        return tcp.DEFLATED  # proportional rate reduction: RFC 6937
    return tcp.SLOW_START if before.cwnd < before.ssthresh else tcp.CONGESTION_AVOIDANCE


@dataclass(frozen=True)
class Window:
    """What the log has of a sender, as `simcore.rules.tcp.sender.TcpState` has it."""

    cwnd: float
    ssthresh: float
    cause: int
    inflation: int = 0  # the kernel counts what is under way instead


def window_of(seen: Observation, cause: int, advertised: int) -> Window:
    """As the model has it: ssthresh is at first what the receiver advertises."""
    return Window(float(seen.cwnd), float(advertised if seen.ssthresh == UNLIMITED else seen.ssthresh), cause)
