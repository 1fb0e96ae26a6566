"""What passed the points of a capture, as columns: about 70 bytes for a packet, however long it was."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from dpkt.tcp import TH_ACK, TH_SYN

from workbook.export.capture import POINTS
from workbook.reading.events import UnreadableError
from workbook.reading.frames import Capture, Frame
from workbook.reading.headers import Segment, segment

End = tuple[bytes, int]

TYPES: Final = {
    "ns": "q", "uid": "q", "connection": "i", "way": "b", "point": "B", "is_dropped": "b", "size": "i", "payload": "i",
    "seq": "I", "ack": "I", "flags": "H", "window": "i", "ecn": "B", "has_stamps": "b", "stamp": "I", "echo": "I",
    "sacked": "I",
}  # fmt: skip


@dataclass
class Sightings:
    """Packets as they passed points: a row a packet and point, in the order of the file.

    `ends` are both ends (address, port) of each connection; `way` is 0 for what goes from the first of them to the
    second. `points` names those that are seen together: one, or the four that `workbook run --pcap` writes.
    """

    rows: pd.DataFrame
    ends: list[tuple[End, End]]
    is_tcp: list[bool]
    points: list[str]
    left_out: int


@dataclass
class _Collector:
    """What is known while frames come."""

    columns: dict[str, Any] = field(default_factory=lambda: {name: array(code) for name, code in TYPES.items()})
    ends: list[tuple[End, End]] = field(default_factory=list)
    is_tcp: list[bool] = field(default_factory=list)
    current: dict[tuple[bool, End, End], int] = field(default_factory=dict)
    begun_at: dict[int, int] = field(default_factory=dict)  # connection -> sequence number of its SYN
    seen: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)  # packet -> uid, points as bits
    packets: int = 0

    def add(self, frame: Frame, packet: Segment, together: bool) -> None:
        """A packet at a point."""
        connection, way = self._connection(packet)
        uid = self._uid(frame, packet, connection, way) if together else self.packets
        self.packets += uid == self.packets
        value, echo = packet.stamps or (0, 0)
        row = (
            frame.ns, uid, connection, way, frame.interface, "dropped" in frame.comment, packet.size, packet.payload,
            packet.seq, packet.ack, packet.flags, packet.window, packet.ecn, packet.stamps is not None,
            value, echo, packet.sacked,
        )  # fmt: skip
        for column, each in zip(self.columns.values(), row, strict=True):
            column.append(each)

    def _connection(self, packet: Segment) -> tuple[int, int]:
        """Its number, and the way of this packet. A SYN with another number begins a connection of the same ports."""
        way = int(packet.ends[0] > packet.ends[1])
        ends = (packet.ends[1], packet.ends[0]) if way else packet.ends
        key = (packet.is_tcp, *ends)
        known = self.current.get(key)
        opens = packet.flags & (TH_SYN | TH_ACK) == TH_SYN
        if known is None or (opens and self.begun_at.get(known, packet.seq) != packet.seq):
            known = self.current[key] = len(self.ends)
            self.ends.append(ends)
            self.is_tcp.append(packet.is_tcp)
        if opens:
            self.begun_at[known] = packet.seq
        return known, way

    def _uid(self, frame: Frame, packet: Segment, connection: int, way: int) -> int:
        """The number of a packet that several points see: what a point sees again is another packet."""
        key = (connection, way, packet.ip_id, packet.seq, packet.ack, packet.payload)
        uid, points = self.seen.get(key, (self.packets, 0))
        if points >> frame.interface & 1:
            uid, points = self.packets, 0
        self.seen[key] = uid, points | 1 << frame.interface
        return uid


def sightings(path: Path, interface: str | None) -> Sightings:
    """Read a capture from one interface, by its name or number; without one, from that which saw most.

    The four points that `workbook run --pcap` writes are seen together. Raises UnreadableError and what `Capture` does.
    """
    capture = Capture(path)
    frames, together, chosen = _chosen(capture, interface)
    collector, left_out = _Collector(), 0
    for frame in frames:
        packet = segment(frame)
        if packet is None:
            left_out += 1
        else:
            collector.add(frame, packet, together)
    if not collector.packets:
        raise UnreadableError("no TCP segment and no UDP datagram in it")
    rows = pd.DataFrame({name: np.frombuffer(each, each.typecode) for name, each in collector.columns.items()})
    return Sightings(rows, collector.ends, collector.is_tcp, chosen, left_out)


def _chosen(capture: Capture, interface: str | None) -> tuple[Iterable[Frame], bool, list[str]]:
    """The frames to look at, whether their points are seen together, and the names of the points."""
    counts = _counts(capture)
    names = [each.name for each in capture.interfaces]
    if interface is None and tuple(names) == POINTS:
        return capture, True, names
    place = max(counts, key=counts.__getitem__) if interface is None else _place(interface, names)
    return (frame for frame in capture if frame.interface == place), False, [names[place]]


def _counts(capture: Capture) -> dict[int, int]:
    """Frames by interface: a pass over the whole file, which finds damage before anything else is done."""
    counts: dict[int, int] = {}
    for frame in capture:
        counts[frame.interface] = counts.get(frame.interface, 0) + 1
    if not counts:
        raise UnreadableError("no packet in it")
    return counts


def _place(interface: str, names: list[str]) -> int:
    if interface in names:
        return names.index(interface)
    if interface.isdecimal() and int(interface) < len(names):
        return int(interface)
    known = ", ".join(f"{place} {name}".strip() for place, name in enumerate(names))
    raise UnreadableError(f"interface {interface!r} is not in it; there are {known}")
