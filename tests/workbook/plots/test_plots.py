"""Figures: what must be on them, the same looks everywhere, the same bytes every time."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn as sns
import xarray as xr
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from simcore import simulate
from simcore.results.dataset import causes
from simcore.results.tree import tree_of
from tests.simcore.scenes import scene, tcp_flow, udp_flow
from workbook.plots import catalogue, style
from workbook.plots.catalogue import Plot, plots_for
from workbook.plots.describe import words_of
from workbook.plots.save import figure_of, png_of, save
from workbook.plots.then_and_now import then_and_now

FLOWS = {"tcp": tcp_flow(stop_s=2), "udp": udp_flow(stop_s=2)}


def run(*kinds: str) -> xr.Dataset:
    return simulate(scene(*(FLOWS[kind] for kind in kinds), end_s=2.5), "compiled")


@pytest.fixture(scope="module")
def mixed() -> xr.Dataset:
    return run("tcp", "udp")


MIXED_PLOTS = [
    "instant-throughput",
    "system-throughput",
    "latency",
    "jitter",
    "queue",
    "queue-total",
    "cwnd",
    "time-sequence",
]


def test_every_case_has_the_figures_that_make_sense_for_it(mixed: xr.Dataset) -> None:
    assert [plot.stem for plot in plots_for(mixed)] == MIXED_PLOTS
    assert "cwnd" not in [plot.stem for plot in plots_for(run("udp", "udp"))]
    assert "queue-total" not in [plot.stem for plot in plots_for(run("tcp"))]


@pytest.mark.parametrize("stem", MIXED_PLOTS)
def test_a_figure_says_what_it_shows_in_which_units(mixed: xr.Dataset, stem: str) -> None:
    plot: Plot = next(plot for plot in plots_for(mixed) if plot.stem == stem)
    figure = plot.draw(mixed, "a case")
    texts = [text.get_text() for text in figure.texts]
    assert plot.title in texts
    assert "a case" in texts
    assert "time in s" in texts
    assert plot.ylabel in texts
    assert all(ax.lines or ax.collections or ax.patches for ax in figure.axes)


def test_as_many_drops_are_marked_as_there_were(mixed: xr.Dataset) -> None:
    plot = next(plot for plot in plots_for(mixed) if plot.stem == "instant-throughput")
    crosses = [line for ax in plot.draw(mixed, "").axes for line in ax.lines if line.get_marker() == "x"]
    assert [np.size(line.get_xdata()) for line in crosses] == [count for count in mixed["dropped"].values if count]


def test_drops_of_two_flows_at_about_the_same_time_stand_apart_in_the_total() -> None:
    """Both lose a packet in the same overflow: one cross stands on the other."""
    ds = simulate(scene(tcp_flow(stop_s=10), tcp_flow(stop_s=10), end_s=10), "compiled")
    (ax,) = catalogue.queue_total(ds)
    (crosses,) = [line for line in ax.lines if line.get_marker() == "x"]
    times, heights = (np.asarray(values) for values in (crosses.get_xdata(), crosses.get_ydata()))
    pairs = np.flatnonzero((np.diff(times) < 0.05) & (times[1:] > 3))
    assert times.size == ds["dropped"].sum()
    assert pairs.size > 3
    assert (heights[pairs] != heights[pairs + 1]).all()


def test_cuts_for_echoed_marks_are_shown_where_the_window_fell_from() -> None:
    marking = {"rate_mbps": 2, "delay_ms": 10, "queue": "red", "buffer_packets": 50, "marks": True}
    ds = simulate(scene(tcp_flow(ecn=True), tcp_flow(), profile="ns-2.35", bottleneck=marking), "compiled")
    plot = next(plot for plot in plots_for(ds) if plot.stem == "cwnd")
    triangles = [line for ax in plot.draw(ds, "").axes for line in ax.lines if line.get_marker() == "^"]
    assert [np.size(line.get_xdata()) for line in triangles] == [int((causes(ds) == "congestion_echo").sum())]


def test_flows_stay_apart_when_printed_in_grey() -> None:
    """Within a kind the two looks differ in lightness by a quarter, and in line and marker besides."""
    for first, second in style.FLOWS.values():
        light = [
            sum(w * c for w, c in zip((0.21, 0.72, 0.07), to_rgb(look.colour), strict=True)) for look in (first, second)
        ]
        assert abs(light[0] - light[1]) > 0.2
        assert first.linestyle != second.linestyle
        assert first.marker != second.marker


def test_drawing_twice_gives_the_same_bytes(mixed: xr.Dataset, tmp_path: Path) -> None:
    plot = plots_for(mixed)[0]
    for name in ("one", "two"):
        save(plot.draw(mixed, ""), tmp_path / name)
    for ending in (".png", ".svg"):
        assert (tmp_path / "one").with_suffix(ending).read_bytes() == (tmp_path / "two").with_suffix(
            ending
        ).read_bytes()


def test_then_and_now_has_a_point_for_each_case_flow_and_era() -> None:
    rows = [
        (era, case, flow, 900.0 if era == "old" else 450.0) for era in ("old", "new") for case in "ab" for flow in "xy"
    ]
    grid = then_and_now(
        pd.DataFrame(rows, columns=["era", "case", "flow", "throughput_kbps"]), {"a": "A", "b": "B"}, "a"
    )
    axes = list(grid.axes.flat)
    sizes = [[np.size(line.get_xdata()) for line in ax.lines] for ax in axes]
    assert [sum(size for size in each if size > 1) for each in sizes] == [4, 4]
    assert "y, A: new -50 %" in words_of(grid).alt
    plt.close(grid.figure)


def pixels(figure: Figure) -> bytes:
    return png_of(figure)


@pytest.mark.parametrize("stem", MIXED_PLOTS)
def test_a_figure_is_drawn_from_the_data_it_is_given(mixed: xr.Dataset, stem: str) -> None:
    """Change what was measured, and the picture changes; nothing comes from anywhere else."""
    plot = next(plot for plot in plots_for(mixed) if plot.stem == stem)
    changed = mixed.copy(deep=True)
    changed["packet_arrived_s"] += np.linspace(0, 0.1, mixed.sizes["packet"])
    changed["update_cwnd"] *= 2
    changed["change_step"].values[5:25] = 0
    changed["change_queue_packets"] += 3
    changed["packet_seq"] += 50
    assert pixels(plot.draw(mixed, "")) == pixels(plot.draw(tree_of(mixed), ""))
    assert pixels(plot.draw(changed, "")) != pixels(plot.draw(mixed, ""))


def test_a_figure_takes_axes_and_returns_them(mixed: xr.Dataset) -> None:
    ax = Figure().subplots()
    assert catalogue.latency(mixed, ax, flow=2) == [ax]
    assert np.size(ax.lines[0].get_xdata()) == int(mixed["received"].sel(flow=2))
    assert catalogue.queue_total(mixed, ax) == [ax]


def test_without_axes_a_figure_is_made_with_a_panel_for_each_flow(mixed: xr.Dataset) -> None:
    axes = catalogue.latency(mixed)
    assert [ax.get_title(loc="left") for ax in axes] == ["TCP Reno 1", "UDP CBR 2"]
    assert "TCP Reno 1" in words_of(axes).alt
    plt.close(figure_of(axes))
    with pytest.raises(ValueError, match=r"cwnd: no flow of the run is of a kind that it shows \(tcp\)"):
        catalogue.cwnd(run("udp"))


def test_a_figure_without_words_is_not_saved() -> None:
    with pytest.raises(ValueError, match="the figure has no words yet"):
        words_of(Figure())
    with pytest.raises(TypeError, match="str is no figure"):
        words_of("figure")


def test_the_theme_is_seaborn_s_with_our_colours() -> None:
    style.use()
    assert sns.axes_style()["axes.grid"]
    assert sns.color_palette()[0] == pytest.approx(to_rgb(style.FLOWS["tcp"][0].colour))
