"""The chapter's distributions against the tables of an independent rewrite of the model (golden/rounds)."""

from collections.abc import Mapping

import pytest

from tests.simcore.rounds.goldens import table
from tests.simcore.rounds.scenes import READINGS
from tests.simcore.rounds.test_over_seeds import NEAR
from tests.workbook.chapters.competing_tahoe.results import committed

STORIES = {
    "case-1": "competing",
    "case-2": "dropped",
    "case-3": "kept-alive",
    "case-4": "delayed",
    "case-5": "larger-buffer",
    "1000-rounds": "thousand",
}
COUNTED = {
    "printed": "utilisation_percent",
    "all_sessions": "all_sessions_percent",
    "while_connected": "while_connected_percent",
}


@pytest.mark.parametrize("row", table("two_senders"), ids=lambda row: "-".join(list(row.values())[:4]))
def test_utilisations_over_200_seeds(row: Mapping[str, str]) -> None:
    found = committed(f"{STORIES[row['case']]}-{row['reading']}")[f"sender{row['sender']}"][COUNTED[row["counting"]]]
    assert found["n"] == 200
    names = {"mean": "mean", "sd": "sd", "least": "min", "greatest": "max"}
    assert {column: f"{found[name]:.1f}" for column, name in names.items()} == {name: row[name] for name in names}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("case", ["case-1", "case-2", "case-3", "case-4", "case-5"])
def test_how_many_runs_are_near_the_report(case: str, reading: str) -> None:
    """Both senders within 1.5 points of what it prints."""
    near = committed(f"{STORIES[case]}-{reading}")["total"]["near_the_report"]
    assert near["percent"] * near["n"] / 100 == NEAR[reading][case]


def test_how_many_fitted_runs_with_the_larger_buffer_are_the_reports_mirror_image() -> None:
    mirrored = committed("larger-buffer-fitted")["total"]["near_it_with_senders_exchanged"]
    assert mirrored["percent"] * mirrored["n"] / 100 == 37


@pytest.mark.parametrize(
    ("name", "literal", "fitted"),
    [
        ("sender1.first_drop_round", (3, 3), (3, 3)),
        ("sender1.first_drops", (2, 2), (1, 1)),
        ("sender1.third_duplicate_round", (4, 4), (4, 4)),
        ("sender1.first_repair_round", (5, 5), (5, 5)),
        ("sender1.last_stalled_round", (33, 33), (33, 33)),
        ("sender1.full_window_round", (34, 34), (34, 34)),
        ("sender1.avoidance_round", (35, 35), (35, 35)),
        ("sender1.next_third_duplicate_round", (37, 38), (40, 40)),
        ("sender2.last_repair_round", (32, 32), (52, 52)),
        ("sender2.avoidance_round", (34, 34), (54, 54)),
    ],
)
def test_when_the_narrated_events_happen(name: str, literal: tuple[int, int], fitted: tuple[int, int]) -> None:
    for reading, expected in (("literal", literal), ("fitted", fitted)):
        sender, event = name.split(".")
        found = committed(f"competing-{reading}")[sender][event]
        assert (found["min"], found["max"]) == expected, reading
        assert found["percent"] == 100


def test_what_one_reading_has_and_the_other_has_not() -> None:
    """The fair test of the two readings: what was not used to choose the fitted one."""
    later = [committed(f"competing-{reading}")["sender1"]["later_cwnd_lower"]["percent"] for reading in READINGS]
    assert later == [62.5, 100]
    cycles = [committed(f"delayed-{reading}")["sender1"]["cycles_before_avoidance"]["mean"] for reading in READINGS]
    assert cycles == [2, 4]
    spans = [committed(f"dropped-{reading}")["sender2"]["recovery_rounds"] for reading in READINGS]
    assert [(round(s["mean"]), round(s["sd"]), s["min"], s["max"]) for s in spans] == [(24, 6, 0, 32), (28, 11, 12, 44)]
