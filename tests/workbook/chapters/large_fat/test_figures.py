"""The chapter's figures: made of the data given, and of nothing else; and the laws fitted to them."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from workbook.chapters.large_fat import interface, memory_plots, modifications, paths, recoveries, table
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.law import fitted
from workbook.paths import REPO
from workbook.plots.describe import words_of
from workbook.plots.save import figure_of, png_of


def numbers(experiment: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPO.figures / "large-fat" / experiment / "statistics.json").read_text("utf-8"))
    return found


def memory_of(lab: Lab, data: pd.DataFrame) -> Figure:
    return memory_plots.memory_figure(data, lab.settings.fast_mbps)


def test_a_figure_shows_the_data_that_it_is_given(lab: Lab) -> None:
    data = memory_plots.memory_table(lab.settings, numbers("memory"))
    assert len(data) == 5 * 3 * 3, "lines, round-trip times, kinds of arrival"
    picture = png_of(memory_of(lab, data))
    assert png_of(memory_of(lab, data)) == picture
    assert png_of(memory_of(lab, data.assign(mbytes=data["mbytes"] + 0.2))) != picture
    assert png_of(memory_of(lab, data.assign(off_packets=data["off_packets"] + 0.2))) != picture


def test_a_queue_refuses_up_to_what_slow_start_leaves_waiting(lab: Lab) -> None:
    found = numbers("interface")
    data = interface.txq_table(lab.settings, found).query("rtt_ms == 105 and acks == 'an ACK for every packet'")
    refused = data.set_index("queue")["refused"]
    assert refused[4000], "fewer than W/2"
    assert not refused[4500]
    assert (
        "W/2 = 4096 packets" in words_of(interface.txq_figure(interface.txq_table(lab.settings, found), found)).caption
    )


def test_the_gap_sets_the_rate_from_the_frames_time_on() -> None:
    found = numbers("modifications")
    law = modifications.pacing_law(modifications.gap_table(found), found["gap_formula_us"])
    assert law.n == 4
    assert law.low < law.value < law.high < 8 * 1460, "the run's first second is slow start"
    assert law.value == pytest.approx(8 * 1460, rel=0.03)


def test_a_fit_finds_the_constant_and_its_interval() -> None:
    x = np.arange(1.0, 7.0)
    fit = fitted(lambda x, constant: constant * x, x, 3 * x + np.array([0.1, -0.1, 0.1, -0.1, 0.1, -0.1]))
    assert fit.low < 3 < fit.high
    assert fit.value == pytest.approx(3, abs=0.02)
    assert str(fit).endswith("n = 6)")


@pytest.mark.filterwarnings("ignore:The set_bad function:PendingDeprecationWarning")  # seaborn's heatmap calls it
def test_the_table_says_each_cell_in_words_too(lab: Lab) -> None:
    said = words_of(table.table_figure(lab.settings, numbers("table"))).alt
    assert "Lambda (622M), single stream: 80 → 80.4, +0.5 %, fitted, 72 to 107" in said
    assert "unexplained" in said


def test_recoveries_are_near_their_closed_forms(lab: Lab) -> None:
    laws = recoveries.laws_table(lab.settings, numbers("recovery"))
    assert len(laws) == 9
    assert laws["off_percent"].abs().max() < 2, "of steps of a round trip: 0.1 s of 5"


def test_a_path_says_where_it_is_narrow(lab: Lab) -> None:
    drawn = paths.paths({case: lab.scenario(case) for case in paths.CASES})
    assert "single: 1000 into 599.04 Mb/s, 105 ms" in words_of(drawn).alt
    texts = [text.get_text() for text in figure_of(drawn).axes[0].texts]
    assert "host\ninterface queue 612" in texts
    assert texts.count("memory") == 2, "of two paths it is never full"
