"""Captures of runs: tshark finds in them what the run says of itself, and dpkt reads what was written."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from dpkt import pcapng
from dpkt.ethernet import Ethernet

from simcore import metrics, scenario_from, simulate
from workbook.chapters.chapter import Chapter
from workbook.export.capture import POINTS, NotInCaptureError, write_capture
from workbook.paths import REPO

SENDER, BEFORE, BEHIND, RECEIVER = range(len(POINTS))
with_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
TUTORIALS = [
    (chapter, case)
    for chapter in ("two-tcp", "tcp-udp")
    for case in Chapter.load(REPO.params / f"{chapter}.yaml").cases
]
LONGEST_S = 5.0  # of a case: the first losses come within a second
TCP = {"kind": "tcp", "variant": "reno", "packet_bytes": 500, "window_packets": 20, "start_s": 0, "stop_s": 2}
UDP = {"kind": "udp", "source": "cbr", "packet_bytes": 300, "rate_mbps": 0.3, "start_s": 0, "stop_s": 2}
LINK = {"rate_mbps": 1, "delay_ms": 10, "queue": "droptail", "buffer_packets": 6}


def run_of(*flows: dict[str, object], profile: str = "ns-2.35", **link: object) -> xr.Dataset:
    mapping = {"profile": profile, "end_s": 2, "bottleneck": LINK | link, "flows": list(flows)}
    return simulate(scenario_from(mapping), "compiled")


def blocks(ds: xr.Dataset, folder: Path) -> list[pcapng.EnhancedPacketBlock]:
    """The packets of the file, as they lie in it."""
    write_capture(ds, folder / "run.pcapng")
    content, found = (folder / "run.pcapng").read_bytes(), []
    while content:
        kind, length = (int.from_bytes(content[i : i + 4], "little") for i in (0, 4))
        if kind == pcapng.PCAPNG_BT_EPB:
            found.append(pcapng.EnhancedPacketBlockLE(content[:length]))
        content = content[length:]
    return found


def counted(capture: Path, what: str) -> int:
    """How many packets tshark has a filter for."""
    done = subprocess.run(["tshark", "-r", capture, "-Y", what], capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


def analysed(capture: Path) -> dict[str, int]:
    """What tshark's analysis of TCP finds, and how often."""
    names = ("retransmission", "duplicate_ack", "out_of_order", "lost_segment", "ack_lost_segment")
    fields = [part for name in names for part in ("-e", f"tcp.analysis.{name}")]
    done = subprocess.run(
        ["tshark", "-r", capture, "-T", "fields", *fields], capture_output=True, text=True, check=True
    )  # fmt: skip
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: sum(bool(row[i]) for row in rows) for i, name in enumerate(names)}


def cut_out(ds: xr.Dataset, point: int, folder: Path) -> Path:
    """What was captured at one point, as tshark takes it out of the whole."""
    write_capture(ds, folder / "run.pcapng")
    one = folder / "one.pcapng"
    subprocess.run(
        ["tshark", "-r", folder / "run.pcapng", "-Y", f"frame.interface_id=={point}", "-w", one],
        check=True, capture_output=True,
    )  # fmt: skip
    return one


@with_tshark
@pytest.mark.parametrize(("chapter", "case"), TUTORIALS)
def test_tshark_finds_the_retransmissions_of_the_run_and_its_fast_ones(chapter: str, case: str, tmp_path: Path) -> None:
    scenario = Chapter.load(REPO.params / f"{chapter}.yaml").scenario(case)
    ds = simulate(scenario.model_copy(update={"end_s": min(scenario.end_s, LONGEST_S)}), "compiled")
    found = analysed(cut_out(ds, SENDER, tmp_path))
    assert found["retransmission"] == int(ds["retransmitted"].sum())
    assert found["duplicate_ack"] == sum(duplicate_acks(ds, int(flow)) for flow in ds["flow"])
    assert found["out_of_order"] == found["lost_segment"] == found["ack_lost_segment"] == 0


def duplicate_acks(ds: xr.Dataset, flow: int) -> int:
    """ACKs that say what the one before said, as they come to the sender."""
    came = ds["ack_arrived_s"].values
    numbers = ds["ack_number"].values[(ds["ack_flow"].values == flow) & ~np.isnan(came)]
    return int((np.diff(numbers) == 0).sum())


@with_tshark
def test_checksums_hold_and_drops_have_a_comment(tmp_path: Path) -> None:
    ds = run_of(TCP, UDP)
    write_capture(ds, tmp_path / "run.pcapng")
    assert counted(tmp_path / "run.pcapng", "ip.checksum.status == 0 or _ws.malformed") == 0
    assert counted(tmp_path / "run.pcapng", "frame.comment") == int(ds["dropped"].sum()) > 0


def test_each_packet_is_seen_where_it_came_and_when(tmp_path: Path) -> None:
    ds = run_of(TCP, UDP)
    found = blocks(ds, tmp_path)
    seen = [sum(block.iface_id == point for block in found) for point in range(len(POINTS))]
    columns = {
        SENDER: ("packet_sent_s", "ack_arrived_s"), BEFORE: ("packet_enqueued_s", "ack_received_s"),
        BEHIND: ("packet_received_s", "ack_enqueued_s"), RECEIVER: ("packet_arrived_s", "ack_sent_s"),
    }  # fmt: skip
    assert seen == [sum(int(ds[name].notnull().sum()) for name in names) for names in columns.values()]
    times = [block.ts_high << 32 | block.ts_low for block in found]
    assert times == sorted(times)
    first = next(block for block in found if block.iface_id == RECEIVER)
    assert first.ts_low == round(1e6 * float(min(ds["packet_arrived_s"].min(), ds["ack_sent_s"].min())))


def test_a_frame_is_as_long_as_its_packet_and_only_its_headers_are_kept(tmp_path: Path) -> None:
    ds = run_of(UDP)
    [block, *_] = blocks(ds, tmp_path)
    assert (block.caplen, block.pkt_len) == (54, 14 + 300)
    packet = Ethernet(block.pkt_data).data
    assert (packet.len, packet.data.ulen, packet.data.dport) == (300, 280, 9)


def test_sequence_numbers_count_bytes_and_an_ack_names_the_next_one(tmp_path: Path) -> None:
    ds = run_of(TCP, profile="ns-2.27")
    at_sender = [Ethernet(block.pkt_data).data.data for block in blocks(ds, tmp_path) if block.iface_id == SENDER]
    syn, answer, first, second = at_sender[:4]
    assert (syn.flags, answer.flags, first.flags) == (0x02, 0x12, 0x10)
    assert answer.ack == first.seq == syn.seq + 1
    assert second.seq == first.seq + 500


def test_a_marked_packet_is_capable_before_the_queue_and_marked_behind_it(tmp_path: Path) -> None:
    ds = run_of(TCP | {"ecn": True}, queue="red", marks=True, min_threshold_packets=1, max_threshold_packets=5)
    marked = {uid & 0xFFFF for uid in ds["packet_uid"].values[ds["packet_marked"].values]}
    bits: dict[int, set[int]] = {point: set() for point in range(len(POINTS))}
    for block in blocks(ds, tmp_path):
        packet = Ethernet(block.pkt_data).data
        if packet.id in marked and packet.src[1] == 1:
            bits[block.iface_id].add(packet.tos)
    assert marked
    assert bits == {SENDER: {2}, BEFORE: {2}, BEHIND: {3}, RECEIVER: {3}}


def test_packets_without_room_for_headers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotInCaptureError, match=r"^flow 2: packets of 20 bytes hold no headers; udp needs 28$"):
        write_capture(run_of(TCP, UDP | {"packet_bytes": 20}), tmp_path / "run.pcapng")


def test_the_flight_size_never_falls_below_what_a_capture_shows(tmp_path: Path) -> None:
    """Bytes sent and not acknowledged, counted from the headers alone, are the metric's packets."""
    ds = run_of(TCP, profile="ns-2.27")
    highest, acked, most = 0, 0, 0
    for block in blocks(ds, tmp_path):
        packet = Ethernet(block.pkt_data).data
        if block.iface_id != SENDER:
            continue
        if packet.src[1] == 1:
            highest = max(highest, packet.data.seq + packet.len - 40)
        else:
            acked = max(acked, packet.data.ack)
        most = max(most, highest - acked) if acked else 0
    assert most == 500 * int(metrics.flight_size_packets(ds, 1).max())


def test_a_flow_of_which_nothing_arrived_is_written_too(tmp_path: Path) -> None:
    ds = run_of(TCP, TCP | {"lost_packets": [1, 2, 3]})
    assert ds["ack_flow"].values.tolist().count(2) == 0
    assert any(block.iface_id == BEFORE for block in blocks(ds, tmp_path))
