"""What SACK blocks tell a sender of Linux (RFC 2018; Linux: tcp_sacktag_write_queue())."""

from simcore.rules.linux import rack, round_trips
from simcore.rules.linux.connection import EVER_REPEATED, LOST, REPEATED, SACKED, Connection
from simcore.rules.tcp.sender import TcpState


def blocks_taken_in(tcp: TcpState, state: Connection, now: float) -> bool:
    """Note what SACK blocks tell of; is any of it new?"""
    sacked = state.sacked
    for i in range(tcp.block_count):
        for seq in range(max(tcp.blocks[2 * i], tcp.highest_ack + 1), tcp.blocks[2 * i + 1]):
            segment_sacked(tcp, state, seq, now)
    return state.sacked > sacked


def segment_sacked(tcp: TcpState, state: Connection, seq: int, now: float) -> None:
    """A SACK block tells of segment `seq` (Linux: tcp_sacktag_one())."""
    place = seq % tcp.window
    marks, sent_s = state.marks[place], state.sent_s[place]
    if marks & SACKED:
        return
    rack.delivered(state, marks, seq, sent_s, now)
    if not marks & EVER_REPEATED:
        round_trips.note_sacked(state, sent_s)
    if marks & LOST:
        state.lost -= 1
        state.repeated -= (marks & REPEATED) > 0
        marks &= EVER_REPEATED
    state.marks[place] = marks | SACKED
    state.sacked += 1
    state.delivered += 1
