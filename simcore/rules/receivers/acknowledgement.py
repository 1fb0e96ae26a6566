"""What an ACK says: the highest segment in order, and in SACK blocks which later ones have arrived (RFC 2018)."""

from typing import Final

from simcore.rules import ranges
from simcore.rules.receivers.sink import SinkState

MOST_BLOCKS: Final = 4  # as many as fit into a header: RFC 2018, section 3. ns-2 has 3, as beside a timestamp
BLOCK_BYTES: Final = 8  # two numbers of four bytes; ns-2 leaves out the two bytes of the option's kind and length


def compose(sink: SinkState) -> int:
    """Write the SACK blocks of the ACK that is about to leave into the state; return the bytes that options take."""
    if sink.syn_option_bytes > 0 and sink.last_arrived == 0 and sink.next_expected == 1:
        return sink.syn_option_bytes
    if not sink.selective:
        return 0
    if sink.early_count == 0:
        sink.block_count = 0
    elif sink.last_arrived < sink.next_expected:
        _drop_blocks_within(sink, 0, sink.next_expected)
    else:
        newest = ranges.at_or_before(sink.early_starts, sink.early_count, sink.last_arrived)
        start, end = sink.early_starts[newest], sink.early_ends[newest]
        _drop_blocks_within(sink, start, end)
        _put_first(sink, start, end)
    return sink.sack_option_bytes + sink.block_count * BLOCK_BYTES if sink.block_count > 0 else 0


def _drop_blocks_within(sink: SinkState, start: int, end: int) -> None:
    """Repeat of the last ACK's blocks only those that are not inside the newest range (RFC 2018, section 4)."""
    kept = 0
    for i in range(sink.block_count):
        if sink.blocks[2 * i] < start or sink.blocks[2 * i + 1] > end:
            sink.blocks[2 * kept] = sink.blocks[2 * i]
            sink.blocks[2 * kept + 1] = sink.blocks[2 * i + 1]
            kept += 1
    sink.block_count = kept


def _put_first(sink: SinkState, start: int, end: int) -> None:
    """Report the newest range first; the oldest goes when there are too many."""
    sink.block_count = min(sink.block_count + 1, sink.most_sack_blocks)
    for i in range(2 * sink.block_count - 1, 1, -1):
        sink.blocks[i] = sink.blocks[i - 2]
    sink.blocks[0] = start
    sink.blocks[1] = end
