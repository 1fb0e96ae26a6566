"""The header of a packet, and what its options are: rules for who writes what into it, and who reads it.

Each end of a flow has a header that says what its next packet will say; a packet takes a copy with it. The functions
below tell all options of a header of an event; the compiled engine replaces each by the options that its packets have
(see `simcore.compiled.dispatch`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from simcore.rules.receivers.sink import SinkState
    from simcore.rules.tcp.sender import TcpState

Said = TypeVar("Said")  # what an option says: a dataclass of bool, int, float and arrays, empty at first


@dataclass(frozen=True)
class Option(Generic[Said]):
    """An option of TCP's header. Each rule is None where the option has nothing to do.

    The rules of a packet that leaves write into the host's own record, `said`, and return how many bytes the option
    takes in this packet. Those of one that arrived read the packet's record, and may write into the host's own, from
    which the next packet will say it.
    """

    name: str  # in headers and scenarios
    implied_by: str | None  # what in a scenario brings it; None: a flow lists it in its `options`
    stacks: tuple[str, ...]  # whose senders know what to do with it
    said: Callable[[], Said]  # at the start
    copied: Callable[[Said], Said] | None  # for a packet that leaves; None if it says nothing but flags

    segment_leaves: "Callable[[Header, Said, TcpState, int, float], int] | None"  # (header, said, tcp, seq, now)
    segment_arrived: "Callable[[Header, Said, Said, SinkState, int, float], None] | None"  # (..., own, sink, seq, now)
    ack_leaves: "Callable[[Header, Said, SinkState, float], int] | None"  # (header, said, sink, now)
    ack_arrived: "Callable[[Header, Said, Said, TcpState, int, float], None] | None"  # (..., said, own, tcp, ack, now)


@dataclass(frozen=True)
class Rules:
    """The rules of the options that a flow uses, by event, each with its option's name, as one end needs them."""

    options: tuple[Option[Any], ...] = ()
    copied: tuple[tuple[str, Callable[[Any], Any]], ...] = ()  # what packets that leave this end take a copy of
    leaves: tuple[tuple[str, Callable[..., int]], ...] = ()
    arrived: tuple[tuple[str, Callable[..., None]], ...] = ()


@dataclass(slots=True)
class Header:
    """What a packet says, or what an end's next one will say."""

    flags: int = 0  # of `simcore.rules.headers.ecn_bits`; queues may add one
    rules: Rules = field(default_factory=Rules)  # of the end that it is of, or comes from
    said: dict[str, Any] = field(default_factory=dict)  # what each option says, by its name


def copied(header: Header) -> Header:
    """The header of a packet that leaves now."""
    rules = header.rules
    if not rules.leaves:
        return header
    if not rules.copied:
        return Header(header.flags, rules, header.said)
    said = header.said.copy()
    for name, copy in rules.copied:
        said[name] = copy(said[name])
    return Header(header.flags, rules, said)


def segment_leaves(header: Header, tcp: "TcpState", seq: int, now: float) -> int:
    """Segment `seq` is about to be sent, with this header of its sender; return the bytes that options take."""
    taken = 0
    for name, rule in header.rules.leaves:
        taken += rule(header, header.said[name], tcp, seq, now)
    return taken


def segment_arrived(header: Header, own: Header, sink: "SinkState", seq: int, now: float) -> None:
    """Segment `seq` with this header reached its receiver, whose next ACK will say what its `own` header does."""
    for name, rule in own.rules.arrived:
        rule(header, header.said[name], own.said[name], sink, seq, now)


def ack_leaves(header: Header, sink: "SinkState", now: float) -> int:
    """An ACK is about to be sent, with this header of its receiver; return the bytes that options take."""
    taken = 0
    for name, rule in header.rules.leaves:
        taken += rule(header, header.said[name], sink, now)
    return taken


def ack_arrived(header: Header, own: Header, tcp: "TcpState", ack: int, now: float) -> None:
    """An ACK with this header reached the sender, whose `own` header is what its next segment will say."""
    for name, rule in own.rules.arrived:
        rule(header, header.said[name], own.said[name], tcp, ack, now)
