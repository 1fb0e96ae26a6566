"""What a congestion control is: a module of rules that is told what happened and asked what to do.

Loss recovery finds out what is lost and what is sent again; the control decides how much may be under way. The two are
kept apart as in RFC 9002, section 7. The functions below tell the control of a sender, whichever it is; the compiled
engine replaces each by the rules that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from simcore.rules.recorded import Recorded
from simcore.rules.settings import Strict
from simcore.rules.why import Why

if TYPE_CHECKING:
    from simcore.rules.tcp.sender import TcpState

State = TypeVar("State")  # what a control remembers, of a class of its own: the second argument of every rule


@dataclass(frozen=True)
class Control(Generic[State]):
    """The rules of one congestion control. They read the sender's state, and set its `cwnd` and `ssthresh`."""

    name: str  # in scenarios
    title: str  # for people
    recovery: str  # the loss recovery that it has where a scenario names only the control
    recoveries: tuple[str, ...]  # those that it works with; none named: all that leave the window to any control
    stack: str  # whose TCP it belongs to (see `simcore.rules.stack`)
    stands_for: tuple[str, ...]  # the controls whose place it takes there
    own_slow_start: bool  # is it told of new data below ssthresh, too? (see `simcore.rules.slow_start`)
    paces: bool  # may its `send_delay_s` be more than 0?
    explanations: Mapping[str, Why]  # of causes, by name
    recorded: Recorded  # fields of its state that a run can record
    settings: type[Strict] | None  # what a scenario may set of it; None: nothing
    state: Callable[[int, Strict | None], State]  # (window in packets, settings): what it remembers, at the start

    ack_arrived: Callable[
        ["TcpState", State, int, float], None
    ]  # (tcp, state, highest number acknowledged, now); `tcp.echoes.is_echo`: does it echo a mark?
    ack_taken_in: Callable[["TcpState", State, float], None]  # (tcp, state, now): loss recovery has taken in an ACK
    sets_window: Callable[["TcpState", State], bool]  # asked: is cwnd the control's own in recovery as well?
    data_acknowledged: Callable[
        ["TcpState", State, float], None
    ]  # (tcp, state, now): the window may grow, past slow start
    loss_detected: Callable[["TcpState", State, float], None]  # (tcp, state, now): duplicate ACKs told of it
    loss_repeated: Callable[["TcpState", State, float], None]  # what had been sent again was lost as well
    congestion_notified: Callable[["TcpState", State, float], None]  # nothing is lost: a mark, or a full interface
    timer_expired: Callable[["TcpState", State, float], None]  # all is lost: recovery then makes cwnd one segment
    round_trip_measured: Callable[
        ["TcpState", State, float, float], None
    ]  # (tcp, state, seconds, now): one a round trip
    segment_timed: Callable[["TcpState", State, float, float], None]  # likewise, by a recovery that times all segments
    segment_sent: Callable[["TcpState", State, int, float], None]  # (tcp, state, sequence number, now)
    send_delay_s: Callable[
        ["TcpState", State, float], float
    ]  # asked: seconds until the next segment may leave (pacing)


def ack_arrived(tcp: "TcpState", ack: int, now: float) -> None:
    """An ACK came, for new data or not; loss recovery has not taken it in yet."""
    tcp.control.ack_arrived(tcp, tcp.control_state, ack, now)


def ack_taken_in(tcp: "TcpState", now: float) -> None:
    """Loss recovery has taken in an ACK: it can be asked what is in flight, and what was lost."""
    tcp.control.ack_taken_in(tcp, tcp.control_state, now)


def sets_window(tcp: "TcpState") -> bool:
    """Ask whether recovery is to leave cwnd alone (Linux: cong_control)."""
    return tcp.control.sets_window(tcp, tcp.control_state)


def data_acknowledged(tcp: "TcpState", now: float) -> None:
    """New data were acknowledged, nothing forbids the window to grow, and slow start leaves that to the control."""
    tcp.control.data_acknowledged(tcp, tcp.control_state, now)


def loss_detected(tcp: "TcpState", now: float) -> None:
    """Duplicate ACKs told of a loss that the window was not cut for yet."""
    tcp.control.loss_detected(tcp, tcp.control_state, now)


def loss_repeated(tcp: "TcpState", now: float) -> None:
    """The same of a segment that had been sent again."""
    tcp.control.loss_repeated(tcp, tcp.control_state, now)


def congestion_notified(tcp: "TcpState", now: float) -> None:
    """There is congestion, but nothing is lost: an ECN echo came, or the host's own interface is full."""
    tcp.control.congestion_notified(tcp, tcp.control_state, now)


def timer_expired(tcp: "TcpState", now: float) -> None:
    """Everything outstanding counts as lost."""
    tcp.control.timer_expired(tcp, tcp.control_state, now)


def round_trip_measured(tcp: "TcpState", rtt_s: float, now: float) -> None:
    """A segment was acknowledged that was timed for the retransmission timer: one a round trip, none sent again."""
    tcp.control.round_trip_measured(tcp, tcp.control_state, rtt_s, now)


def segment_timed(tcp: "TcpState", rtt_s: float, now: float) -> None:
    """The segment that the ACK names took so long, by the clock of a recovery that times all of them."""
    tcp.control.segment_timed(tcp, tcp.control_state, rtt_s, now)


def segment_sent(tcp: "TcpState", seq: int, now: float) -> None:
    """A segment was handed to the network."""
    tcp.control.segment_sent(tcp, tcp.control_state, seq, now)


def send_delay_s(tcp: "TcpState", now: float) -> float:
    """Ask when the next segment may leave: so many seconds from now, 0 at once."""
    return tcp.control.send_delay_s(tcp, tcp.control_state, now)
