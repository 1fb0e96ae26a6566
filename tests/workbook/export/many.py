"""Captures of many runs in one file, so that tshark is started once; and what it says of each connection."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import xarray as xr
from dpkt import pcap

from workbook.export.capture import Flow, Frames, sightings

FIELDS: Final = ("retransmission", "fast_retransmission", "out_of_order", "duplicate_ack")
SENDER: Final = 0
ADDRESSES: Final = (14 + 12, 14 + 16)  # behind the Ethernet header the first bytes of IP's source and destination
CONVERSATION: Final = re.compile(
    r"(?P<run>\d+)\.1\.\d+\.(?P<flow>\d+):\d+ +<-> [\d.:]+ +(?P<back>\d+) (?P<back_bytes>\d+ \w+) +(?P<there>\d+) "
    r"(?P<there_bytes>\d+ \w+) +(?P<all>\d+) \d+ \w+ +(?P<start>[-\d.]+) +(?P<seconds>[\d.]+)"
)  # the table of `-z conv,tcp`: frames and bytes back and there, both, the start, and how long it took
Found = dict[str, Any]


def analysed(runs: Iterable[xr.Dataset], folder: Path) -> dict[tuple[int, int], Found]:
    """What tshark's analysis of TCP counts at the senders, and its table of conversations: by run and flow."""
    with (folder / "all.pcap").open("wb") as file:
        writer = pcap.Writer(file, nano=True)
        for number, run in enumerate(runs):
            _write(writer, run, number)
    names = ["ip.src", *(f"tcp.analysis.{name}" for name in ("initial_rtt", *FIELDS))]
    fields = [part for name in names for part in ("-e", name)]
    command = ["tshark", "-r", str(folder / "all.pcap"), "-z", "conv,tcp", "-Y", "tcp", "-T", "fields", *fields]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    counts: dict[tuple[int, int], Found] = defaultdict(lambda: dict.fromkeys(("handshake_s", *FIELDS), 0))
    for line in done.stdout.splitlines():
        if "\t" in line:
            source, handshake_s, *said = line.split("\t")
            run_number, _, _, flow = map(int, source.split("."))
            own = counts[run_number, flow]
            own["handshake_s"] = handshake_s or own["handshake_s"]
            for name, value in zip(FIELDS, said, strict=True):
                own[name] += value != ""
        elif row := CONVERSATION.match(line):
            counts[int(row["run"]), int(row["flow"])] |= row.groupdict()
    return counts


def _write(writer: pcap.Writer, run: xr.Dataset, number: int) -> None:
    """The frames of TCP as the senders see them, with addresses that tell the run: nobody else has its connections."""
    frames = Frames(run, {int(flow): Flow(run, int(flow)) for flow in run["flow"].values})
    for seen in sightings(run):
        if seen.point == SENDER:
            frame = bytearray(frames.at(seen))
            for address in ADDRESSES:
                frame[address] = number  # the checksum is then wrong, which tshark does not look at
            writer.writepkt(bytes(frame), seen.time_s)
