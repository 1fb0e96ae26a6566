"""The tables of the chapter's notebook, from what it left behind."""

from pathlib import Path

import pytest

from tests.workbook.rounds.results import CHAPTER, committed
from workbook.paths import REPO
from workbook.rounds.telling import Rounds


@pytest.fixture
def tell(tmp_path: Path) -> Rounds:
    """The chapter as if it had been pressed."""
    told = Rounds(str(REPO.params / "competing-tahoe.yaml"), "compiled", str(tmp_path))
    told.numbers = {case: committed(case) for case in CHAPTER.cases}
    told.buffers = committed("buffers")
    told.properties = committed("packets")["compared"]
    return told


def test_what_the_report_prints_stands_beside_both_readings(tell: Rounds) -> None:
    table = tell.utilisations()
    assert table.loc[("competing", "sender 1")].to_dict() == {
        "report": "27",
        "literal": "25.2 [23.4, 28.7]",
        "fitted": "27.6 [26.5, 28.6]",
        "alone": "",
    }
    assert table.loc[("delayed", "sender 2"), "literal"] == "24.6 [21.6, 29.7]", "over its own rounds"
    assert table.loc[("single-thousand", "sender 1"), "alone"] == "29.2 [29.2, 29.2]"
    assert len(table) == 13


def test_each_change_of_the_rules_has_a_line(tell: Rounds) -> None:
    table = tell.counterfactuals()
    assert table.loc["without MSS/8"].tolist() == [42.80, 41.11, 3.0, 7.81]
    assert table.loc["as it is"].tolist() == table.loc["reading the ACKs behind a hole"].tolist()


def test_every_property_is_kept_or_lost(tell: Rounds) -> None:
    kept, lost = (tell.compared(kept=kept).split("; ") for kept in (True, False))
    assert len(kept) + len(lost) == len(tell.properties)
    assert "sender 1's share of the two, in % (49.8, 49.8)" in kept
