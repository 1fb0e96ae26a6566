"""Captures read: what we write, what tshark sees in it, and packets as real networks have them."""

import gzip
import random
import shutil
import struct
import subprocess
import tracemalloc
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from dpkt.ethernet import ETH_TYPE_8021Q, ETH_TYPE_IP, ETH_TYPE_IP6, Ethernet
from dpkt.ip import IP, IP_PROTO_TCP
from dpkt.ip6 import IP6
from dpkt.tcp import TCP, TH_ACK, TH_SYN

from simcore import metrics, simulate
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow
from workbook.chapters.chapter import Chapter
from workbook.export.capture import write_capture
from workbook.paths import REPO
from workbook.reading.capture import read_capture
from workbook.reading.events import UnreadableError

with_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
A, B = b"\x0a\0\0\1", b"\x0a\0\0\2"
EPOCH = 1_700_000_000
TRIES = 60  # of damage


@pytest.fixture(scope="module")
def run() -> xr.Dataset:
    return simulate(Chapter.load(REPO.params / "two-tcp.yaml").scenario("buffer-5"), "compiled")


@pytest.fixture(scope="module")
def ours(run: xr.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ours") / "run.pcapng"
    write_capture(run, path)
    return path


def data(seq: int, size: int = 100, *, ack: int = 1, options: bytes = b"", flags: int = TH_ACK) -> TCP:
    """From A to B."""
    return TCP(
        sport=1000,
        dport=80,
        seq=seq % 2**32,
        ack=ack,
        flags=flags,
        win=500,
        opts=options,
        off=5 + len(options) // 4,
        data=bytes(size),
    )


def answer(ack: int, *, options: bytes = b"", flags: int = TH_ACK, size: int = 0) -> TCP:
    """From B to A."""
    return TCP(
        sport=80,
        dport=1000,
        seq=1,
        ack=ack % 2**32,
        flags=flags,
        win=500,
        opts=options,
        off=5 + len(options) // 4,
        data=bytes(size),
    )


def frame(segment: TCP, *, tos: int = 0) -> bytes:
    source, destination = (A, B) if segment.sport == 1000 else (B, A)
    packet = IP(src=source, dst=destination, p=IP_PROTO_TCP, tos=tos, data=segment)
    packet.len = len(packet)
    return bytes(Ethernet(src=b"\2" * 6, dst=b"\4" * 6, type=ETH_TYPE_IP, data=packet))


def wide(segment: TCP, source: bytes, destination: bytes) -> bytes:
    """A frame of IPv6."""
    packet = IP6(src=source * 4, dst=destination * 4, nxt=IP_PROTO_TCP, plen=len(segment), data=segment)
    return bytes(Ethernet(src=b"\2" * 6, dst=b"\4" * 6, type=ETH_TYPE_IP6, data=packet))


def written(
    path: Path, frames: Iterable[bytes], *, magic: bytes = b"\xd4\xc3\xb2\xa1", kept: int = 10**6, link: int = 1
) -> Path:
    """A pcap file with a frame each 10 ms."""
    order = "<" if magic[0] in (0xD4, 0x4D) else ">"
    ticks = 1e9 if 0x3C in magic else 1e6
    content = magic + struct.pack(f"{order}HHIIII", 2, 4, 0, 0, kept, link)
    for number, each in enumerate(frames):
        cut = each[:kept]
        content += struct.pack(f"{order}IIII", EPOCH, round(number * 0.01 * ticks), len(cut), len(each)) + cut
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("case", ["baseline", "buffer-5"])
def test_a_run_that_was_written_is_read_back(case: str, tmp_path: Path) -> None:
    run = simulate(Chapter.load(REPO.params / "tcp-udp.yaml").scenario(case), "compiled")
    write_capture(run, tmp_path / "run.pcapng")
    read = read_capture(tmp_path / "run.pcapng")
    columns = ["packet_flow", "packet_bytes", "packet_dropped", "packet_retransmission", "ack_flow", "ack_number"]
    for name in columns:
        assert np.array_equal(read[name], run[name]), name
    for name in ("sent_s", "enqueued_s", "received_s", "arrived_s"):
        for table in ("packet", "ack"):
            assert np.allclose(read[f"{table}_{name}"], run[f"{table}_{name}"], atol=0.6e-6, rtol=0, equal_nan=True)
    for name in ("sent", "dropped", "received", "received_bytes", "retransmitted", "acknowledged", "in_flight"):
        assert read[name].equals(run[name]), name


def test_at_the_sender_it_tells_what_the_sender_could_know(run: xr.Dataset, ours: Path) -> None:
    read = read_capture(ours, "sender")
    for flow in (1, 2):
        for metric in (metrics.rtt_ms, metrics.flight_size_packets):
            assert np.allclose(metric(read, flow), metric(run, flow), atol=2e-3)
    assert read["sent"].equals(run["sent"])
    assert read["retransmitted"].equals(run["retransmitted"])
    absent = {"received", "dropped", "packet_arrived_s", "packet_dropped", "update_s", "change_s", "marked"}
    assert absent.isdisjoint(read.variables)


def test_at_the_receiver_it_tells_what_came(run: xr.Dataset, ours: Path) -> None:
    read = read_capture(ours, "receiver")
    assert read["received"].equals(run["received"])
    assert {"sent", "dropped", "acknowledged", "packet_sent_s", "ack_arrived_s"}.isdisjoint(read.variables)


def analysed(path: Path) -> pd.DataFrame:
    """What tshark says of each TCP segment."""
    names = [
        "tcp.stream",
        "tcp.srcport",
        "tcp.ack_raw",
        "tcp.analysis.retransmission",
        "tcp.analysis.duplicate_ack",
        "tcp.analysis.ack_rtt",
    ]
    fields = [part for name in names for part in ("-e", name)]
    done = subprocess.run(["tshark", "-r", path, "-T", "fields", *fields], capture_output=True, text=True, check=True)
    return pd.DataFrame([line.split("\t") for line in done.stdout.splitlines()], columns=names)


@with_tshark
def test_tshark_finds_the_same(ours: Path, tmp_path: Path) -> None:
    alone = tmp_path / "sender.pcapng"
    subprocess.run(["tshark", "-r", ours, "-Y", "frame.interface_id==0", "-w", alone], check=True, capture_output=True)
    theirs, read = analysed(alone), read_capture(ours, "sender")
    for flow in (1, 2):
        own = theirs[theirs["tcp.stream"] == str(flow - 1)]
        assert int(read["retransmitted"].sel(flow=flow)) == (own["tcp.analysis.retransmission"] != "").sum() > 0
        assert int(read["duplicate_acks"].sel(flow=flow)) == (own["tcp.analysis.duplicate_ack"] != "").sum() > 0
        rtt = own["tcp.analysis.ack_rtt"][(own["tcp.srcport"] == "5001") & (own["tcp.analysis.ack_rtt"] != "")]
        ms = 1e3 * rtt.astype(float)
        ours_ms = metrics.rtt_ms(read, flow)
        # tshark takes one sample for each ACK, of the last segment that it covers; we take one for each segment.
        last = ours_ms.values[np.append(np.diff(ours_ms["time_s"]) > 0, True)]
        assert len(last) > 100
        assert np.isin(np.round(last, 3), np.round(ms, 3)).all()


def test_sequence_numbers_wrap_and_a_syn_is_segment_zero(tmp_path: Path) -> None:
    begin = 2**32 - 151
    frames = [
        data(begin, 0, flags=TH_SYN),
        answer(begin + 1, flags=TH_ACK | TH_SYN),
        data(begin + 1, 0),
        *(data(begin + 1 + 100 * i) for i in range(4)),
        answer(begin + 201),
        answer(begin + 401),
    ]
    read = read_capture(written(tmp_path / "wrap.pcap", map(frame, frames)), at="sender")
    assert read["packet_seq"].values.tolist() == [0, 1, 2, 3, 4]
    assert read["ack_number"].values.tolist() == [0, 2, 4]
    assert read["acknowledged_bytes"].item() == 400
    assert metrics.flight_size_packets(read, 1).values.tolist()[-3:] == [4, 2, 0]


def test_a_retransmission_of_other_size_is_one_and_gives_no_sample(tmp_path: Path) -> None:
    frames = [data(1, 3000), data(3001, 1000), data(1001, 1000), answer(4001)]
    read = read_capture(written(tmp_path / "tso.pcap", map(frame, frames)))
    assert read["packet_retransmission"].values.tolist() == [False, False, True]
    assert read["packet_payload_bytes"].values.tolist() == [3000, 1000, 1000]
    assert int(read["acknowledged"].item()) == 2


def test_a_segment_that_the_card_is_to_cut_says_no_length(tmp_path: Path) -> None:
    frames = [bytearray(frame(each)) for each in (data(1, 60000), data(60001, 60000), answer(120001))]
    for each in frames[:2]:
        each[16:18] = bytes(2)  # IP's total length
    read = read_capture(written(tmp_path / "tso.pcap", map(bytes, frames)))
    assert read["packet_payload_bytes"].values.tolist() == [60000, 60000]
    assert read["acknowledged_bytes"].item() == 120000


def test_an_ack_of_a_part_does_not_cover_the_segment(tmp_path: Path) -> None:
    frames = [data(1, 3000), answer(1501), answer(3001)]
    read = read_capture(written(tmp_path / "part.pcap", map(frame, frames)))
    assert read["ack_number"].values.tolist() == [-1, 0]


def test_duplicate_acks_are_those_of_rfc_5681(tmp_path: Path) -> None:
    frames = [data(1), data(101), answer(101), answer(101), answer(101, size=10), answer(201), answer(201)]
    read = read_capture(written(tmp_path / "dup.pcap", map(frame, frames)), at="sender")
    assert read["ack_duplicate"].values.tolist() == [False, True, False, False, False], "data, or nothing outstanding"


def stamps(value: int, echo: int) -> bytes:
    return b"\1\1\10\12" + struct.pack(">II", value, echo)


def test_timestamps_give_samples_of_retransmissions_too(tmp_path: Path) -> None:
    frames = [data(1, options=stamps(10, 0)), data(1, options=stamps(20, 0)), answer(101, options=stamps(7, 20))]
    read = read_capture(written(tmp_path / "stamps.pcap", map(frame, frames)))
    assert read["sample_rtt_s"].values == pytest.approx([0.01])
    assert metrics.rtt_ms(read, 1).size == 0, "Karn"


def test_sack_blocks_and_ecn_are_told(tmp_path: Path) -> None:
    sack = b"\1\1\5\12" + struct.pack(">II", 201, 401)
    frames = [frame(data(1)), frame(data(201, 200), tos=3), frame(answer(1, options=sack, flags=TH_ACK | 0x40))]
    read = read_capture(written(tmp_path / "sack.pcap", frames), at="receiver")
    assert read["ack_sacked_bytes"].values.tolist() == [200]
    assert read["ack_echo"].values.tolist() == [True]
    assert read["packet_marked"].values.tolist() == [False, True]
    assert read["packet_ecn"].values.tolist() == [0, 3]


@pytest.mark.parametrize("magic", ["d4c3b2a1", "a1b2c3d4", "4d3cb2a1", "a1b23c4d"])
def test_times_are_read_in_any_order_of_bytes_and_to_the_nanosecond(magic: str, tmp_path: Path) -> None:
    frames = [frame(data(1)), frame(answer(101))]
    read = read_capture(written(tmp_path / "run.pcap", frames, magic=bytes.fromhex(magic)))
    assert metrics.rtt_ms(read, 1).values == pytest.approx([10])
    assert read.attrs["begins_at"] == "2023-11-14T22:13:20+00:00"


def test_headers_are_found_behind_a_tag_in_ipv6_and_without_ethernet(tmp_path: Path) -> None:
    plain = [frame(data(1)), frame(answer(101))]
    tagged = [each[:12] + ETH_TYPE_8021Q.to_bytes(2) + b"\0\7" + each[12:] for each in plain]
    six = [wide(data(1), A, B), wide(answer(101), B, A)]
    for number, (frames, link) in enumerate([(plain, 1), (tagged, 1), (six, 1), ([each[14:] for each in plain], 101)]):
        read = read_capture(written(tmp_path / f"{number}.pcap", frames, link=link))
        assert (read["sent"].item(), read["acknowledged_bytes"].item()) == (1, 100)
    assert read_capture(tmp_path / "2.pcap")["flow_source"].item() == "[a00:1:a00:1:a00:1:a00:1]:1000"


def test_a_short_snap_length_keeps_the_sizes_and_what_is_shorter_is_counted(tmp_path: Path) -> None:
    frames = [frame(data(1 + 100 * i, options=stamps(i, 0))) for i in range(5)]
    read = read_capture(written(tmp_path / "short.pcap", frames, kept=60))
    assert read["packet_payload_bytes"].values.tolist() == [100] * 5
    assert read.attrs["packets_left_out"] == 0
    with pytest.raises(UnreadableError, match=r"^no TCP segment and no UDP datagram in it$"):
        read_capture(written(tmp_path / "shorter.pcap", frames, kept=53))


def test_a_connection_that_uses_the_ports_again_is_another_flow(tmp_path: Path) -> None:
    first = [data(10, 0, flags=TH_SYN), data(11), answer(111)]
    second = [data(5000, 0, flags=TH_SYN), data(5000, 0, flags=TH_SYN), data(5001), data(5101), answer(5201)]
    read = read_capture(written(tmp_path / "two.pcap", map(frame, first + second)), at="sender")
    assert read["sent"].values.tolist() == [2, 4]
    assert read["retransmitted"].values.tolist() == [0, 1]


def test_an_interface_is_chosen_by_name_or_number(run: xr.Dataset, ours: Path) -> None:
    assert read_capture(ours, "3")["received"].equals(run["received"])
    with pytest.raises(UnreadableError, match=r"^interface 'eth0' is not in it; there are 0 sender, 1 before the bot"):
        read_capture(ours, "eth0")


def test_a_compressed_capture_is_opened(ours: Path, tmp_path: Path) -> None:
    packed = tmp_path / "run.pcapng.gz"
    packed.write_bytes(gzip.compress(ours.read_bytes(), 1))
    xr.testing.assert_equal(read_capture(packed), read_capture(ours))


def test_every_cut_and_every_wrong_length_is_told_with_its_place(tmp_path: Path) -> None:
    write_capture(simulate(scene(tcp_flow(), udp_flow(), end_s=0.3)), tmp_path / "run.pcapng")
    whole, path = (tmp_path / "run.pcapng").read_bytes(), tmp_path / "cut.pcapng"
    for length in range(13, len(whole) - 1, len(whole) // 50):
        path.write_bytes(whole[:length])
        if length % 4:  # the cut is within a block
            with pytest.raises(UnreadableError, match=r"^block \d+: the file ends within it$|^no "):
                read_capture(path)
    path.write_bytes(whole[:4] + b"\xff" * 4 + whole[8:])
    with pytest.raises(UnreadableError, match=r"^block 1: damaged: a length of 4294967295 bytes$"):
        read_capture(path)


def test_any_byte_may_be_wrong(tmp_path: Path) -> None:
    """It is read, or refused in a line; never anything else."""
    write_capture(simulate(scene(tcp_flow(), udp_flow(), end_s=0.3)), tmp_path / "run.pcapng")
    dice, whole = random.Random(7), (tmp_path / "run.pcapng").read_bytes()
    path, refused = tmp_path / "wrong.pcapng", 0
    for _ in range(TRIES):
        damaged = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(4, len(damaged))] = dice.randrange(256)
        path.write_bytes(damaged)
        try:
            read_capture(path, "0")
        except UnreadableError:
            refused += 1
    assert 0 < refused < TRIES


def test_a_flow_that_has_not_come_to_the_bottleneck_is_left_out(tmp_path: Path) -> None:
    late = udp_flow(start_s=0.99, stop_s=1, access={"rate_mbps": 1, "delay_ms": 50, "buffer_packets": 9})
    write_capture(simulate(scene(tcp_flow(), late, end_s=1)), tmp_path / "run.pcapng")
    assert read_capture(tmp_path / "run.pcapng")["flow_kind"].values.tolist() == ["tcp"]


def test_a_large_file_passes_through_little_memory(tmp_path: Path) -> None:
    path = written(tmp_path / "large.pcap", (frame(data(1 + 9000 * i, 9000)) for i in range(2000)))
    tracemalloc.start()
    read = read_capture(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read.sizes["packet"] == 2000
    assert peak < path.stat().st_size / 3


def test_the_place_is_found_from_the_times(ours: Path) -> None:
    places = [read_capture(ours, str(point)).attrs["source"].rsplit(" ", 1)[1] for point in (0, 3)]
    assert places == ["sender's", "receiver's"]
    assert [a <= b for a, b in pairwise(read_capture(ours, "0")["packet_sent_s"].values)]


def test_a_queue_that_loses_nothing_is_read_too(tmp_path: Path) -> None:
    run = simulate(scene(tcp_flow(), bottleneck=bottleneck(buffer_packets=100), end_s=1))
    write_capture(run, tmp_path / "run.pcapng")
    assert read_capture(tmp_path / "run.pcapng")["dropped"].values.tolist() == [0]
