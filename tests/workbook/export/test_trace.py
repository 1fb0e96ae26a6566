"""The trace of a small run, by hand: a TCP and a UDP flow on a link of 1 Mb/s and 10 ms."""

from pathlib import Path

import pytest
import xarray as xr

from simcore import scenario_from, simulate
from workbook.export.trace import trace_lines, write_trace

TCP = {"kind": "tcp", "variant": "reno", "packet_bytes": 960, "window_packets": 20, "start_s": 0, "stop_s": 1}
UDP = {"kind": "udp", "source": "cbr", "packet_bytes": 500, "rate_mbps": 0.01, "start_s": 0.0123456, "stop_s": 1}
LINK = {"rate_mbps": 1, "delay_ms": 10, "queue": "droptail", "buffer_packets": 2}


@pytest.fixture(scope="module")
def dataset() -> xr.Dataset:
    scenario = {"profile": "ns-2.27", "end_s": 1.5, "bottleneck": LINK, "flows": [TCP, UDP]}
    return simulate(scenario_from(scenario))


def test_the_first_round_trip_is_written_as_ns2_writes_it(dataset: xr.Dataset) -> None:
    lines = [line.rstrip("\n") for line in trace_lines(dataset)]
    assert lines[:14] == [
        "+ 0 0 1 tcp 40 ------- 1 0.0 1.0 0 0",
        "- 0 0 1 tcp 40 ------- 1 0.0 1.0 0 0",
        "r 0.01032 0 1 tcp 40 ------- 1 0.0 1.0 0 0",  # 40 bytes at 1 Mb/s are 0.32 ms
        "+ 0.01032 1 0 ack 40 ------- 1 1.0 0.0 0 1",
        "- 0.01032 1 0 ack 40 ------- 1 1.0 0.0 0 1",
        "+ 0.012346 0 1 cbr 500 ------- 2 0.1 1.1 0 2",  # rounded to the microsecond
        "- 0.012346 0 1 cbr 500 ------- 2 0.1 1.1 0 2",
        "r 0.02064 1 0 ack 40 ------- 1 1.0 0.0 0 1",
        "+ 0.02064 0 1 tcp 1000 ------- 1 0.0 1.0 1 3",
        "- 0.02064 0 1 tcp 1000 ------- 1 0.0 1.0 1 3",
        "+ 0.02064 0 1 tcp 1000 ------- 1 0.0 1.0 2 4",
        "r 0.026346 0 1 cbr 500 ------- 2 0.1 1.1 0 2",
        "- 0.02864 0 1 tcp 1000 ------- 1 0.0 1.0 2 4",
        "r 0.03864 0 1 tcp 1000 ------- 1 0.0 1.0 1 3",
    ]


def test_a_refused_packet_is_enqueued_and_dropped_at_once(dataset: xr.Dataset) -> None:
    rows = [line.split() for line in trace_lines(dataset)]
    drop = next(i for i, row in enumerate(rows) if row[0] == "d")
    assert rows[drop - 1] == ["+", *rows[drop][1:]]


def test_there_is_a_line_per_event_and_all_have_twelve_columns(dataset: xr.Dataset, tmp_path: Path) -> None:
    write_trace(dataset, tmp_path / "small.tr")
    lines = (tmp_path / "small.tr").read_text().splitlines()
    assert len(lines) == dataset.sizes["event"]
    assert {len(line.split(" ")) for line in lines} == {12}
