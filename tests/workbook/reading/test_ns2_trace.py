"""ns-2's traces read: what we write, what ns-2 wrote, and networks of other shapes."""

import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from simcore import metrics, scenario_from, simulate
from workbook.chapters.chapter import Chapter
from workbook.export.trace import trace_lines, write_trace
from workbook.paths import REPO
from workbook.reading.events import UnreadableError
from workbook.reading.ns2_trace import read_trace

# Two flows and a third that turns off before the link 2-3; nobody set a flow id.
DUMBBELL = """\
+ 0.1 0 2 tcp 40 ------- 0 0.0 4.0 0 0
- 0.1 0 2 tcp 40 ------- 0 0.0 4.0 0 0
+ 0.1 1 2 cbr 500 ------- 0 1.0 5.0 0 1
- 0.1 1 2 cbr 500 ------- 0 1.0 5.0 0 1
+ 0.1 1 2 cbr 100 ------- 0 1.1 6.0 0 2
r 0.11 0 2 tcp 40 ------- 0 0.0 4.0 0 0
+ 0.11 2 3 tcp 40 ------- 0 0.0 4.0 0 0
- 0.11 2 3 tcp 40 ------- 0 0.0 4.0 0 0
0.12 0 0 4 0 cwnd_ 1.000
r 0.12 1 2 cbr 500 ------- 0 1.0 5.0 0 1
+ 0.12 2 3 cbr 500 ------- 0 1.0 5.0 0 1
d 0.12 2 3 cbr 500 ------- 0 1.0 5.0 0 1
r 0.13 2 3 tcp 40 ------- 0 0.0 4.0 0 0
+ 0.13 3 4 tcp 40 ------- 0 0.0 4.0 0 0
- 0.13 3 4 tcp 40 ------- 0 0.0 4.0 0 0
r 0.14 3 4 tcp 40 ------- 0 0.0 4.0 0 0
+ 0.14 4 3 ack 40 ------- 0 4.0 0.0 0 3
r 0.15 4 3 ack 40 ------- 0 4.0 0.0 0 3
+ 0.15 3 2 ack 40 ------- 0 4.0 0.0 0 3
r 0.16 3 2 ack 40 ------- 0 4.0 0.0 0 3
+ 0.16 2 0 ack 40 ------- 0 4.0 0.0 0 3
r 0.17 2 0 ack 40 ------- 0 4.0 0.0 0 3
+ 0.17 0 2 tcp 1040 ------- 0 0.0 4.0 1 4
"""


@pytest.fixture
def dumbbell(tmp_path: Path) -> Path:
    path = tmp_path / "out.tr"
    path.write_text(DUMBBELL)
    return path


@pytest.mark.parametrize("case", ["baseline", "buffer-5"])
def test_a_run_that_was_written_as_a_trace_is_read_back(case: str, tmp_path: Path) -> None:
    run = simulate(Chapter.load(REPO.params / "tcp-udp.yaml").scenario(case), "compiled")
    write_trace(run, tmp_path / "run.tr")
    read = read_trace(tmp_path / "run.tr")
    for table, columns in {
        "packet": ("flow", "seq", "bytes", "dropped", "retransmission"),
        "ack": ("flow", "number"),
    }.items():
        for name in columns:
            assert np.array_equal(read[f"{table}_{name}"], run[f"{table}_{name}"]), name
    for name in ("packet_sent_s", "packet_received_s", "ack_arrived_s", "change_s"):
        assert np.allclose(read[name], run[name], atol=0.6e-6, rtol=0, equal_nan=True), name
    for name in ("sent", "dropped", "received", "received_bytes", "retransmitted", "acknowledged", "in_flight"):
        assert read[name].equals(run[name]), name


def test_what_was_read_is_written_again_line_for_line(tmp_path: Path) -> None:
    run = simulate(Chapter.load(REPO.params / "tcp-udp.yaml").scenario("baseline"), "compiled")
    write_trace(run, tmp_path / "run.tr")
    read = read_trace(tmp_path / "run.tr")
    assert [line.split()[:6] for line in trace_lines(read)] == [line.split()[:6] for line in trace_lines(run)]


def test_the_link_that_carries_most_is_looked_at_and_others_may_be_asked_for(dumbbell: Path) -> None:
    assert read_trace(dumbbell).attrs["title"] == "out.tr, link 1-2"
    assert read_trace(dumbbell, (2, 3)).attrs["title"] == "out.tr, link 2-3"
    with pytest.raises(UnreadableError, match=r"^link 3-2: no data pass it; data pass 0-2, 1-2, 2-3, 3-4$"):
        read_trace(dumbbell, (3, 2))


def test_flows_without_ids_are_told_apart_by_their_ends_and_counted_only_where_they_pass(dumbbell: Path) -> None:
    read = read_trace(dumbbell, (2, 3))
    assert read["flow_name"].values.tolist() == ["TCP 1", "CBR 2"]
    assert read["flow_kind"].values.tolist() == ["tcp", "udp"]
    assert read.attrs["flows_left_out"] == 1
    assert read["sent"].values.tolist() == [1, 1]
    assert read["dropped"].values.tolist() == [0, 1]
    assert read["in_flight"].values.tolist() == [0, 0]


def test_a_packet_is_followed_from_its_sender_to_its_receiver(dumbbell: Path) -> None:
    read = read_trace(dumbbell, (2, 3))
    first = read.isel(packet=0)
    assert [float(first[f"packet_{name}_s"]) for name in ("sent", "enqueued", "dequeued", "received", "arrived")] == [
        0.1, 0.11, 0.11, 0.13, 0.14,
    ]  # fmt: skip
    assert [float(read[f"ack_{name}_s"][0]) for name in ("sent", "enqueued", "received", "arrived")] == [
        0.14, 0.15, 0.16, 0.17,
    ]  # fmt: skip
    assert read["packet_sent_s"].values.tolist() == [0.1, 0.1, 0.17]
    assert np.isnan(read["packet_enqueued_s"].values[2]), "it has not come to the link yet"


def test_what_a_trace_does_not_tell_is_absent(dumbbell: Path) -> None:
    read = read_trace(dumbbell)
    absent = {"update_s", "update_cwnd", "timeouts", "fast_retransmits", "marked"}
    assert absent.isdisjoint(read.variables)


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_compressed_traces_are_opened(ending: str, dumbbell: Path) -> None:
    packed = dumbbell.with_name(f"out.tr{ending}")
    packed.write_bytes((gzip if ending == ".gz" else lzma).compress(dumbbell.read_bytes()))
    read, plain = read_trace(packed), read_trace(dumbbell)
    xr.testing.assert_equal(read, plain)


def test_blocks_of_lines_make_no_difference(dumbbell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_trace(dumbbell, (2, 3))
    monkeypatch.setattr("workbook.reading.ns2_trace.BLOCK_BYTES", 100)
    xr.testing.assert_identical(read_trace(dumbbell, (2, 3)), whole)


@pytest.mark.parametrize(
    "line",
    [
        "+ 0.1 0 1 tcp",
        "+ 0.1 0 1 tcp forty ------- 1 0.0 1.0 0 0",
        "+ 0.1 0 1 tcp  40 ------- 1 0.0 1.0 0 0",
        '+ 0.1 0 1 "tcp 40 ------- 1 0.0 1.0 0',
        "r \xff",
        f"+ 0.1 0 1 tcp 40 ------- 1 0.0 1.0 {10**400} 0",
    ],
)
def test_a_line_that_ns_2_never_wrote_is_named(line: str, dumbbell: Path) -> None:
    dumbbell.write_text(f"{DUMBBELL}{line}\n", "latin-1")
    with pytest.raises(UnreadableError, match=r"^line 24: '[+r].*' is no event of ns-2's; must have 12 columns: "):
        read_trace(dumbbell)


def test_flight_size_rises_with_what_is_sent_and_falls_with_what_is_acknowledged(dumbbell: Path) -> None:
    flight = metrics.flight_size_packets(read_trace(dumbbell, (2, 3)), 1)
    assert flight["time_s"].values.tolist() == [0.1, 0.17, 0.17]
    assert flight.values.tolist() == [1, 0, 1]


def test_flight_size_never_exceeds_the_window(tmp_path: Path) -> None:
    tcp = {"kind": "tcp", "variant": "tahoe", "packet_bytes": 500, "window_packets": 9, "start_s": 0, "stop_s": 2}
    link = {"rate_mbps": 1, "delay_ms": 20, "queue": "droptail", "buffer_packets": 30}
    run = simulate(scenario_from({"profile": "ns-2.35", "end_s": 2, "bottleneck": link, "flows": [tcp]}), "compiled")
    assert metrics.flight_size_packets(run, 1).max() == 9
