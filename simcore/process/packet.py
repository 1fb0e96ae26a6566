"""A packet on its way."""

from collections.abc import Sequence
from typing import NamedTuple


class Packet(NamedTuple):
    """A data packet (`seq` is its sequence number) or an ACK (`seq` is the highest one acknowledged)."""

    uid: int
    flow: int
    seq: int
    bytes: int
    ecn: int = 0  # flags of `simcore.rules.tcp.ecn_bits`
    blocks: Sequence[int] = ()  # an ACK's SACK blocks: start, end, start, end, ...
