"""A run's packets as a capture in pcapng, for Wireshark and its like.

There is an interface for each point where somebody could have captured: at the sender, before and behind the
bottleneck, and at the receiver. Addresses, ports and initial sequence numbers are made up: flow n goes from 10.1.n to
10.2.n. Payload is zeros, and only headers are kept, as with a snap length. SACK blocks and ECN's bits are those of the
run (`workbook.export.answers`). An ACK with blocks is four bytes longer than the model's, which leaves out the option's
kind, length and padding; a SYN has no options, so that it is as long as the model's.
"""

import struct
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from dpkt import pcapng
from dpkt.ethernet import ETH_TYPE_IP, Ethernet
from dpkt.ip import IP, IP_PROTO_TCP, IP_PROTO_UDP
from dpkt.tcp import TCP, TH_ACK, TH_CWR, TH_ECE, TH_SYN
from dpkt.udp import UDP

from simcore.metrics.series import Array
from simcore.network.states import segment_bytes
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario
from workbook.export.answers import Answer, answers, reductions, uses_ecn

POINTS: Final = ("sender", "before the bottleneck", "behind the bottleneck", "receiver")
HOPS: Final = ("sent_s", "enqueued_s", "received_s", "arrived_s")  # when a packet came to each point of its way
WAYS: Final = {"packet": (0, 1, 2, 3), "ack": (3, 2, 1, 0)}  # the points, in the order in which packets come to them
AT_THE_QUEUE: Final = 1  # the hop at which a packet is dropped
BEHIND: Final = 2  # from this point on data carry the bottleneck's mark
KEPT_BYTES: Final = 14 + 20 + 20  # of a frame: the headers of Ethernet, IP and TCP; TCP's options are kept beside them
TCP_OFFSET: Final = 14 + 20 + 12  # where a frame says how long TCP's header is
SACK_KIND: Final = b"\1\1\5"  # two bytes of padding, and the option (RFC 2018, section 3)
HEADER_BYTES: Final = {"tcp": 40, "udp": 28}
PORTS: Final = {"tcp": 5001, "udp": 9}
CLIENT_PORT: Final = 40000
CAPABLE, MARKED = 0b10, 0b11  # RFC 3168, section 5: ECT(0) and CE
WIDEST_WINDOW: Final = 65535


class NotInCaptureError(ValueError):
    """Packets that are too short for the headers of real ones, or have options that are not written."""


def check(scenario: Scenario) -> None:
    """Raise NotInCaptureError if a run of the scenario could not be written: said before it is simulated."""
    for number, flow in enumerate(scenario.flows, start=1):
        if isinstance(flow, TcpFlow) and flow.options:
            raise NotInCaptureError(f"flow {number}: options: {', '.join(flow.options)} are not written yet")
        sizes = segment_bytes(flow, scenario.profile) if isinstance(flow, TcpFlow) else (flow.packet_bytes,)
        _check_size(number, flow.kind, min(sizes))


def _check_size(number: int, kind: str, smallest: int) -> None:
    if smallest < HEADER_BYTES[kind]:
        raise NotInCaptureError(
            f"flow {number}: packets of {smallest} bytes hold no headers; {kind} needs {HEADER_BYTES[kind]}"
        )


class Flow:
    """What the headers of one flow's packets need."""

    def __init__(self, ds: xr.Dataset, number: int) -> None:
        self.number = number
        self.kind = str(ds["flow_kind"].sel(flow=number).item())
        rows = ds["packet_flow"].values == number
        self.seq, self.sizes = ds["packet_seq"].values[rows], ds["packet_bytes"].values[rows]
        _check_size(number, self.kind, int(self.sizes.min(initial=HEADER_BYTES[self.kind])))
        self.first_number = 1000 * number  # initial sequence numbers, the receiver's beside the sender's
        self.uses_ecn = uses_ecn(ds, number)
        self.reductions = reductions(ds, number)
        self.answers = answers(ds, number)

    @cached_property
    def payload(self) -> Array:
        """Bytes of payload by sequence number."""
        by_number = np.zeros(int(self.seq.max(initial=0)) + 2, np.int64)
        by_number[self.seq] = self.sizes - HEADER_BYTES[self.kind]
        return by_number

    @cached_property
    def begins(self) -> Array:
        """The number of each segment's first byte; a SYN takes one number (RFC 9293, section 3.4)."""
        return self.first_number + int(self.has_syn) + np.concatenate([[0], np.cumsum(self.payload)])

    @cached_property
    def has_syn(self) -> bool:
        """Is segment 0 a SYN? Where a profile has none, it carries data."""
        return self.kind == "tcp" and self.payload[0] == 0

    def data(self, seq: int, size: int, tells_of_cut: bool) -> TCP | UDP:
        """A data packet, without the IP header."""
        nothing = bytes(size - HEADER_BYTES[self.kind])
        if self.kind == "udp":
            return UDP(sport=PORTS["udp"], dport=PORTS["udp"], data=nothing, ulen=8 + len(nothing))
        is_syn = self.has_syn and seq == 0
        number = self.first_number if is_syn else int(self.begins[seq])
        flags = TH_SYN | (TH_ECE | TH_CWR) * self.uses_ecn if is_syn else TH_ACK | TH_CWR * tells_of_cut
        expected = 0 if is_syn else self.first_number + 1
        return TCP(
            sport=CLIENT_PORT, dport=PORTS["tcp"], seq=number, ack=expected, flags=flags, win=WIDEST_WINDOW,
            data=nothing,
        )  # fmt: skip

    def ack(self, number: int, row: int, is_first: bool) -> TCP:
        """An ACK; the first one answers the SYN."""
        answers_syn = self.has_syn and number == 0 and is_first
        answer = self.answers.get(row, Answer())
        edges = [int(self.begins[edge]) for block in answer.blocks for edge in block]
        option = SACK_KIND + struct.pack(f">B{len(edges)}I", 2 + 4 * len(edges), *edges) if edges else b""
        return TCP(
            sport=PORTS["tcp"], dport=CLIENT_PORT, seq=self.first_number + (not answers_syn),
            ack=int(self.begins[number + 1]), flags=TH_ACK | TH_SYN * answers_syn | TH_ECE * answer.echoes,
            win=WIDEST_WINDOW, opts=option, off=5 + len(option) // 4,
        )  # fmt: skip

    def frame(self, content: TCP | UDP, uid: int, is_ack: bool, ecn: int) -> bytes:
        """The whole frame, with its checksums."""
        ends = [bytes((10, side, *divmod(self.number, 256))) for side in (1, 2)]
        source, destination = reversed(ends) if is_ack else ends
        protocol = IP_PROTO_TCP if self.kind == "tcp" else IP_PROTO_UDP
        packet = IP(src=source, dst=destination, p=protocol, id=uid & 0xFFFF, tos=ecn, ttl=64, df=1, data=content)
        packet.len = len(packet)
        macs = [b"\x02\x00" + end for end in (source, destination)]
        return bytes(Ethernet(src=macs[0], dst=macs[1], type=ETH_TYPE_IP, data=packet))


class Sighting(NamedTuple):
    """A packet at a point; `row` is its place in the table of data packets, or of ACKs."""

    time_s: float
    uid: int
    hop: int
    point: int
    row: int
    is_ack: bool
    is_dropped: bool


def write_capture(ds: xr.Dataset, path: Path) -> None:
    """Write all packets of a run, at all points where they came.

    Raises
    ------
    NotInCaptureError
        If the packets of a flow are too short for the headers of IP and TCP or UDP.
    OSError
        If the file can't be written.
    """
    flows = {int(number): Flow(ds, int(number)) for number in ds["flow"].values}
    interfaces = [_interface(point) for point in POINTS]
    with path.open("wb") as file:
        writer = pcapng.Writer(file, idb=interfaces)
        frames = Frames(ds, flows)
        for seen in sightings(ds):
            writer.writepkt(_block(frames.at(seen), seen), seen.time_s)


def _interface(name: str) -> pcapng.InterfaceDescriptionBlockLE:
    options = [pcapng.PcapngOptionLE(code=pcapng.PCAPNG_OPT_IF_NAME, data=name.encode()), pcapng.PcapngOptionLE()]
    return pcapng.InterfaceDescriptionBlockLE(snaplen=WIDEST_WINDOW, linktype=1, opts=options)


class Truncated(pcapng.EnhancedPacketBlockLE):  # type: ignore[misc]  # dpkt has no types
    """A block that tells how long the frame was of which it holds the beginning; dpkt's own takes both for one."""

    LENGTH: Final = slice(24, 28)  # pcapng, section 4.3: the original packet length

    def __bytes__(self) -> bytes:
        block = bytearray(super().__bytes__())
        block[self.LENGTH] = self.whole_bytes.to_bytes(4, "little")
        return bytes(block)


def _block(frame: bytes, seen: Sighting) -> Truncated:
    options = 4 * (frame[TCP_OFFSET] >> 4) - 20 if seen.is_ack else 0
    kept = frame[: KEPT_BYTES + options]
    comment = pcapng.PcapngOptionLE(code=pcapng.PCAPNG_OPT_COMMENT, text="dropped by the queue")
    opts = [comment, pcapng.PcapngOptionLE()] if seen.is_dropped else []
    block = Truncated(iface_id=seen.point, pkt_data=kept, opts=opts)
    block.whole_bytes = len(frame)
    return block


class Frames:
    """The frames of a run, each made once."""

    def __init__(self, ds: xr.Dataset, flows: dict[int, Flow]) -> None:
        self.flows = flows
        self.packets = _rows(ds, "packet", ("flow", "seq", "bytes", "marked"))
        self.acks = _rows(ds, "ack", ("flow", "number", "uid"))
        self.first_acks = {flow: uid for flow, _, uid in reversed(self.acks)}
        self.made: dict[tuple[int, int], bytes] = {}

    def at(self, seen: Sighting) -> bytes:
        """The frame as it looks at a point."""
        looks = seen.uid, 0 if seen.is_ack else self._ecn(seen)
        if looks not in self.made:
            self.made[looks] = self._frame(seen, looks[1])
        return self.made[looks]

    def _ecn(self, seen: Sighting) -> int:
        flow, seq, _, marked = self.packets[seen.row]
        if not self.flows[flow].uses_ecn or seq == 0:
            return 0
        return MARKED if marked and seen.point >= BEHIND else CAPABLE

    def _frame(self, seen: Sighting, ecn: int) -> bytes:
        if seen.is_ack:
            flow, number, uid = self.acks[seen.row]
            content = self.flows[flow].ack(number, seen.row, self.first_acks[flow] == uid)
        else:
            flow, seq, size, _ = self.packets[seen.row]
            content = self.flows[flow].data(seq, size, seen.row in self.flows[flow].reductions)
        return self.flows[flow].frame(content, seen.uid, seen.is_ack, ecn)


def _rows(ds: xr.Dataset, table: str, names: Sequence[str]) -> list[tuple[int, ...]]:
    return list(zip(*(ds[f"{table}_{name}"].values.tolist() for name in names), strict=True))


def sightings(ds: xr.Dataset) -> Iterator[Sighting]:
    """Every packet at every point, in order of time; at one instant in order of creation and of the way."""
    seen = pd.concat(
        [
            _passages(ds, table, f"{table}_{HOPS[hop]}", hop, point)
            for table, points in WAYS.items()
            for hop, point in enumerate(points)
        ]
    ).sort_values(["time_s", "uid", "hop"])
    return map(Sighting._make, seen.itertuples(index=False))


def _passages(ds: xr.Dataset, table: str, time: str, hop: int, point: int) -> pd.DataFrame:
    """Those of a table that came to a point."""
    came = np.flatnonzero(~np.isnan(ds[time].values))
    dropped = ds[f"{table}_dropped"].values[came] & (hop == AT_THE_QUEUE)
    return pd.DataFrame(
        {
            "time_s": ds[time].values[came], "uid": ds[f"{table}_uid"].values[came], "hop": hop, "point": point,
            "row": came, "is_ack": table == "ack", "is_dropped": dropped,
        }
    )  # fmt: skip
