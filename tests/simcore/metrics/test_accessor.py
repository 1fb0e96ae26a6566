"""The obvious call draws the right curve: a window holds until its next change."""

import numpy as np
from matplotlib.figure import Figure

from simcore import metrics, simulate
from tests.simcore.scenes import scene, tcp_flow, udp_flow

RUN = simulate(scene(udp_flow(), tcp_flow(), end_s=2))


def test_the_curve_has_at_every_moment_the_window_of_that_moment() -> None:
    ax = Figure().add_subplot()
    [line] = RUN.tcp.plot.cwnd(ax=ax)
    steps = metrics.window(RUN, 2)
    assert line.get_drawstyle() == "steps-post"
    assert np.array_equal(line.get_xdata(), steps["time_s"].values)
    assert np.array_equal(line.get_ydata(), steps["cwnd"].values)
    assert line.get_label() == "flow 2"


def test_flows_that_are_not_tcp_have_no_window() -> None:
    assert RUN.tcp.flows == [2]


def test_the_series_are_those_of_the_metric() -> None:
    steps = metrics.window(RUN, 2)
    assert RUN.tcp.cwnd(2).identical(steps["cwnd"])
    assert RUN.tcp.ssthresh(2).identical(steps["ssthresh"])


def test_any_variable_of_the_window_can_be_drawn() -> None:
    [line] = RUN.tcp.plot("inflation", 2, ax=Figure().add_subplot())
    assert np.array_equal(line.get_ydata(), metrics.window(RUN, 2)["inflation"].values)
    assert RUN.tcp.plot.ssthresh(2, ax=Figure().add_subplot())[0].get_drawstyle() == "steps-post"
