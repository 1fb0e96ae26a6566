"""The pictures of one run that tell a story: what they mark must be what happened."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr

from simcore import simulate
from tests.simcore.scenes import scene, tcp_flow, udp_flow
from workbook.plots.anatomy import anatomy
from workbook.plots.describe import words_of
from workbook.plots.ladder import ladder
from workbook.plots.phase_plane import phase_plane
from workbook.plots.plane import capacity_packets
from workbook.plots.save import figure_of
from workbook.plots.topology import topology
from workbook.plots.with_and_without import parting_s, with_and_without


@pytest.fixture(scope="module")
def two() -> xr.Dataset:
    return simulate(scene(tcp_flow(), tcp_flow(), end_s=4), "process")


@pytest.fixture(autouse=True)
def _closed() -> object:
    yield
    plt.close("all")


def test_anatomy_has_a_panel_for_each_flow_and_the_queue_and_names_the_silences(two: xr.Dataset) -> None:
    axes = anatomy(two)
    assert len(axes) == 3
    assert "Silences: TCP Reno 1 1.02 s; TCP Reno 2 1.02 s" in words_of(axes).alt


def test_the_phase_plane_ends_where_the_windows_end(two: xr.Dataset) -> None:
    ax = phase_plane(two)
    path = next(line for line in ax.lines if line.get_label() == "the two windows, change by change")
    last = [two["update_cwnd"].values[two["update_flow"].values == flow][-1] for flow in (1, 2)]
    np.testing.assert_array_equal(np.asarray(path.get_xydata())[-1], last)
    with pytest.raises(ValueError, match="needs a run of two TCP flows"):
        phase_plane(simulate(scene(tcp_flow(), udp_flow(), end_s=1)))


def test_the_capacity_is_the_pipe_and_the_buffer(two: xr.Dataset) -> None:
    # 4.16 ms for a packet, 0.16 for its ACK, twice 10 ms: 24.32 ms, which hold 5.846 packets; and a buffer of 20.
    assert capacity_packets(two) == pytest.approx(24.32 / 4.16 + 20)


def test_a_ladder_shows_every_packet_and_every_drop_between_two_times(two: xr.Dataset) -> None:
    ax = ladder(two, 1, 0.0, 1.0)
    own = (two["packet_flow"].values == 1) & (two["packet_sent_s"].values <= 1)
    lines = {each.get_label(): len(each.get_paths()) for each in ax.collections}
    lost = int(two["packet_dropped"].values[own].sum())
    assert lines["packet"] + lines["sent again"] == own.sum() - lost
    crosses = next(line for line in ax.lines if line.get_marker() == "x")
    assert np.size(crosses.get_xdata()) == lost > 0


def test_two_rules_part_where_the_windows_first_differ(two: xr.Dataset) -> None:
    other = simulate(scene(tcp_flow(), tcp_flow(), end_s=4, profile="ns-2.35"), "process")
    parted = parting_s(two, other, 1)
    assert 0.1 < parted < 2
    assert f"{parted:.3f} s" in words_of(with_and_without({"old": two, "new": other}, 1, "Two rules", "A rule.")).alt
    assert parting_s(two, two, 1) == float(two["update_s"].values[two["update_flow"].values == 1][-1])


def test_a_topology_says_what_the_scenario_says(two: xr.Dataset) -> None:
    texts = " ".join(text.get_text() for text in figure_of(topology(two)).axes[0].texts)
    assert "2 Mb/s" in texts
    assert "droptail, 20 packets" in texts
