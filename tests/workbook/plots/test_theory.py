"""Theory beside what was measured: residuals by hand, ranges, and a sender that keeps to the laws."""

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

from simcore import metrics, simulate
from tests.simcore.scenes import bottleneck, scene, tcp_flow
from workbook.plots.describe import words_of
from workbook.plots.theory import Law, against_theory, beside, buffer_laws, queue_laws, throughput_laws


def measured(x: list[float], y: list[float]) -> xr.DataArray:
    coordinate = xr.Variable("loss", x, {"long_name": "loss rate", "units": "1"})
    return xr.DataArray(
        y, dims="loss", coords={"loss": coordinate}, attrs={"long_name": "rate", "units": "packets / s"}
    )  # fmt: skip


def test_residuals_are_what_is_left_where_the_law_holds() -> None:
    ax, below = Figure().subplots(2)
    beside(measured([1, 2, 4], [11, 18, 40]), [Law("ten times", lambda x: 10 * x, high=2)], ax, below)
    residuals = below.get_lines()[0]
    assert np.allclose(residuals.get_xdata(), [1, 2])
    assert np.allclose(residuals.get_ydata(), [10, -10])
    labels = [line.get_label() for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
    assert labels == ["ten times", "measured"]
    solid = np.asarray(ax.get_lines()[1].get_ydata())
    assert np.isnan(solid[-1])
    assert solid[0] == pytest.approx(10 / 1.25)


def test_the_laws_are_those_of_their_sources() -> None:
    mathis, pftk, highspeed, cubic = throughput_laws(rtt_s=0.1, rto_s=1)
    assert mathis.of(0.01) == pytest.approx(122.5, abs=0.1), "sqrt(1.5 / p) / RTT"
    assert pftk.of(0.01) < mathis.of(0.01), "timeouts cost"
    assert highspeed.of(1e-5) > 4 * mathis.of(1e-5)
    assert cubic.of(0.01) == pytest.approx(120, abs=1), "Reno-friendly"
    deterministic, places = queue_laws(10)
    assert deterministic.of(0.5) == pytest.approx(0.75)
    assert places.of(1.0) == pytest.approx(5)
    pipe, root = buffer_laws(100)
    assert (pipe.of(1), root.of(100)) == (100, 10)
    assert root.holds(np.array([50.0, 200.0])).tolist() == [False, True]


def test_reno_with_random_losses_keeps_to_the_laws() -> None:
    """Random losses of one packet in a hundred, on a link that is never full: theory's own ground."""
    link = bottleneck(rate_mbps=100, delay_ms=50, buffer_packets=1000)
    flow = tcp_flow(packet_bytes=960, window_packets=1000, stop_s=200, loss_probability=0.01)
    run = simulate(scene(flow, bottleneck=link, end_s=200))
    rtt_s = float(metrics.rtt_ms(run, 1).median()) / 1e3
    rate = float(run["received"][0]) / 200
    figure = against_theory(measured([0.01], [rate]), throughput_laws(rtt_s, 1.0)[:2], "Reno", "one flow")
    mathis, pftk = (np.asarray(line.get_ydata()).item() for line in figure.axes[1].get_lines()[:2])
    assert abs(mathis) < 30
    assert abs(pftk) < 30
    assert words_of(figure).alt == "one flow. Reno. rate in packets / s, beside Mathis et al. 1997, PFTK 1998."
