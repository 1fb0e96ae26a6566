"""SACK blocks: which segments behind the first missing one have arrived (RFC 2018)."""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Final

from simcore.rules import ranges
from simcore.rules.headers.header import Header
from simcore.rules.receivers.sink import SinkState
from simcore.rules.tcp.sender import TcpState

NAME: Final = "SACK"
SINCE: Final = 1996
IMPLIED_BY: Final = "a variant that wants SACK"

MOST_BLOCKS: Final = 4  # as many as fit into a header: RFC 2018, section 3. ns-2 has 3, as beside a timestamp
BLOCK_BYTES: Final = 8  # two numbers of four bytes; ns-2 leaves out the two bytes of the option's kind and length


def no_blocks() -> MutableSequence[int]:
    """Room for as many as there can be."""
    return array("q", bytes(8 * 2 * MOST_BLOCKS))


@dataclass(slots=True)
class Said:
    """The blocks of an ACK, the newest first: start, end, start, end, ..."""

    count: int = 0
    blocks: MutableSequence[int] = field(default_factory=no_blocks)


NO_BLOCKS: Final = Said()


def copied(said: Said) -> Said:
    """What an ACK takes with it: most say nothing."""
    return Said(said.count, said.blocks[:]) if said.count else NO_BLOCKS


def ack_leaves(header: Header, said: Said, sink: SinkState, now: float) -> int:
    """Write the blocks of the ACK that is about to leave, beginning with those of the last one."""
    if sink.early_count == 0:
        said.count = 0
    elif sink.last_arrived < sink.next_expected:
        _drop_blocks_within(said, 0, sink.next_expected)
    else:
        newest = ranges.at_or_before(sink.early_starts, sink.early_count, sink.last_arrived)
        start, end = sink.early_starts[newest], sink.early_ends[newest]
        _drop_blocks_within(said, start, end)
        _put_first(said, start, end, sink.most_sack_blocks)
    return sink.sack_option_bytes + said.count * BLOCK_BYTES if said.count > 0 else 0


def ack_arrived(header: Header, said: Said, own: Said, tcp: TcpState, ack: int, now: float) -> None:
    """Put the blocks where the sender's loss recovery looks for them."""
    tcp.block_count = said.count
    for i in range(2 * said.count):
        tcp.blocks[i] = said.blocks[i]


def _drop_blocks_within(said: Said, start: int, end: int) -> None:
    """Repeat of the last ACK's blocks only those that are not inside the newest range (RFC 2018, section 4)."""
    kept = 0
    for i in range(said.count):
        if said.blocks[2 * i] < start or said.blocks[2 * i + 1] > end:
            said.blocks[2 * kept] = said.blocks[2 * i]
            said.blocks[2 * kept + 1] = said.blocks[2 * i + 1]
            kept += 1
    said.count = kept


def _put_first(said: Said, start: int, end: int, most: int) -> None:
    """Report the newest range first; the oldest goes when there are too many."""
    said.count = min(said.count + 1, most)
    for i in range(2 * said.count - 1, 1, -1):
        said.blocks[i] = said.blocks[i - 2]
    said.blocks[0] = start
    said.blocks[1] = end
