"""The kernel as the explorer's third engine: asked in the background, abandoned, laid over the model's curves."""

import os
import signal

import numpy as np
import pytest

from tests.simcore.kernel.test_kernel import child_in_a_namespace, eventually, is_running
from workbook.explore import Explorer
from workbook.explore import setting as st
from workbook.explore.asking import beside, is_available
from workbook.explore.bins import bins, width_s
from workbook.explore.charts import View, charts
from workbook.explore.overlay import with_kernels

pytestmark = pytest.mark.system("simcore.kernel.child")


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    if not is_available():
        pytest.skip("no namespaces can be made here")


@pytest.fixture
def explorer() -> Explorer:
    made = Explorer("two-tcp", "baseline")
    made.move(lambda setting: st.SLIDERS["end_s"].write(setting, 1.5))
    return made


def answered(explorer: Explorer) -> None:
    """Wait for the kernel."""
    assert explorer.question is not None
    explorer.question.thread.join()


def dotted(explorer: Explorer) -> dict[str, int]:
    """How many of the kernel's curves each chart has."""
    [run] = explorer.charts.picture["runs"]
    return {chart["name"]: sum("dotted" in series for series in chart["series"]) for chart in run["charts"]}


def test_the_button_is_there_where_the_kernel_can_be_asked(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbook.explore.explorer.is_available", lambda: False)
    explorer.offer_kernel()
    assert explorer.panel.kernel.layout.display == "none"
    monkeypatch.undo()
    explorer.offer_kernel()
    assert explorer.panel.kernel.layout.display is None


def test_the_kernels_curves_lie_over_the_models(explorer: Explorer) -> None:
    reached: list[float] = []
    explorer.panel.asked.observe(lambda change: reached.append(change["new"]), "value")
    explorer.panel.ask.click()
    assert (explorer.panel.ask.description, explorer.panel.asked.layout.display) == ("Stop asking", None)
    assert dotted(explorer) == {"throughput": 0, "window": 0, "queue": 0, "sequence": 0}
    answered(explorer)
    assert (explorer.panel.ask.description, explorer.panel.asked.layout.display) == ("Ask the kernel", "none")
    assert len([at for at in reached if 0 < at <= 1.5]) > 50
    assert dotted(explorer) == {"throughput": 2, "window": 2, "queue": 1, "sequence": 0}
    kernels = explorer.kernels
    assert kernels is not None
    [throughput] = [chart for chart in explorer.charts.picture["runs"][0]["charts"] if chart["name"] == "throughput"]
    width = width_s(kernels, 1.5)
    for flow, curve in enumerate((each for each in throughput["series"] if "dotted" in each), 1):
        np.testing.assert_allclose(np.frombuffer(curve["y"], "<f4"), bins(kernels, flow, width).kbps, rtol=1e-6)
    assert explorer.charts.answer == beside(explorer.dataset, kernels)


def test_a_newer_setting_abandons_the_question(explorer: Explorer) -> None:
    explorer.move(lambda setting: st.SLIDERS["end_s"].write(setting, 300.0))
    explorer.panel.ask.click()
    question, child = explorer.question, eventually(lambda: child_in_a_namespace(os.getpid()))
    assert question is not None
    assert child is not None
    explorer.move(lambda setting: st.SLIDERS["end_s"].write(setting, 2.0))
    assert (explorer.question, explorer.panel.ask.description) == (None, "Ask the kernel")
    question.thread.join()
    assert not is_running(child)
    assert explorer.kernels is None
    assert sum(dotted(explorer).values()) == 0


def test_the_same_button_stops_asking(explorer: Explorer) -> None:
    explorer.panel.ask.click()
    question = explorer.question
    explorer.panel.ask.click()
    assert question is not None
    question.thread.join()
    assert (explorer.question, explorer.kernels) == (None, None)


def test_ctrl_c_stops_it_as_well(explorer: Explorer) -> None:
    explorer.move(lambda setting: st.SLIDERS["end_s"].write(setting, 300.0))
    explorer.panel.ask.click()
    child = eventually(lambda: child_in_a_namespace(os.getpid()))
    assert child is not None
    eventually(lambda: explorer.panel.asked.value > 0)  # it runs: before, the signal would end it without an answer
    os.kill(child, signal.SIGINT)
    assert eventually(lambda: explorer.question is None)
    assert explorer.kernels is None
    assert explorer.charts.answer == "The kernel was asked no further."


def test_what_the_kernel_cannot_do_is_said_in_a_line(explorer: Explorer) -> None:
    explorer.move(lambda setting: st.with_kinds(setting, ["vegas", "reno"]))
    explorer.ask()
    if explorer.question is not None:  # it has not answered yet
        answered(explorer)
    assert explorer.charts.answer.startswith("flows.0.variant: 'vegas' is not possible with the kernel")
    assert explorer.kernels is None


def test_a_run_over_itself_says_the_same_numbers_twice(explorer: Explorer) -> None:
    ds = explorer.dataset
    said = beside(ds, ds.assign_attrs(kernel="Linux 0"))
    arrived, dropped = (int(ds[name][0]) for name in ("received", "dropped"))
    flow = f"TCP Reno 1: {arrived} packets arrived and {dropped} were dropped, in the model {arrived} and {dropped}"
    assert said.startswith(f"Linux 0, dotted. {flow}; ")
    view = View(0.0, 1.5, 500)
    for ours, both in zip(charts(ds, view, {}), with_kernels(charts(ds, view, {}), ds, view), strict=True):
        doubled = [series for series in both["series"] if "dotted" in series]
        assert all(series["y"] in [each["y"] for each in ours["series"]] for series in doubled)
