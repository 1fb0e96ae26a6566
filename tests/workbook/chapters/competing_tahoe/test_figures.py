"""The chapter's figures: what must be on them."""

import numpy as np
import pandas as pd
import pytest

from tests.workbook.chapters.competing_tahoe.results import CHAPTER, SETTINGS
from workbook.chapters.competing_tahoe.packet_plots import kept_figure, side_by_side_figure
from workbook.chapters.competing_tahoe.runs import Runs, replicated, story_of
from workbook.chapters.competing_tahoe.timeline import EVENTS, timeline_figure
from workbook.chapters.competing_tahoe.utilisations import utilisations_figure
from workbook.chapters.competing_tahoe.windows import run_figure, spread_figure


@pytest.fixture(scope="module")
def cases() -> dict[str, Runs]:
    """All cases but the long ones, three seeds each; the long ones with fewer rounds."""
    scenarios = {case: CHAPTER.rounds_scenario(case) for case in CHAPTER.cases}
    shorter = {case: each.model_copy(update={"rounds": min(each.rounds, 300)}) for case, each in scenarios.items()}
    return {case: replicated(each, range(3)) for case, each in shorter.items()}


def test_a_row_for_each_window_and_a_column_for_each_sender(cases: dict[str, Runs]) -> None:
    figure = run_figure(cases["dropped-fitted"], "A case")
    assert len(figure.axes) == 4 * 2
    assert [ax.get_ylabel() for ax in figure.axes[::2]] == ["cwnd", "effective\nwindow", "flight size", "ssthresh"]
    told = " ".join(text.get_text() for text in figure.texts)
    assert "a calibration, not the authors' rule" in told
    assert "seed 0" in told
    assert len(run_figure(cases["single"], "A case").axes) == 4


def test_the_line_is_the_first_run(cases: dict[str, Runs]) -> None:
    runs = cases["competing-literal"]
    line = run_figure(runs, "A case", 100).axes[0].lines[0].get_ydata()
    assert np.array_equal(line, runs.windows["cwnd"][0, 0, :100] / 1024)


def test_every_run_is_a_line_of_colours(cases: dict[str, Runs]) -> None:
    runs = cases["competing-literal"]
    [one, two, _] = spread_figure(runs, "A case").axes
    for sender, ax in enumerate((one, two)):
        colours = ax.collections[0].get_array()
        assert colours is not None
        assert np.array_equal(np.ravel(colours), np.ravel(runs.windows["cwnd"][:, sender] / 1024))


def test_every_number_of_the_report_is_a_diamond(cases: dict[str, Runs]) -> None:
    table = pd.DataFrame(
        {"story": story_of(case), "reading": runs.scenario.reading, "sender": sender, "seed": seed,
         "utilisation_percent": 20.0 + seed}
        for case, runs in cases.items() for sender in (1, 2) for seed in range(3)
    )  # fmt: skip
    figure = utilisations_figure(table, SETTINGS.printed)
    marks = [[line for line in ax.lines if line.get_marker() == "D"] for ax in figure.axes]
    diamonds = [[np.asarray(line.get_ydata())[0] for line in lines] for lines in marks]
    assert diamonds == [[27, 30, 30, 31, 33, 26], [26, 13, 22, 21, 22, 26]]


def test_every_narrated_event_has_a_row(cases: dict[str, Runs]) -> None:
    [ax] = timeline_figure(cases).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == [words for words, _, _ in EVENTS]
    diamonds = [np.asarray(line.get_xdata())[0] for line in ax.lines if line.get_marker() == "D"]
    assert diamonds == [said for _, _, said in EVENTS]


def test_rounds_and_packets_stand_side_by_side() -> None:
    figure = side_by_side_figure(np.ones((2, 50)), np.full((2, 50), 2.0), 40)
    assert len(figure.axes) == 4
    assert {ax.get_ylim() for ax in figure.axes} == {figure.axes[0].get_ylim()}


def test_what_is_kept_is_green() -> None:
    [ax] = kept_figure({"a": {"rounds": 1, "packets": 1.2}, "b": {"rounds": 1, "packets": 3}}, 1.4).axes
    colours = [line.get_color() for line in ax.lines if line.get_marker() == "o"]
    assert colours == ["#1b7f3b", "#d0021b"]
