"""What a slow start is: a module of rules that opens the window below ssthresh, and may end it there.

It is told of new data first. Past slow start it passes that on to the congestion control, so that any slow start goes
with any control. The functions below tell the slow start of a sender, whichever it is; the compiled engine replaces
each by the rules that its records are for (see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from simcore.rules.recorded import Recorded
from simcore.rules.why import Why

if TYPE_CHECKING:
    from simcore.rules.tcp.sender import TcpState

State = TypeVar("State")  # what a slow start remembers, of a class of its own: the second argument of every rule


@dataclass(frozen=True)
class SlowStart(Generic[State]):
    """The rules of one slow start. They read the sender's state, and set its `cwnd` and `ssthresh`."""

    name: str  # in scenarios
    title: str  # for people
    about: str  # in a line, with the source
    stacks: tuple[str, ...]  # whose TCP it goes with
    explanations: Mapping[str, Why]  # of causes, by name
    recorded: Recorded  # fields of its state that a run can record
    state: Callable[[int], State]  # (window in packets): what it remembers, at the start

    data_acknowledged: Callable[["TcpState", State, float], None]  # (tcp, state, now): the window may grow
    segment_sent: Callable[["TcpState", State, int, float], None]  # (tcp, state, sequence number, now)


def data_acknowledged(tcp: "TcpState", now: float) -> None:
    """New data were acknowledged, and nothing forbids the window to grow: by slow start, or else by the control."""
    tcp.slow_start.data_acknowledged(tcp, tcp.slow_start_state, now)


def segment_sent(tcp: "TcpState", seq: int, now: float) -> None:
    """A segment is handed to the network; whether it was sent before, `highest_sent` still tells."""
    tcp.slow_start.segment_sent(tcp, tcp.slow_start_state, seq, now)
