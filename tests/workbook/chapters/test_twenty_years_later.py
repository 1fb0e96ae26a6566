"""The chapter that asks the kernel: kept runs are complete, some are made again, and means have their intervals."""

import platform
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

from simcore import EngineUnavailableError, metrics, scenario_from, simulate
from simcore.scenario.change import changed
from tests.simcore.scenes import bottleneck, scene, tcp_flow
from workbook.chapters.chapter import Chapter
from workbook.chapters.twenty_years_later.comparison import (
    KERNEL,
    LINUX,
    MODEL,
    beside,
    means,
    nearness,
    replications,
    side_by_side,
    with_interval,
)
from workbook.chapters.twenty_years_later.ensembles import as_linux, kept, members, period_ms
from workbook.chapters.twenty_years_later.keep import LATE_US, measured
from workbook.paths import REPO

CHAPTER = Chapter.load(REPO.params / "twenty-years-later.yaml")
MADE_AGAIN = [("udp-delay-100ms", 13), ("two", 0)]
RECORDED = ("case", "offset_ms", "by_clock", "late_p99_us")


def kept_row(case: str, offset_ms: int) -> dict[str, Any]:
    return next(row for row in kept()["rows"] if (row["case"], row["offset_ms"]) == (case, offset_ms))


def test_every_run_is_kept_once() -> None:
    asked = [(member.case, member.offset_ms) for member in members(CHAPTER)]
    assert [(row["case"], row["offset_ms"]) for row in kept()["rows"]] == asked
    assert len(asked) == 6 * 27


@pytest.fixture(scope="module")
def again() -> list[dict[str, Any]]:
    """Some runs on this machine's kernel, side by side."""
    chosen = [member for member in members(CHAPTER) if (member.case, member.offset_ms) in MADE_AGAIN]
    try:
        with ThreadPoolExecutor(len(chosen)) as pool:
            return list(pool.map(measured, chosen))
    except EngineUnavailableError as forbidden:
        pytest.skip(str(forbidden))


@pytest.mark.system("simcore.kernel.child")
def test_some_kept_runs_come_out_again(again: list[dict[str, Any]]) -> None:
    """Exactly so on the same kernel, if no timer spoke; else nearly."""
    if max(row["late_p99_us"] for row in again) > LATE_US:
        pytest.skip("this machine is too busy to run a kernel in real time")
    for row in again:
        before = kept_row(row["case"], row["offset_ms"])
        exact = (
            kept()["kernel"] == f"{platform.system()} {platform.release()}"
            and not row["by_clock"]
            and not before["by_clock"]
        )
        for name in before.keys() - RECORDED:
            assert row[name] == (before[name] if exact else pytest.approx(before[name], rel=0.1, abs=10)), name


def test_what_is_left_of_the_losses_as_delivered_is_the_receivers_window() -> None:
    """The numbers of the chapter's text: the kernel's receiver widens its window, from 20 packets up to 66."""

    def lost(window_packets: int) -> float:
        asked = [as_linux(member).to_mapping() for member in members(CHAPTER) if member.case == "udp-delivered"]
        runs = [scenario_from(changed(said, {"flows.0.window_packets": window_packets})) for said in asked]
        return float(np.mean([simulate(run, "compiled")["dropped"][0] for run in runs]))

    kernels = np.mean([row["dropped_1"] for row in kept()["rows"] if row["case"] == "udp-delivered"])
    assert [round(number, 1) for number in (lost(20), lost(66), kernels)] == [33.8, 42.8, 40.3]


def ensemble(*received: int) -> pd.DataFrame:
    return pd.DataFrame({"case": "one", "offset_ms": range(len(received)), "received_1": received})


def test_means_have_intervals_and_constants_have_none() -> None:
    runs = beside(model=ensemble(100, 110, 120), kernel=ensemble(7, 7, 7))
    assert with_interval(replications(runs, "one", MODEL, "received_1")) == "110 ± 25"  # 4.303 * 10 / sqrt(3)
    assert with_interval(replications(runs, "one", KERNEL, "received_1")) == "7.0"
    table = side_by_side(runs, {"received_1": "received"})
    assert list(table.loc["one"]) == ["110 ± 25", "7.0"]
    told = means(runs)["one"]
    assert told[MODEL]["received_1"]["mean"] == 110
    assert told[MODEL]["received_1"]["low"] == pytest.approx(110 - 24.84, abs=0.01)
    assert told[KERNEL]["received_1"]["identical"]


def test_nearness_is_in_points_of_the_share_and_in_per_cent_of_the_rest() -> None:
    def run(share: float, dropped: int, period_ms: float) -> pd.DataFrame:
        said = {"share_1_percent": share, "dropped_1": dropped, "period_1_ms": period_ms}
        return pd.DataFrame({"case": "one", "offset_ms": [0, 13], **said})

    runs = beside(model=run(9, 9, 9), linux=run(52, 30, 760), kernel=run(50, 40, 800))
    assert nearness(runs).loc["one"].round(9).to_dict() == {"share, points": 2, "drops, %": -25, "period, %": -5}


def test_a_measure_that_a_run_does_not_have_has_no_mean() -> None:
    teeth = ensemble(1, 2).assign(period_1_ms=[700.0, float("nan")])
    assert set(means(beside(linux=teeth))["one"][LINUX]) == {"received_1"}
    assert set(means(beside(linux=teeth.fillna(800.0)))["one"][LINUX]) == {"received_1", "period_1_ms"}


def test_the_period_is_the_mean_time_between_reactions_to_losses() -> None:
    flow = tcp_flow(variant="newreno", lost_packets=[20, 60, 120])
    ds = simulate(scene(flow, end_s=4.0, bottleneck=bottleneck(buffer_packets=50)))
    cuts_s = metrics.times_of(ds, 1, "fast_retransmit")
    assert cuts_s.size == 3
    assert period_ms(ds) == pytest.approx(1e3 * (cuts_s[2] - cuts_s[0]) / 2, abs=1e-3)
    once = tcp_flow(variant="newreno", lost_packets=[20])
    assert period_ms(simulate(scene(once, end_s=2.0, bottleneck=bottleneck(buffer_packets=50)))) is None


def test_a_case_without_a_model_stands_beside_nothing() -> None:
    runs = beside(model=ensemble(1, 2), kernel=ensemble(3, 4).assign(case="kernel only"))
    assert side_by_side(runs, {"received_1": "received"}).empty
