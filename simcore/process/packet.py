"""A packet on its way."""

from typing import NamedTuple


class Packet(NamedTuple):
    """A data packet (`seq` is its sequence number) or an ACK (`seq` is the highest one acknowledged)."""

    uid: int
    flow: int
    seq: int
    bytes: int
