"""The chapter on Fall and Floyd's comparison: its runs are the golden ones, its numbers can be counted."""

from pathlib import Path
from typing import Any

import pytest

from simcore import load_scenario, simulate
from simcore.results.tree import tree_of
from tests.goldens import GOLDEN
from workbook.chapters.chapter import Chapter
from workbook.chapters.fall_floyd.figures import compared
from workbook.chapters.fall_floyd.repairs import repairs
from workbook.chapters.study import Study
from workbook.paths import REPO

CHAPTER = Chapter.load(REPO.params / "fall-floyd.yaml")


@pytest.mark.parametrize("case", CHAPTER.cases)
def test_a_case_is_the_scenario_whose_trace_ns_2_confirms(case: str) -> None:
    golden = load_scenario(GOLDEN / "losses" / f"{case}.yaml")
    assert CHAPTER.scenario(case) == golden.model_copy(update={"name": f"fall-floyd/{case}"})


def found(case: str) -> dict[str, Any]:
    return repairs(simulate(CHAPTER.scenario(case)))


def test_newreno_needs_a_round_trip_for_each_further_loss() -> None:
    four = found("newreno-4")
    assert (four["lost"], four["again"], four["needless"], four["timer"]) == (4, 4, 0, 0)
    assert (four["most_in_a_round_trip"], four["round_trips"]) == (1, pytest.approx(3, rel=0.01))


def test_sack_repairs_all_four_in_a_round_trip() -> None:
    four = found("sack-4")
    assert (four["again"], four["needless"], four["most_in_a_round_trip"]) == (4, 0, 4)
    assert four["round_trips"] < 1


def test_tahoe_sends_for_nothing_what_had_arrived() -> None:
    assert [found(f"tahoe-{losses}")["needless"] for losses in (1, 2, 3, 4)] == [0, 1, 3, 4]


def test_one_loss_takes_no_time_to_repair_after_its_first_repair() -> None:
    one = found("reno-1")
    assert (one["round_trips"], one["most_in_a_round_trip"], one["timer"]) == (0, 1, 0)


def test_the_figure_has_a_panel_for_each_variant_with_its_losses() -> None:
    cases = ["reno-2", "sack-2"]
    runs = {case: tree_of(simulate(CHAPTER.scenario(case))) for case in cases}
    figure = compared(runs, cases, {case: case for case in cases})
    assert [ax.get_title(loc="left") for ax in figure.axes] == cases
    dropped = [line for ax in figure.axes for line in ax.get_lines() if line.get_label() == "dropped"]
    assert [list(map(int, line.get_ydata())) for line in dropped] == [[14, 28], [14, 28]]  # type: ignore[arg-type]


def test_the_table_of_verdicts_has_the_claims_on_what_the_notebook_wrote(tmp_path: Path) -> None:
    study = Study("params/fall-floyd.yaml", "compiled", str(tmp_path))
    study.write("repairs", {case: repairs(run) for case, run in study.run().children.items()})
    verdicts = dict(study.said().data[["id", "verdict"]].itertuples(index=False))  # type: ignore[attr-defined]
    assert verdicts["fall-floyd.abstract.at-most-one"] == "reproduced"
    assert len([claim for claim in verdicts if claim.startswith("fall-floyd.abstract")]) == 7
