"""To the packet: every event that ns-2 printed, in its order, at its microsecond, from both engines alike."""

from pathlib import Path

import pytest
import xarray as xr

from simcore import load_scenario
from tests.engines import assert_same
from tests.goldens import GOLDEN, counts, first_difference, trace_lines
from workbook.chapters.chapter import Chapter
from workbook.export import trace
from workbook.paths import REPO

CHAPTER_TRACES = sorted((GOLDEN / "chapters").glob("*.trace.xz"))
GENERATED = sorted((GOLDEN / "generated").glob("*.yaml"))
OWN = sorted(path for folder in ("queues", "losses", "senders") for path in (GOLDEN / folder).glob("*.yaml"))
CHAPTER_OF = {
    "two-tcp": "two-tcp",
    "tcp-udp": "tcp-udp",
    "one-tcp": "one-flow",
    "one-udp": "one-flow",
    "two-udp": "one-flow",
}
PREFIX_OF = {"one-tcp": "tcp-", "one-udp": "udp-", "two-udp": "two-udp-"}  # of the cases of chapter one-flow


def our_lines(dataset: xr.Dataset, *, with_nodes: bool) -> list[str]:
    """Our trace in the golden columns: flags and addresses left out, without nodes only the data direction."""
    if not with_nodes:
        dataset = dataset.isel(event=dataset["event_link"].values == 0)
    rows = map(str.split, trace.trace_lines(dataset))
    if with_nodes:
        return [f"{e} {s} {a} {b} {k} {n} {f} {seq} {uid}" for e, s, a, b, k, n, _, f, _, _, seq, uid in rows]
    return [f"{e} {s} {k} {n} {f} {seq} {uid}" for e, s, _, _, k, n, _, f, _, _, seq, uid in rows]


def our_counts(dataset: xr.Dataset) -> dict[str, dict[str, int]]:
    names = ("sent", "dropped", "received", "received_bytes")
    return {str(flow): {name: int(dataset[name].sel(flow=flow)) for name in names} for flow in dataset["flow"].values}


def scenario_of(trace_name: str) -> tuple[str, str]:
    """The chapter and the case behind one of its golden traces, named as kind_case."""
    kind, case = trace_name.split("_")
    return CHAPTER_OF[kind], PREFIX_OF.get(kind, "") + case


CASES = {scenario_of(path.name.removesuffix(".trace.xz")): path for path in CHAPTER_TRACES}


@pytest.mark.parametrize(("chapter", "case"), CASES)
def test_the_studies_traces_come_out_line_for_line(chapter: str, case: str) -> None:
    path = CASES[chapter, case]
    dataset = assert_same(Chapter.load(REPO.params / f"{chapter}.yaml").scenario(case))
    assert first_difference(our_lines(dataset, with_nodes=True), trace_lines(path, with_nodes=True)) == ""
    assert our_counts(dataset) == counts("chapters")[path.name.removesuffix(".trace.xz")]


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.stem)
def test_generated_scenarios_come_out_line_for_line(path: Path) -> None:
    dataset = assert_same(load_scenario(path))
    assert our_counts(dataset) == counts("generated")[path.stem]
    golden = path.with_suffix(".trace.xz")
    if golden.exists():
        assert first_difference(our_lines(dataset, with_nodes=False), trace_lines(golden, with_nodes=False)) == ""


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_queue_disciplines_and_ways_of_sending_come_out_line_for_line(path: Path) -> None:
    dataset = assert_same(load_scenario(path))
    assert our_counts(dataset) == counts(path.parent.name)[path.stem]
    golden = trace_lines(path.with_suffix(".trace.xz"), with_nodes=False)
    assert first_difference(our_lines(dataset, with_nodes=False), golden) == ""


def test_all_golden_traces_are_here() -> None:
    assert len(CHAPTER_TRACES) == 36
    for variant in ("tahoe", "reno", "newreno", "sack", "vegas"):
        assert [path.stem for path in OWN if path.stem.startswith(f"{variant}-")] == [
            f"{variant}-{drops}" for drops in (1, 2, 3, 4)
        ]
    queues = {"droptail-bytes": 2, "sfq": 7, "drr": 8, "red": 10}
    senders = {"jitter": 9, "ecn": 7, "highspeed": 1, "lost-syn": 1, "delay": 1, "losses": 1}
    for kind, traces in (queues | senders).items():
        assert len([path for path in OWN if path.stem.startswith(kind)]) == traces
    for family, traces in {"era2004": 17, "stock": 20, "dumbbell": 13}.items():
        assert len(list((GOLDEN / "generated").glob(f"{family}-*.trace.xz"))) == traces


def test_a_difference_is_found_and_placed() -> None:
    lines = trace_lines(CHAPTER_TRACES[0], with_nodes=True)
    assert first_difference(lines[:-1], lines) == f"ours has {len(lines) - 1} lines, ns-2's {len(lines)}"
    changed = [*lines[:5], lines[5].replace(" 1", " 2"), *lines[6:]]
    assert first_difference(changed, lines).startswith("line 6: ours")
