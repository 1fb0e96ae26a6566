"""Many runs of a case: the same as one by one, and asked the right questions."""

import numpy as np
import pytest
from pydantic import ValidationError

from simcore.rounds import RoundsScenario, simulate_rounds
from tests.simcore.rounds.scenes import paused, single, two
from tests.workbook.chapters.competing_tahoe.results import CHAPTER, SETTINGS
from workbook.chapters.competing_tahoe.competing import narrated
from workbook.chapters.competing_tahoe.measures import measure
from workbook.chapters.competing_tahoe.numbers import case_numbers, nested, spread
from workbook.chapters.competing_tahoe.pauses import delayed, dropped, kept_alive
from workbook.chapters.competing_tahoe.runs import replicated, story_of, utilisations
from workbook.chapters.competing_tahoe.settings import settings_of
from workbook.chapters.competing_tahoe.track import Track


def test_replications_are_the_runs_with_those_seeds() -> None:
    scenario = two("literal", rounds=60)
    runs = replicated(scenario, range(40, 70))
    again = simulate_rounds(scenario.model_copy(update={"seed": 68}), "process")
    assert runs.windows["cwnd"].shape == (30, 2, 60)
    assert runs.windows["cwnd"][28].tolist() == again["cwnd"].values.tolist()
    assert runs.measured["sender1.utilisation_percent"][28] == float(again["utilisation_percent"][0])
    assert runs.shown.attrs["seed"] == 40


def test_where_chance_decides_nothing_one_run_stands_for_all() -> None:
    found = utilisations(two("fitted", buffer_segments=8), range(5))
    other = simulate_rounds(two("fitted", buffer_segments=8, seed=4))
    assert found.tolist() == [other["utilisation_percent"].values.tolist()] * 5


def test_a_distribution_tells_how_often_something_is_there_at_all() -> None:
    found = spread(np.array([3.0, np.nan, 5.0, 7.0]))
    assert (found["n"], found["percent"], found["mean"], found["median"]) == (4, 75, 5, 5)
    assert spread(np.array([True, False, True, True])) == {"n": 4, "percent": 75}
    assert spread(np.array([np.nan]))["mean"] is None


def test_names_with_dots_are_groups() -> None:
    assert nested({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}


@pytest.mark.parametrize(
    ("case", "story"),
    [("kept-alive-literal", "kept-alive"), ("thousand-fitted", "thousand"), ("single-thousand", "single-thousand")],
)
def test_a_case_belongs_to_a_story(case: str, story: str) -> None:
    assert story_of(case) == story


def test_cycles_and_spikes_of_the_single_sender() -> None:
    """The original's steady cycle of 16 rounds, whose window climbs to 10889 bytes."""
    track = Track(simulate_rounds(single()), 1)
    assert track.begins[:3].tolist() == [31, 47, 63]
    assert track.ends[:3].tolist() == [37, 53, 69]
    assert set((1024 * track.spikes()).tolist()) == {10889}
    assert track.spikes(since=47, until=69).size == 2, "both ends within"
    assert track.stalled[5:30].all()
    assert not track.stalled[[4, 30]].any()


def test_a_single_sender_has_a_total_too() -> None:
    found = measure(simulate_rounds(single()))
    assert found["total.utilisation_percent"] == found["sender1.utilisation_percent"]
    assert found["sender1.share_percent"] == 100
    assert found["total.least_segments"] == 1
    assert found["sender1.spikes_differ_segments"] == 0


def test_what_is_narrated_has_a_number_in_each_story() -> None:
    """None of them is there by chance alone: the fitted reading's seed 0."""
    for told, run in (
        (narrated, two("fitted")),
        (dropped, paused("fitted", "dropped")),
        (kept_alive, paused("fitted", "kept_alive")),
        (delayed, two("fitted", start=149)),
    ):
        found = told(simulate_rounds(run))
        assert [name for name, value in found.items() if np.isnan(value)] == []


def test_a_sender_that_keeps_its_connection_sends_a_byte_a_round_and_keeps_its_window() -> None:
    found = kept_alive(simulate_rounds(paused("literal", "kept_alive")))
    assert found["sender2.bytes_while_idle"] == 50
    assert found["sender2.window_kept"]


def test_sender_2_is_rated_over_its_own_rounds_when_it_comes_late() -> None:
    case = "delayed-literal"
    scenario = CHAPTER.rounds_scenario(case)
    found = case_numbers(case, replicated(scenario, [0, 1]), SETTINGS)["sender2"]
    runs = found["rated_percent"].pop("runs")
    assert found["rated_percent"] == found["while_connected_percent"]
    assert (len(runs), max(runs)) == (found["rated_percent"]["n"], pytest.approx(found["rated_percent"]["max"]))
    assert found["rated_percent"]["mean"] == pytest.approx(2 * found["utilisation_percent"]["mean"])


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"seeds": {"first": 0, "count": 1}}, "seeds.count"),
        ({"near_percent": 0}, "near_percent"),
        ({"colour": "red"}, "colour"),
        ({"packets": {"path": {}, "seeds": 2, "kept_within": 1}}, "packets.kept_within"),
    ],
)
def test_settings_that_are_wrong_are_refused(changed: dict[str, object], problem: str) -> None:
    chapter = CHAPTER.model_copy(update={"settings": CHAPTER.settings | changed})
    with pytest.raises(ValidationError, match=problem):
        settings_of(chapter)


@pytest.mark.parametrize(
    ("run", "alike"),
    [(two("literal"), False), (two("literal", start=150), True), (paused("literal", "kept_alive"), True)],
)
def test_every_run_can_be_asked_of_every_story(run: RoundsScenario, alike: bool) -> None:
    """A story told of a run that doesn't have it must be able to fail: numbers, or NaN, but no refusal."""
    ran = simulate_rounds(run)
    asked = {name: value for told in (narrated, dropped, kept_alive, delayed) for name, value in told(ran).items()}
    assert asked["sender1.spikes_in_the_pause_alike"] == alike
    assert {type(value) for value in asked.values()} <= {float, bool}
