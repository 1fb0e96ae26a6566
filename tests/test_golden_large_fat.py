"""Large-fat paths, to the packet: ns-2.35's counts of full-size runs at up to 1 Gb/s."""

import csv
import json
import re
from typing import Any

import pytest

from simcore import Scenario, scenario_from, simulate_totals
from tests.goldens import GOLDEN

LARGE_FAT = GOLDEN / "large-fat"
Row = dict[str, Any]  # what ns-2 was told and what it counted

RUNS: dict[str, Row] = json.loads((LARGE_FAT / "runs.json").read_text())
VARIANTS = {"Reno": "reno", "Newreno": "newreno", "Sack1": "sack"}
NEVER_REACHED = 32_000  # packets: stands for a window of a million, for which the engine would hold a gigabyte ready


Counts = dict[str, list[dict[str, int]]]


def golden_counts(name: str) -> Counts:
    """By run the counts of each flow."""
    found: Counts = {}
    with (LARGE_FAT / f"{name}.csv").open() as file:
        for row in csv.DictReader(file):
            counts = {name: int(row[name]) for name in row if name not in ("label", "goodput_mbps", "cwnd_end")}
            found.setdefault(row["label"], []).append(counts)
    return found


COUNTS = golden_counts("counts")
LABELS = list(RUNS)


def mbps(rate: str) -> float:
    """Of a rate as ns-2 writes it."""
    return float(rate.removesuffix("Mb"))


def scenario_of(run: Row) -> Scenario:
    """Host, switch, switch, host in a row; only the first switch has a buffer that can overflow."""
    host = {"rate_mbps": mbps(run["host_rate"]), "delay_ms": 0.01}
    bottleneck = {"rate_mbps": mbps(run["bottleneck_rate"]), "delay_ms": run["rtt_s"] * 1e3 / 2 - 0.02}
    limit = {"queue": "droptail", "buffer_packets": run["bottleneck_queue_limit"]}
    flow = _udp(run) if "udp_rate" in run else _tcp(run)
    starts = [i * run["stagger_s"] for i in range(run["streams"])]
    return scenario_from(
        {
            "profile": "ns-2.35", "tick_s": 0.001, "min_rto_s": 0.2, "end_s": float(run["stop_s"]),
            "header_bytes": run["header_bytes"], "syn_bytes": run["header_bytes"],
            "hosts": [host | {"queue_packets": 1_000_000}], "bottleneck": bottleneck | limit,
            "onward": [host | {"queue": "droptail", "buffer_packets": 1_000_000}],
            "flows": [flow | {"start_s": start_s, "host": 1} for start_s in starts],
        }
    )  # fmt: skip


def _tcp(run: Row) -> Row:
    growth = {"growth": "highspeed"} if run["highspeed"] else {}
    lost = [int(number) + 1 for number in str(run["drop_at_bottleneck"] or "").split()]  # ns-2 counts from 0
    losses = {"lost_packets": lost} if lost else {}
    return growth | losses | {
        "kind": "tcp", "variant": VARIANTS[run["variant"]], "sink": run["sink"],
        "packet_bytes": run["wire_packet_bytes"] - run["header_bytes"],
        "window_packets": min(run["window"], NEVER_REACHED), "stop_s": float(run["stop_s"]),
    }  # fmt: skip


def _udp(run: Row) -> Row:
    size, rate_mbps = run["udp_packet_bytes"], mbps(run["udp_rate"])
    packets = run["udp_packets"]
    # Half an interval after the last packet, so that rounding decides nothing.
    stop_s = (packets - 0.5) * size * 8 / (rate_mbps * 1e6) if packets else float(run["stop_s"])
    return {"kind": "udp", "source": "cbr", "packet_bytes": size, "rate_mbps": rate_mbps, "stop_s": stop_s}


def assert_counts(run: Row, golden: list[dict[str, int]]) -> None:
    """Sent, dropped, retransmitted, timeouts; and received, but that ns-2 asks the far host, or acknowledged."""
    totals = simulate_totals(scenario_of(run), "compiled")
    for i, flow in enumerate(golden):
        ours = {name: int(values[i]) for name, values in totals.items()}
        assert (ours["sent"], ours["dropped"]) == (flow["arr_bneck"], flow["drop_bneck"])
        assert (ours["retransmitted"], ours["timeouts"]) == (flow["rexmit"], flow["timeouts"])
        far = ours["received"] if "udp_rate" in run else ours["acknowledged"] + 1  # ns-2 counts the SYN
        assert far == flow["acked_or_rcvd_pkts"]


@pytest.mark.parametrize("label", LABELS)
def test_the_counts_are_ns2s(label: str) -> None:
    assert_counts(RUNS[label], COUNTS[label])


ACKS = r"(?P<delayed>/DelAck)?"
GRIDS = {
    "single_sensitivity": rf"(?P<variant>\w+)\|(Sack1)?{ACKS}\|m(?P<limit>\d+)\|rtt(?P<rtt>[\d.]+)",
    "windows_stagger": rf"N(?P<streams>\d+)w(?P<window>\d+)/(?P<variant>\w+){ACKS}(/st(?P<stagger>[\d.]+))?",
    "hstcp_grid": rf"opt(?P<option>\d)/(?P<variant>Sack1){ACKS}/s(?P<rate>.+)/m(?P<limit>\d+)/t(?P<stop>\d+)b?",
    "multistream_grid": rf"N(?P<streams>\d+)/(?P<variant>\w+)/(Sack1)?{ACKS}/st(?P<stagger>[\d.]+)",
}
ONE_IN = {"hstcp_grid": 4, "multistream_grid": 4}  # of the larger grids, for the time; every run was exact when added


def run_of(grid: str, label: str) -> Row:
    """The parameters that the label of a run in a grid tells; the rest is as in A1.sack."""
    match = re.fullmatch(GRIDS[grid], label)
    assert match, label
    told = {name: value for name, value in match.groupdict().items() if value is not None}
    names = {"limit": "bottleneck_queue_limit", "rtt": "rtt_s", "stagger": "stagger_s", "stop": "stop_s"}
    numbers = {names.get(name, name): float(told[name]) for name in ("rtt", "stagger", "stop") if name in told}
    counts = {names.get(name, name): int(told[name]) for name in ("limit", "streams", "window") if name in told}
    words = {"variant": told["variant"], "sink": "delayed" if "delayed" in told else "immediate"}
    rate = {"bottleneck_rate": told["rate"]} if "rate" in told else {}
    return RUNS["A1.sack"] | numbers | counts | words | rate | {"highspeed": told.get("option") == "8"}


IN_GRIDS = [(grid, label) for grid in GRIDS for label in list(golden_counts(grid))[:: ONE_IN.get(grid, 1)]]


@pytest.mark.parametrize(("grid", "label"), IN_GRIDS)
def test_every_flow_of_the_grids_has_ns2s_counts(grid: str, label: str) -> None:
    """Memory, round-trip time, windows, starts, rates and up to 32 streams of three kinds of TCP."""
    assert_counts(run_of(grid, label), golden_counts(grid)[label])


def test_all_runs_are_here() -> None:
    assert set(COUNTS) == set(RUNS)
    assert sum(len(golden_counts(grid)) for grid in GRIDS) == 45 + 28 + 31 + 54
