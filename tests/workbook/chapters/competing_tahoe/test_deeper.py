"""The deeper error: the chapter's numbers against the original's own cycles, and what a changed rule does."""

from collections.abc import Mapping

import pytest

from tests.simcore.rounds.goldens import table
from tests.workbook.chapters.competing_tahoe.results import CHAPTER, SETTINGS, committed
from workbook.chapters.competing_tahoe.deeper import deeper_numbers, of_mismatches, of_one_sender, of_two_senders

BUFFERS = committed("buffers")


@pytest.mark.parametrize("row", table("case6_single"), ids=lambda row: f"buffer-{row['buffer']}")
def test_one_sender_as_the_original_has_it(row: Mapping[str, str]) -> None:
    found = BUFFERS["single"]["as_it_is"][f"buffer_{row['buffer']}"]
    names = {
        "bytes": "bytes_1000_rounds",
        "cycle_rounds": "cycle_rounds",
        "stalled_rounds": "rounds_without_new_full_segment",
        "repairs": "retransmissions_per_cycle",
        "new_segments": "full_segments_per_cycle",
    }
    assert {name: found[name] for name in names} == {name: float(row[column]) for name, column in names.items()}
    assert f"{found['utilisation_percent']:.2f}" == row["utilisation_percent"]
    assert round(found["spike_segments"], 2) == float(row["peak_cwnd_mss"])
    assert found["capacity_segments"] == int(row["buffer"]) + 1


@pytest.mark.parametrize("reading", ["literal", "fitted"])
def test_two_senders_where_chance_decides_nothing(reading: str) -> None:
    """At even buffers, which fill in pairs, all seeds give the same; the table has sixty of them, we two hundred."""
    for row in table(f"case6_{reading}"):
        if int(row["buffer"]) % 2 == 0:
            for sender in (1, 2):
                found = BUFFERS["two"][reading][f"sender{sender}"][f"buffer_{row['buffer']}"]
                assert (f"{found['mean']:.2f}", found["sd"]) == (row[f"s{sender}_util_mean"], 0)


def test_two_senders_where_it_does() -> None:
    """The table's sixty seeds at buffer 7."""
    row = next(row for row in table("case6_literal") if row["buffer"] == "7")
    settings = SETTINGS.model_copy(
        update={
            "seeds": SETTINGS.seeds.model_copy(update={"count": 60}),
            "sweep": SETTINGS.sweep.model_copy(update={"buffers": [6, 7]}),
        }
    )
    percent = of_two_senders({"literal": CHAPTER.rounds_scenario("competing-literal")}, settings)
    own = percent.sel(reading="literal", buffer=7)
    for sender in (1, 2):
        found = own.sel(sender=sender)
        assert f"{float(found.mean()):.2f}" == row[f"s{sender}_util_mean"]
        assert f"{float(found.std()):.2f}" == row[f"s{sender}_sd"]


@pytest.mark.parametrize(
    ("change", "segments", "ends", "extremes"),
    [
        ("as_it_is", (2.58, 3.56), (37, 19), (19, 37)),
        ("without_eighth", (3.0, 7.81), (43, 41), (41, 48)),
        ("go_back_n", (3.99, 9.96), (57, 52), (52, 58)),
        ("both", (4.27, 11.76), (61, 62), (60, 63)),
    ],
)
def test_either_change_removes_the_fall(
    change: str, segments: tuple[float, float], ends: tuple[int, int], extremes: tuple[int, int]
) -> None:
    found = BUFFERS["single"][change]
    smallest, largest = found["buffer_6"], found["buffer_18"]
    assert (round(smallest["segments_per_round"], 2), round(largest["segments_per_round"], 2)) == segments
    assert (round(smallest["utilisation_percent"]), round(largest["utilisation_percent"])) == ends
    assert (round(found["percent"]["min"]), round(found["percent"]["max"])) == extremes


def test_the_acks_behind_a_hole_are_innocent() -> None:
    assert BUFFERS["single"]["holes_skipped"] == BUFFERS["single"]["as_it_is"]


def test_the_denominator_grows_and_the_mismatch_limits_nothing() -> None:
    found = BUFFERS["single"]["as_it_is"]
    assert (round(found["times_as_much_capacity"], 2), round(found["times_as_many_bytes"], 2)) == (2.71, 1.38)
    assert {size: round(percent, 1) for size, percent in found["fixed_percent"].items()} == {
        "buffer_6": 13.6,
        "buffer_18": 18.7,
    }
    assert [BUFFERS["mismatch"][f"m{m}"] for m in (8, 9, 10, 11, 12)] == [2394490] * 5
    assert [BUFFERS["mismatch"][f"m{m}"] for m in (15, 20, 30, 50)] == [2386301] * 4


def test_a_small_sweep_has_the_names_of_the_large_one() -> None:
    sweep = SETTINGS.sweep.model_copy(update={"buffers": [6, 8], "rounds": 60, "single_rounds": 120})
    settings = SETTINGS.model_copy(update={"sweep": sweep, "seeds": SETTINGS.seeds.model_copy(update={"count": 2})})
    single = CHAPTER.rounds_scenario("single")
    one = of_one_sender(single, settings)
    two = of_two_senders({"fitted": CHAPTER.rounds_scenario("competing-fitted")}, settings)
    found = deeper_numbers(one, two, of_mismatches(single, settings), sweep)
    assert set(found["single"]) == set(BUFFERS["single"])
    assert set(found["single"]["both"]["buffer_8"]) == set(BUFFERS["single"]["both"]["buffer_8"])
    assert found["two"]["fitted"]["sender2"]["buffer_8"]["n"] == 2
