"""A packet on its way."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Packet:
    """A data packet (`seq` is its sequence number) or an ACK (`seq` is the highest one acknowledged)."""

    uid: int
    flow: int
    seq: int
    bytes: int
