"""Captures of many runs in one file, so that tshark is started once; and what it says of each connection."""

import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import xarray as xr
from dpkt import pcap
from dpkt.ethernet import Ethernet

from workbook.export.capture import write_capture
from workbook.reading.frames import Capture

FIELDS = ("retransmission", "out_of_order", "duplicate_ack")
SENDER = 0


def analysed(runs: Iterable[xr.Dataset], folder: Path) -> dict[tuple[int, int], dict[str, int]]:
    """What tshark's analysis of TCP counts, as seen at the senders: by run and flow."""
    with (folder / "all.pcap").open("wb") as file:
        writer = pcap.Writer(file)
        for number, run in enumerate(runs):
            write_capture(run, folder / "run.pcapng")
            for frame in Capture(folder / "run.pcapng"):
                if frame.interface == SENDER:
                    writer.writepkt(_of_run(frame.kept.ljust(frame.length, b"\0"), number), frame.ns / 1e9)
    names = ["ip.src", "ip.dst", *(f"tcp.analysis.{name}" for name in FIELDS)]
    fields = [part for name in names for part in ("-e", name)]
    command = ["tshark", "-r", str(folder / "all.pcap"), "-Y", "tcp", "-T", "fields", *fields]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    counts: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: dict.fromkeys(("sent", *FIELDS), 0))
    for line in done.stdout.splitlines():
        source, _, *said = line.split("\t")
        run_number, side, _, flow = map(int, source.split("."))
        own = counts[run_number, flow]
        own["sent"] += side == 1
        for name, value in zip(FIELDS, said, strict=True):
            own[name] += value != ""
    return counts


def _of_run(frame: bytes, number: int) -> bytes:
    """The frame with an address that tells the run: its connections are then nobody else's."""
    packet = Ethernet(frame)
    packet.data.src, packet.data.dst = (bytes([number]) + end[1:] for end in (packet.data.src, packet.data.dst))
    return bytes(packet)
