"""The state of a TCP sender, and the rules that every variant shares.

Sequence numbers count packets, windows are in packets, times in seconds, as in ns-2. Sequence number 0 is the SYN.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from simcore.rules.causes import cause
from simcore.rules.congestion import control
from simcore.rules.headers.header import Header
from simcore.rules.slow_start import slow_start
from simcore.rules.tcp.parts import Echoes, Interface

if TYPE_CHECKING:
    from simcore.rules.recovery.recovery import Recovery

# What a rule asks its engine to do, as a sum of flags. They are numbered in the order in which the engine obeys (see
# `next_request`): the order in which ns-2 schedules events decides which of two simultaneous ones comes first.
NOTHING: Final = 0
ARM_TIMER: Final = 1  # restart the retransmission timer with `rto.timeout_s`
RESEND: Final = 2  # send the first unacknowledged segment again
SEND_ONE: Final = 4  # send the next segment, whatever the window says
SEND: Final = 8  # send as long as `next_segment` names a segment, unless it has to wait (see `tcp.send_delay`)
SEND_NOW: Final = 16  # the same; its first segment has waited
SEND_ON: Final = 32  # the same, after its first segment

NO_SEGMENT: Final = -1

# What was last done about the window (ns-2: last_cwnd_action_).
NO_ACTION: Final = 0
DUPLICATE_ACKS: Final = 1
TIMEOUT: Final = 2
EXITED: Final = 3
ECHOED: Final = 4

# Why the state changed last: see `simcore.rules.causes`.
UNCHANGED: Final = cause("none")
STARTED: Final = cause("start")
OPENED: Final = cause("initial_window")
SLOW_START: Final = cause("slow_start", is_usual=True)
CONGESTION_AVOIDANCE: Final = cause("congestion_avoidance", is_usual=True)
FAST_RETRANSMIT: Final = cause("fast_retransmit")
INFLATED: Final = cause("inflation", is_usual=True)
RECOVERY_ENDED: Final = cause("recovery_end")
TIMED_OUT: Final = cause("timeout")
IDLE_TIMEOUT: Final = cause("idle_timeout")
DEFLATED: Final = cause("deflation")
DELAYED: Final = cause("queueing_delay")  # less, because round trips took longer than the shortest one
REFUSED: Final = cause("local_congestion")  # by the interface of the sender's own host
REDUCED: Final = cause("local_reduction")  # a packet less for every second ACK, after that
CONGESTION_ECHOED: Final = cause("congestion_echo")  # a mark: see `simcore.rules.tcp.ecn`

DUPLICATE_ACK_THRESHOLD: Final = 3  # RFC 5681, section 3.2
LEAST_SSTHRESH: Final = 2  # packets; RFC 5681, equation (4)
ENDLESS: Final = 1 << 60  # a greedy source always has data (ns-2: curseq_ = TCP_MAXSEQ)


@dataclass(slots=True)
class TcpState:
    """Everything a TCP sender remembers. The types of the fields are also those of the compiled engine's records.

    What only its loss recovery, its slow start or its congestion control remembers is a state of its own.
    """

    recovery: "Recovery[Any]"
    recovery_state: Any  # of the recovery's own class
    control: control.Control[Any]
    control_state: Any  # likewise
    slow_start: slow_start.SlowStart[Any]
    slow_start_state: Any  # likewise

    # Given by the flow and the profile (see `simcore.scenario.profiles`)
    window: int  # packets: the receiver's advertised window
    initial_window: float  # packets, once the SYN is acknowledged
    lost_syn_window: float  # packets: what it becomes when the SYN is lost
    rto_s: float  # retransmission timeout before back-off and bounds
    min_rto_s: float
    max_rto_s: float
    tick_s: float  # granularity of the sender's clock
    boot_s: float  # phase of that clock
    whole_packet_cut: bool
    recovery_exit_marked: bool
    limited_transmit: bool
    flight_size_cut: bool
    ssthresh: float  # packets
    data_limit: int = ENDLESS  # the first sequence number that the application never offers
    cwnd_clamped: bool = False
    tail_loss_probes: bool = False
    send_jitter_s: float = 0.0  # the longest random delay before the sending loop: see `simcore.rules.tcp.send_delay`

    # The congestion window
    cwnd: float = 1.0  # packets
    inflation: int = 0  # packets: duplicate ACKs counted as departures (ns-2: dupwnd_)
    last_action: int = NO_ACTION
    cause: int = UNCHANGED  # the rule that changed this state last; the engine records and clears it
    fast_retransmits: int = 0  # since the start
    timeouts: int = 0  # likewise, with data outstanding

    # Sequence numbers
    next_seq: int = 0  # what the sending loop sends next
    highest_sent: int = -1
    highest_ack: int = -1
    recover: int = 0  # highest sequence number sent when the last loss was noticed
    data_end: int = 0  # the first sequence number that the application does not offer now
    duplicate_acks: int = 0
    newly_delivered: int = 1  # segments that the ACK being taken in tells of, where the recovery counts them
    started_at_s: float = 0.0  # when the first segment was last sent

    header: Header = field(default_factory=Header)  # what the next segment says
    echoes: Echoes = field(default_factory=Echoes)
    interface: Interface = field(default_factory=Interface)

    # The SACK blocks of the ACK that is being taken in, put here before the rule is called, if the recovery wants them
    blocks: MutableSequence[int] = field(default_factory=lambda: array("q"))
    block_count: int = 0

    # Round-trip time, in the fixed point of ns-2: srtt in eighths, rttvar in quarters of a tick
    srtt: int = 0
    rttvar: int = 12
    backoff: int = 1
    timing: bool = False  # is a round trip being measured?
    timed_seq: int = -1
    timed_at_s: float = 0.0
    timer_pending: bool = False

    held_back: bool = False  # does the sending loop wait for a delay to pass?


def next_request(to_do: int) -> int:
    """Of all that a rule asked for, what the engine does first: one flag."""
    return to_do & -to_do


def left_to_do(to_do: int, request: int) -> int:
    """What remains once a request is obeyed: the sending loop, which comes last, goes on until it has no segment."""
    rest = to_do - request
    return rest | SEND_ON if request >= SEND else rest


# (first request, what is left then) for each sum of flags: a table, for those who ask often and pay for every call.
IN_ORDER: Final = tuple((next_request(to_do), left_to_do(to_do, next_request(to_do))) for to_do in range(2 * SEND_ON))


def segment_asked_for(tcp: TcpState, request: int) -> int:
    """The segment that a request other than the sending loop's is about."""
    if request == RESEND:
        return tcp.highest_ack + 1
    tcp.next_seq += 1
    return tcp.next_seq - 1


def in_slow_start(tcp: TcpState) -> bool:
    """Is the window below the threshold, so that it is to grow quickly (RFC 5681, section 3.1)?"""
    return tcp.cwnd < tcp.ssthresh


def usable_window(tcp: TcpState) -> int:
    """Packets that may be outstanding. cwnd itself is never capped, only what is used of it (ns-2: window())."""
    return min(int(tcp.cwnd) + tcp.inflation, tcp.window)


def may_send(tcp: TcpState, state: object) -> bool:
    """Has the sending loop something to do? (`state` is what the recovery remembers; see `simcore.rules.recovery`.)"""
    return tcp.next_seq <= tcp.highest_ack + usable_window(tcp) and tcp.next_seq < tcp.data_end


def next_segment(tcp: TcpState, state: object) -> int:
    """The segment that the sending loop is to send now, which then counts as sent; NO_SEGMENT if there is none."""
    if not may_send(tcp, state):
        return NO_SEGMENT
    tcp.next_seq += 1
    return tcp.next_seq - 1


def may_send_beyond_window(tcp: TcpState) -> bool:
    """May one of the first two duplicate ACKs release a segment? RFC 3042; ns-2 compares with the untruncated cwnd."""
    return (
        tcp.limited_transmit
        and tcp.next_seq <= tcp.highest_ack + tcp.window
        and tcp.next_seq < tcp.data_end
        and tcp.next_seq <= tcp.highest_ack + tcp.cwnd + tcp.duplicate_acks
    )


def segment_sent(tcp: TcpState, state: object, seq: int, now: float) -> bool:
    """Note that `seq` was handed to the network; return whether the retransmission timer must be started.

    The timer also restarts when nothing was outstanding before (ns-2: force_set_rtx_timer).
    """
    control.segment_sent(tcp, seq, now)
    slow_start.segment_sent(tcp, seq, now)
    nothing_was_outstanding = tcp.highest_ack == tcp.highest_sent
    if seq == 0:
        tcp.started_at_s = now
    if seq > tcp.highest_sent:
        tcp.highest_sent = seq
        if not tcp.timing:
            tcp.timing = True
            tcp.timed_seq = seq
            tcp.timed_at_s = now
    return nothing_was_outstanding or not tcp.timer_pending


def source_started(tcp: TcpState) -> int:
    """The application begins: it offers all that it has, or always more (ns-2: FTP start)."""
    tcp.data_end = tcp.data_limit
    tcp.cause = STARTED
    return SEND


def source_stopped(tcp: TcpState) -> int:
    """The application ends: nothing above the highest sent so far is offered; repairs go on.

    ns-2 sets the end to the highest sequence number itself, so that the sending loop never repeats that last
    packet; only a fast retransmit does. The loop runs once more at the end itself: what a variant held back between
    two ACKs may leave now.
    """
    if tcp.highest_sent < tcp.data_end - 1:
        tcp.data_end = tcp.highest_sent
    return SEND


def outstanding(tcp: TcpState) -> int:
    """Segments that were sent and are not acknowledged (Linux: packets_out)."""
    return tcp.highest_sent - tcp.highest_ack


def window_in_use(tcp: TcpState) -> float:
    """Packets that the window stands for when a loss cuts it.

    RFC 5681, equation (4), counts what is outstanding; ns-2 takes the usable window, until 2.27 as a whole number.
    """
    if tcp.flight_size_cut:
        return float(outstanding(tcp))
    if tcp.whole_packet_cut:
        return float(usable_window(tcp))
    return window(tcp)


def window(tcp: TcpState) -> float:
    """The usable window as a real number of packets (ns-2: windowd())."""
    return min(tcp.cwnd + tcp.inflation, float(tcp.window))


def half_window(tcp: TcpState) -> float:
    """Half of what is in use, in packets; ns-2 until 2.27 halves the window as a whole number of packets."""
    half = window_in_use(tcp) / 2.0
    return float(int(half)) if tcp.whole_packet_cut else half


def count_fast_retransmit(tcp: TcpState) -> None:
    """Duplicate ACKs, or SACK blocks, made the sender repair a loss: that counts."""
    tcp.cause = FAST_RETRANSMIT
    tcp.fast_retransmits += 1


def count_timeout(tcp: TcpState) -> None:
    """The timer rang with data outstanding: that counts."""
    tcp.cause = TIMED_OUT
    tcp.timeouts += 1


def window_was_cut(tcp: TcpState) -> None:
    """The control has reduced the window: bound what it set, and let the receiver know.

    In ns-2 cwnd may end below the least ssthresh, and even below one packet (with whole packets at 0): then nothing is
    sent until the timer rings. RFC 3168, section 6.1.2, keeps it at one.
    """
    if tcp.flight_size_cut:
        tcp.cwnd = max(tcp.cwnd, 1.0)
    tcp.ssthresh = float(max(int(tcp.ssthresh), LEAST_SSTHRESH))
    tcp.interface.reducing = False
    tcp.echoes.was_reduced = True
