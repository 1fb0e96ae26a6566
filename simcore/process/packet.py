"""A packet on its way."""

from typing import Final, NamedTuple

from simcore.rules.headers.header import Header

SILENT: Final = Header()
"""Of a packet that says no more than its number and its size."""


class Packet(NamedTuple):
    """A data packet (`seq` is its sequence number) or an ACK (`seq` is the highest one acknowledged)."""

    uid: int
    flow: int
    seq: int
    bytes: int
    header: Header = SILENT
