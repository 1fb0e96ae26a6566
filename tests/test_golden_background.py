"""The dumbbell with background traffic, to the packet: ns-2.35's traces and the counts of its ten runs."""

import csv
import json
from hashlib import sha256
from itertools import groupby

import pytest
import xarray as xr

from simcore import Scenario, metrics, simulate, simulate_totals
from tests.engines import assert_same
from tests.goldens import GOLDEN, first_difference, trace_lines
from tests.test_golden import our_lines
from workbook.chapters.background_traffic.runs import sink_bytes
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO

BACKGROUND = GOLDEN / "background"
CHAPTER = Chapter.load(REPO.params / "background-traffic.yaml")
DIGESTS: dict[str, dict[str, object]] = json.loads((BACKGROUND / "digests.json").read_text())
READABLE = ("fitted_seed-1", "fitted_no-vbr")
COUNTED = ("sent", "dropped", "received", "received_bytes", "retransmitted", "timeouts")


def scenario_of(name: str) -> Scenario:
    """The scenario behind a golden trace: `cbr-trap_no-vbr` is that case without its last flow."""
    case, _, kind = name.partition("_")
    scenario = CHAPTER.scenario(case)
    flows = scenario.flows[:3] if kind == "no-vbr" else scenario.flows
    return scenario.model_copy(update={"flows": flows})


def run_of(name: str) -> xr.Dataset:
    """Its run."""
    return simulate(scenario_of(name), "compiled")


def digest(lines: list[str]) -> dict[str, object]:
    """A trace in short: how long it is, its hash, and the hash of each ten seconds, which places a difference."""
    spans = {int(key): "\n".join(group) for key, group in groupby(lines, lambda line: float(line.split()[1]) // 10)}
    return {
        "lines": len(lines),
        "sha256": sha256("\n".join(lines).encode()).hexdigest(),
        "per_10_s": [sha256(spans.get(i, "").encode()).hexdigest()[:12] for i in range(10)],
    }


def golden_counts() -> dict[tuple[str, int], list[dict[str, int]]]:
    """By case and seed the counts of each flow."""
    found: dict[tuple[str, int], list[dict[str, int]]] = {}
    with (BACKGROUND / "counts.csv").open() as file:
        for row in csv.DictReader(file):
            counts = {name: int(row[name]) for name in (*COUNTED, "sink_bytes")}
            found.setdefault((row["case"], int(row["seed"])), []).append(counts)
    return found


GOLDEN_COUNTS = golden_counts()


@pytest.mark.parametrize("name", DIGESTS)
def test_eight_runs_of_ns2_come_out_line_for_line(name: str) -> None:
    """Of two the first 25 seconds are here to be read, so that a difference is shown."""
    ours = our_lines(run_of(name), with_nodes=False)
    if name in READABLE:
        golden = trace_lines(BACKGROUND / f"{name}.trace.xz", with_nodes=False)
        assert first_difference(ours[: len(golden)], golden) == ""
        assert float(ours[len(golden)].split()[1]) >= 25
    assert digest(ours) == DIGESTS[name]


def test_the_process_model_gives_the_same_run() -> None:
    assert_same(scenario_of("fitted_seed-1"))


@pytest.mark.parametrize(("case", "seed"), GOLDEN_COUNTS)
def test_the_counts_of_every_run_are_exact(case: str, seed: int) -> None:
    """What arrived at the routers and was dropped, and, but for a very last segment, what the sinks counted."""
    name, _, without_vbr = case.partition("_")
    scenario = CHAPTER.scenario(name, seed=seed)
    scenario = scenario.model_copy(update={"flows": scenario.flows[:3] if without_vbr else scenario.flows})
    totals = simulate_totals(scenario, "compiled")
    ours = [{name: int(totals[name][i]) for name in COUNTED} for i in range(len(scenario.flows))]
    golden = GOLDEN_COUNTS[case, seed]
    assert ours == [{name: flow[name] for name in COUNTED} for flow in golden]
    missing = sink_bytes(scenario, totals) - [flow["sink_bytes"] for flow in golden]
    assert set(missing.tolist()) <= {0, 552}
    assert not missing[2:].any(), "of UDP the sink's count is exact"


def test_what_the_sinks_counted_is_exact_where_every_packet_is_known() -> None:
    dataset = run_of("fitted_seed-1")
    counted = [round(1024 * metrics.payload_kb(dataset, flow)) for flow in (1, 2, 3, 4)]
    segments = [counted[0] // 512, counted[1] // 512]  # behind the SYN, which carries no data
    sinks = [552 * segments[0] + 40, 552 * segments[1] + 40, *counted[2:]]
    assert sinks == [flow["sink_bytes"] for flow in GOLDEN_COUNTS["fitted", 1]]


def test_ten_runs_of_each_case_are_here() -> None:
    assert [seed for case, seed in GOLDEN_COUNTS if case == "fitted"] == list(range(1, 11))
    assert len(GOLDEN_COUNTS) == 4 * 10 + 4, "and each of the four once without VBR"
    assert sum(path.stat().st_size for path in BACKGROUND.iterdir()) < 1_500_000
