"""The tables of the chapter's notebook, from what it left behind."""

from pathlib import Path

import pytest

from tests.workbook.chapters.competing_tahoe.results import CHAPTER, committed
from workbook.chapters.competing_tahoe.study import Rounds


@pytest.fixture
def study(tmp_path: Path) -> Rounds:
    """The chapter with the numbers that it left behind."""
    left = Rounds("params/competing-tahoe.yaml", "compiled", str(tmp_path))
    left.statistics = {case: committed(case) for case in CHAPTER.cases}
    left.buffers = committed("buffers")
    left.properties = committed("packets")["compared"]
    return left


def test_what_the_report_prints_stands_beside_both_readings(study: Rounds) -> None:
    table = study.utilisations()
    assert table.xs(("competing", "sender 1")).to_dict() == {
        "report": "27",
        "literal": "25.2 [23.4, 28.7]",
        "fitted": "27.6 [26.5, 28.6]",
        "alone": "",
    }
    assert table.loc[("delayed", "sender 2"), "literal"] == "24.6 [21.6, 29.7]", "over its own rounds"
    assert table.loc[("single-thousand", "sender 1"), "alone"] == "29.2 [29.2, 29.2]"
    assert len(table) == 13


def test_each_change_of_the_rules_has_a_line(study: Rounds) -> None:
    table = study.counterfactuals()
    assert list(table.loc["without MSS/8", :]) == [42.80, 41.11, 3.0, 7.81]
    assert list(table.loc["as it is", :]) == list(table.loc["reading the ACKs behind a hole", :])


def test_every_property_is_kept_or_lost(study: Rounds) -> None:
    kept, lost = (study.compared(kept=kept).split("; ") for kept in (True, False))
    assert len(kept) + len(lost) == len(study.properties)
    assert "sender 1's share of the two, in % (49.8, 49.8)" in kept
