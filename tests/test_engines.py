"""Two engines, one rulebook: the process model and the compiled loop give the same Dataset, bit for bit."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given

from simcore import Scenario, scenario_from, simulate
from simcore.compiled import records
from tests.engines import assert_same
from tests.examples import examples
from tests.strategies import networks, scenarios, tied_scenarios
from tests.test_golden import CASES as GOLDEN_CASES
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO

# Slow start and the first losses: whole runs take the process model too long. It does one in test_golden_background.
LARGE_FAT_S = {"tcp": 1.5, "udp": 0.1}
BACKGROUND_S = 26  # from 20 s on all four flows send; test_golden_background has the process model's whole run
MANY_FLOWS_S = 3.0  # slow start and its losses


def cases() -> Iterator[tuple[str, str]]:
    for path in sorted(REPO.params.glob("*.yaml")):
        chapter = Chapter.load(path)
        if chapter.model == "packets":
            yield from ((chapter.chapter, case) for case in chapter.cases)


@pytest.mark.parametrize(("chapter", "case"), sorted({*cases()} - {*GOLDEN_CASES}))
def test_the_engines_agree_on_every_case_of_every_chapter(chapter: str, case: str) -> None:
    """But for those with golden traces, which tests/test_golden.py holds both engines to."""
    scenario = Chapter.load(REPO.params / f"{chapter}.yaml").scenario(case)
    longest = {"background-traffic": BACKGROUND_S, "many-flows": MANY_FLOWS_S}
    longest["large-fat"] = LARGE_FAT_S[scenario.flows[0].kind]
    end_s = min(scenario.end_s, longest.get(chapter, scenario.end_s))
    assert_same(scenario.model_copy(update={"end_s": end_s}))


@pytest.fixture(scope="module")
def all_rules() -> Iterator[None]:
    """Random networks would be compiled each with the rules that it has: with all, few kinds are left to compile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "are_one", lambda used: False)
        yield


@pytest.mark.usefixtures("all_rules")
@examples(100)
@given(scenarios())
def test_the_engines_agree_on_whatever_hypothesis_makes_up(scenario: Scenario) -> None:
    assert_same(scenario)


@pytest.mark.sampled
def test_the_engines_agree_on_ties_made_on_purpose_which_are_many() -> None:
    """Of the packets offered to the bottleneck, a good part come in the very moment in which others do."""
    counts: list[tuple[int, int]] = []  # of a scenario: packets that come in the moment of another one, and all

    @examples(100)
    @given(tied_scenarios())
    def agree_and_count(scenario: Scenario) -> None:
        came_s = np.sort(assert_same(scenario)["packet_enqueued_s"].dropna("packet").values)
        counts.append((int((np.diff(came_s) == 0).sum()), len(came_s)))

    agree_and_count()
    assert len(counts) >= examples(100).max_examples
    tied, offered = np.sum(counts, axis=0)
    assert tied > 0.2 * offered


@given(networks())
def test_the_engines_agree_on_rows_of_routers_and_shared_hosts(scenario: Scenario) -> None:
    assert_same(scenario)


def test_the_engines_agree_when_everything_happens_at_once() -> None:
    """Eight flows that start together with packets of one size: every queue decision is a tie."""
    tcp = {"kind": "tcp", "variant": "reno", "packet_bytes": 960, "window_packets": 30, "start_s": 0, "stop_s": 2}
    udp = {"kind": "udp", "source": "cbr", "packet_bytes": 1000, "rate_mbps": 1, "start_s": 0, "stop_s": 2}
    bottleneck = {"rate_mbps": 8, "delay_ms": 1, "queue": "droptail", "buffer_packets": 8}
    flows = [tcp, udp] * 4
    assert_same(scenario_from({"profile": "ns-2.27", "end_s": 2.5, "bottleneck": bottleneck, "flows": flows}))


def test_rings_and_tables_grow_without_losing_a_packet() -> None:
    """A fast link with a delay of a second holds thousands of packets, far more than the rings begin with."""
    tcp = {"kind": "tcp", "variant": "reno", "packet_bytes": 100, "window_packets": 3000, "start_s": 0, "stop_s": 9}
    udp = {"kind": "udp", "source": "cbr", "packet_bytes": 100, "rate_mbps": 8, "start_s": 0, "stop_s": 9}
    bottleneck = {"rate_mbps": 10, "delay_ms": 1000, "queue": "droptail", "buffer_packets": 2000}
    scenario = scenario_from({"profile": "ns-2.35", "end_s": 9, "bottleneck": bottleneck, "flows": [tcp, udp]})
    assert simulate(scenario, "compiled")["in_flight"].sum() > 10_000
    assert_same(scenario)


def test_a_zero_with_a_minus_sign_is_zero() -> None:
    """YAML has -0.0: every time and delay that may be zero."""
    tcp = {"kind": "tcp", "variant": "reno", "packet_bytes": 500, "window_packets": 9, "start_s": -0.0, "stop_s": 0.4}
    udp = {"kind": "udp", "source": "replay", "packet_bytes": 500, "times_s": [-0.0, 0.0], "start_s": -0.0, "stop_s": 1}
    bottleneck = {"rate_mbps": 2, "delay_ms": -0.0, "queue": "droptail", "buffer_packets": 9}
    host = {"rate_mbps": 9, "delay_ms": -0.0, "queue_packets": 9, "gap_us": -0.0}
    flows = [tcp | {"send_jitter_ms": -0.0, "loss_probability": -0.0}, udp, tcp | {"host": 1}]
    zeros = {"min_rto_s": -0.0, "hosts": [host], "bottleneck": bottleneck, "flows": flows}
    scenario = scenario_from({"profile": "ns-2.27", "end_s": 0.5} | zeros)
    assert "-0.0" not in scenario.to_yaml()
    assert_same(scenario)
