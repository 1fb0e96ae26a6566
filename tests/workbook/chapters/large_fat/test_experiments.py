"""The chapter's experiments, against ns-2, the independent program and the closed forms: small or short ones."""

from typing import Any

import numpy as np
import pytest
import xarray as xr
from pydantic import ValidationError

from simcore import metrics
from tests.workbook.chapters.large_fat.conftest import rows
from workbook.chapters.chapter import Chapter
from workbook.chapters.large_fat import area_runs, clocking, interface, long_runs, memory_runs, recoveries, table, wire
from workbook.chapters.large_fat.experiments import EXPERIMENTS
from workbook.chapters.large_fat.lab import Lab, payload_mbps
from workbook.chapters.large_fat.settings import Cell, settings_of
from workbook.ledger.book import load_book
from workbook.paths import REPO

# What an independent program gives for a queue of so many packets in the host: Mb/s over 16 s, by RTT and ACKs.
INTERFACE = [
    (105, "immediate", 100, 19.759),
    (105, "immediate", 4000, 429.193),
    (105, "immediate", 4125, 845.226),
    (105, "delayed", 100, 27.620),
    (105, "delayed", 2750, 797.182),
    (160, "delayed", 1500, 239.896),
]


@pytest.mark.parametrize("row", rows("burst_memory"), ids=lambda row: f"{row['oc']}-{row['rtt_ms']}")
def test_what_waits_is_what_waits_in_ns2_to_the_packet(lab: Lab, row: dict[str, Any]) -> None:
    slow, rtt_s, window = float(row["s_mbps"]), float(row["rtt_ms"]) / 1e3, int(row["W_pkts"])
    assert memory_runs.burst_peak(lab, slow, window) == int(row["burst_ns2"])
    for sink, column in (("immediate", "tcp_ns2_ack1"), ("delayed", "tcp_ns2_delack")):
        assert memory_runs.slow_start_peak(lab, slow, rtt_s, window, sink) == int(row[column])


def test_the_probe_of_45000_datagrams_measures_half_a_megabyte(lab: Lab) -> None:
    [golden] = [row for row in rows("udp45000") if (row["rate_mbps"], row["memory_bytes"]) == ("599.04", "500000")]
    found = memory_runs.probe(lab)
    assert (found["first_lost"], found["received"]) == (int(golden["first_lost"]), int(golden["received"]))
    assert found["memory_by_count_bytes"] == pytest.approx(500_000, abs=found["payload_bytes"])


@pytest.mark.parametrize("rtt_ms", [17, 50, 196])
def test_the_edges_of_the_area_are_where_a_burst_begins_to_be_lost(lab: Lab, rtt_ms: int) -> None:
    [golden] = [row for row in rows("forbidden_area") if row["quantity"] == f"s_range RTT {rtt_ms} ms"]
    found = area_runs.edges_at(lab, rtt_ms / 1e3)
    expected = [float(edge) for edge in golden["engine_burst"].split("..")]
    # Windows are whole packets: at 17 ms the next smaller window is 0.7 Mb/s further in.
    assert [found["burst_low"], found["burst_high"]] == pytest.approx(expected, abs=0.75)


def test_tcp_enters_the_area_later_than_a_burst(lab: Lab) -> None:
    [golden] = [row for row in rows("forbidden_area") if row["quantity"] == "rtt_crit_ms OC1"]
    found = area_runs.entries_of(lab, wire.line_mbps(1))
    assert found["burst_ms"] == pytest.approx(float(golden["engine_burst"]), rel=0.001)
    assert found["immediate_ms"] == pytest.approx(float(golden["engine_tcp_ack1"]), rel=0.005), "two bisections"
    assert found["formula_ms"] < found["burst_ms"] < found["immediate_ms"] < found["delayed_ms"]


def test_a_search_that_finds_nothing_inside_says_its_end() -> None:
    assert area_runs.bisected(lambda value: False, 0.0, 1.0) == 1.0
    assert area_runs.bisected(lambda value: value > 0.3, 0.0, 1.0) == pytest.approx(0.3, abs=1e-4)


def test_the_gaps_are_the_slides(lab: Lab) -> None:
    found = clocking.measure(lab)
    gaps = [found[name] for name in ("host_us", "receiver_us", "ack_us", "host_steady_us")]
    assert gaps == pytest.approx([14, 20, 20, 20], abs=0.005)
    assert found["peak_queue"] == 1229, "ns-2's, of 4096 packets of which 14 / 20 leave meanwhile"


@pytest.mark.parametrize(("rtt_ms", "sink", "queue", "mbps"), INTERFACE)
def test_the_interface_queue_ends_slow_start_as_in_the_independent_program(
    lab: Lab, rtt_ms: float, sink: str, queue: int, mbps: float
) -> None:
    changes = {interface.QUEUE: queue, "bottleneck.delay_ms": rtt_ms / 2 - 0.02, "flows.0.sink": sink}
    run = lab.counted("local-congestion", changes)
    # It sends data at once, ours a SYN first: a round trip of 16 s, at the end of which most is sent.
    assert float(run.mbps[0]) == pytest.approx(mbps, rel=0.027)
    assert run.total("dropped") == 0


def test_the_host_queue_is_full_when_it_refuses(lab: Lab) -> None:
    ds = lab.run("local-congestion", {"end_s": 1.0})
    _, waiting = interface.queue_of_host(ds)
    assert (waiting.min(), waiting.max()) == (0, 101), "a hundred, and one that is just being handed on"


@pytest.mark.parametrize("growth", ["reno", "highspeed"])
def test_recovery_from_one_loss_takes_as_long_as_in_ns2(lab: Lab, growth: str) -> None:
    """ns-2: 266.4 s by Reno; 22.6 and 10.5 s by HighSpeed TCP, which halves for its first loss."""
    given = lab.settings.recoveries["jumbo-196ms"]
    found = [seconds for _, seconds in recoveries.lost_and_back(lab, given, growth)]
    assert found == pytest.approx({"reno": [266.4], "highspeed": [22.6, 10.5]}[growth], abs=0.1)  # sampled every 0.1 s


def test_the_rate_of_the_whole_run_counts_what_was_acknowledged(lab: Lab) -> None:
    ds = lab.run("single", {"end_s": 0.9})
    acknowledged = int(ds["acknowledged"][0])
    totals = {name: ds[name].values for name in ("acknowledged", "received")}
    rate = payload_mbps(lab.scenario("single", {"end_s": 0.9}), totals)
    assert rate == pytest.approx([acknowledged * 1460 * 8 / 0.9 / 1e6])
    assert metrics.packet_bytes(ds, 1) == 1460


def test_the_window_allows_no_more_than_the_link(lab: Lab) -> None:
    times, rates = long_runs.rates_mbps(lab.windows("single"), lab.scenario("single"))
    assert np.all(np.diff(times) >= 0)
    assert rates.max() <= wire.tcp_mbps(599.04) + 1e-9


def test_a_cell_is_varied_over_a_grid_and_over_other_cases() -> None:
    cell = Cell(said=80, case="single", mark="predicted", needs="", also=["other"], vary={"a": [1, 2], "b": [3]})
    assert list(table.variations(cell)) == [("other", {}), ("single", {"a": 1, "b": 3}), ("single", {"a": 2, "b": 3})]
    assert list(table.variations(cell.model_copy(update={"also": [], "vary": {}}))) == []


def test_every_experiment_names_cases_that_there_are_and_every_case_is_used(lab: Lab) -> None:
    for name, experiment in EXPERIMENTS.items():
        assert set(experiment.cases) <= set(lab.chapter.cases), name
    used = {cell.case for row in lab.settings.table.values() for cell in row.cells.values()}
    used |= {case for row in lab.settings.table.values() for cell in row.cells.values() for case in cell.also}
    used |= {bench.case for bench in lab.settings.benches.values()}
    used |= {case for experiment in EXPERIMENTS.values() for case in experiment.cases}
    assert used == set(lab.chapter.cases), "a case that nothing uses"


@pytest.mark.parametrize(
    ("changed", "problem"), [({"lines": []}, "lines"), ({"speed": 1}, "speed"), ({"gap_us": 0}, "gap_us")]
)
def test_settings_that_are_wrong_are_refused(lab: Lab, changed: dict[str, Any], problem: str) -> None:
    chapter = lab.chapter.model_copy(update={"settings": lab.chapter.settings | changed})
    with pytest.raises(ValidationError, match=problem):
        settings_of(chapter)


def test_the_tables_marks_are_the_ledgers() -> None:
    """A cell that is marked as predicted or unexplained is a prediction in the ledger, which says how it came out."""
    claims = {claim.id: claim.status for claim in load_book(REPO.claims / "large-fat.yaml").claims}
    for row, given in settings_of(Chapter.load(REPO.params / "large-fat.yaml")).table.items():
        for column, cell in given.cells.items():
            assert (claims[f"large-fat.table.{row}-{column}"] == "fitted") == (cell.mark == "fitted"), (row, column)


def test_the_recovery_that_is_drawn_is_the_one_that_is_measured(lab: Lab) -> None:
    small = Lab(lab.chapter, "compiled")
    drawn = small.known["recovery-highspeed"] = xr.Dataset()
    assert recoveries.run_of(small, small.settings.recoveries[recoveries.DRAWN], "highspeed") is drawn
