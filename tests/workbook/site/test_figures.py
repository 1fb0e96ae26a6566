"""Living figures of chapters whose runs are too large for a page: a smaller run still says what the chapter says."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest
import xarray as xr

from simcore import TOTALS, metrics, scenario_from, simulate
from simcore.scenario.change import changed
from workbook.chapters.chapter import Chapter
from workbook.chapters.competing_tahoe.packets import measure_packets
from workbook.chapters.large_fat import memory
from workbook.paths import REPO
from workbook.site.figures import COUNTS, many, packets, phase, probe
from workbook.site.living import Living

Found = Mapping[str, Mapping[str, float]]

# A setting of each figure that meets its mark, and one beside it that doesn't.
FOUND: Found = {
    "packets": {"buffer_packets": 3, "delay_ms": 100, "gap_s": 0.2},
    "phase": {"tahoe_delay_ms": 1.5, "buffer_packets": 10},
    "many": {"buffer_packets": 29},
    "probe": {"buffer_packets": 470, "rate_mbps": 599.04},
}
MISSED: Found = {
    "packets": {"buffer_packets": 7, "delay_ms": 100, "gap_s": 0.2},
    "phase": {"tahoe_delay_ms": 1.46, "buffer_packets": 10},
    "many": {"buffer_packets": 20},
    "probe": {"buffer_packets": 400, "rate_mbps": 599.04},
}
FIGURES: Mapping[str, Callable[[], Living]] = {"packets": packets, "phase": phase, "many": many, "probe": probe}


def scenario_at(figure: Living, said: Mapping[str, float], family: int = 0) -> dict[str, object]:
    """What a figure simulates at these values."""
    own = figure.families[family]
    return dict(own.setting({name: list(own.controls[name].values).index(value) for name, value in said.items()}))


def totals(setting: Mapping[str, object]) -> xr.Dataset:
    return simulate(scenario_from(setting), "compiled", TOTALS)


def measured(name: str, said: Mapping[str, float], family: int = 0) -> float:
    """The number of a figure's mark, by the library's own metrics."""
    scenario = scenario_from(scenario_at(FIGURES[name](), said, family))
    run = simulate(scenario, "compiled")
    if name == "packets":
        found = measure_packets(run, scenario, trip_s=0.1)
        return float(found["sender1.share_percent"] * found["total.utilisation_percent"] / 100)
    if name == "phase":
        return float(metrics.share_percent(run)[0])
    if name == "many":
        times, rate = run["packet_received_s"].values, 1e6 * scenario.bottleneck.rate_mbps
        return float(100 * 8 * run["packet_bytes"].values[times > 10].sum() / (rate * (scenario.end_s - 10)))
    lost = int(np.flatnonzero(run["packet_dropped"].values)[0])
    return memory.memory_by_first_lost(lost, 1066, 1000, said["rate_mbps"]) / 1e6


@pytest.mark.parametrize("name", FIGURES)
def test_a_setting_meets_the_mark_and_one_beside_it_does_not(name: str) -> None:
    mark = FIGURES[name]().marks[0]
    assert mark.hit is not None
    least, most = mark.hit
    assert least <= measured(name, FOUND[name]) <= most
    assert not least <= measured(name, MISSED[name]) <= most


def test_a_figure_begins_where_its_mark_is_not() -> None:
    for name, made in FIGURES.items():
        figure = made()
        family, mark = figure.families[0], figure.marks[0]
        begin = {key: control.values[family.start[key]] for key, control in family.controls.items()}
        assert mark.hit is not None
        assert not mark.hit[0] <= measured(name, begin) <= mark.hit[1]


def test_six_seconds_tell_who_wins_as_the_whole_run_does() -> None:
    chapter, figure = Chapter.load(REPO.params / "background-traffic.yaml"), phase()
    whole = chapter.scenario("no-background").to_mapping()
    delays = [1.5, 2.0, 2.2, 2.28, 2.4, 2.5, 2.8, 2.94, 3.1, 3.16]
    shares = []
    for delay in delays:
        short = scenario_at(figure, {"tahoe_delay_ms": delay, "buffer_packets": 10})
        runs = (short, changed(whole, {"flows.1.access.delay_ms": delay}))
        shares.append(
            [float(metrics.share_percent(simulate(scenario_from(run), "compiled", TOTALS))[0]) for run in runs]
        )
    short_shares, long_shares = np.array(shares).T
    assert np.corrcoef(short_shares, long_shares)[0, 1] > 0.9
    assert ((short_shares > 50) == (long_shares > 50)).all()


def test_more_flows_need_less_buffer_for_the_same_link() -> None:
    used = [measured("many", {"buffer_packets": 14}, family) for family in range(len(COUNTS))]
    assert used == sorted(used)
    assert used[0] < 95 < used[-1]


def test_a_figure_says_what_it_leaves_out() -> None:
    for made, said in (
        (phase, "six seconds of its 85"),
        (many, "A tenth of the chapter's link"),
        (probe, "first twentieth"),
    ):
        assert '<p id="bn-note">' in (html := made().html)
        assert said in html
